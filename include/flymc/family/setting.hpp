// The numbers that a family has beside its coefficients: fixed while a chain runs (settings), or
// sampled (auxiliary parameters).
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "flymc/family/prior.hpp"
#include "flymc/message.hpp"

namespace flymc {

// By name. What is not there was not given.
using Settings = std::map<std::string, double>;

enum class Absent {
  kDefault,   // has a value of its own
  kInferred,  // is sampled: an auxiliary parameter of the family's Inferring variant (of other
              // settings kInfer asks for that)
  kRequired,  // is an error; and an error for a family that does not have it
};

// In place of a number: sample it.
inline constexpr double kInfer = std::numeric_limits<double>::quiet_NaN();
// In place of a number: choose it once from the data and take it as known, a plug-in.
inline constexpr double kChoose = -std::numeric_limits<double>::infinity();

[[nodiscard]] inline bool is_positive(double value) noexcept {
  return value > 0.0 && std::isfinite(value);
}

struct OwnSetting {
  const char* name;  // of the option --name, of run.json's config and of Python's parameter
  Absent absent = Absent::kRequired;
  double usual = 1.0;  // kDefault: the value; an example else; what `simulate` takes
  const char* fit_help = "";
  const char* simulate_help = "";
  const char* meaning = "";      // "the variance is mean + mean^2 / size"
  bool may_be_inferred = false;  // the family has an Inferring variant that samples it
  bool may_be_chosen = false;    // the family has choose(). One setting a family at most
  bool (*holds)(double) = &is_positive;
  const char* rule = "must be positive";  // what `holds` asks

  // Whether kInfer may stand for it.
  [[nodiscard]] constexpr bool takes_infer() const noexcept {
    return may_be_inferred || absent == Absent::kInferred;
  }
};

// The scale on which a parameter is reported; its predictor is the logarithm, the logit, or itself.
enum class Natural { kPositive, kShare, kPredictor };
[[nodiscard]] double to_natural(Natural scale, double predictor) noexcept;
[[nodiscard]] double to_predictor(Natural scale, double value) noexcept;

// A parameter that a family has beside its coefficients and that is sampled with them: a linear
// predictor of its own, the same in every row.
struct Auxiliary {
  const char* name;  // of the column in chain files
  Natural natural = Natural::kPositive;
  double usual = 1.0;              // what `simulate` takes
  bool in_response_units = false;  // the scale of its prior is then that of the response
  PriorTerm prior{};               // of the predictor, where nothing else is asked
  const char* limit = nullptr;     // "a Poisson": what the likelihood tends to as it grows

  // What a prior calls it: cut.1, cut.2, ... have one, as "cut".
  [[nodiscard]] std::string_view law() const noexcept {
    const std::string_view all(name);
    return all.substr(0, all.find('.'));
  }
};

// A standard deviation of the response.
inline constexpr Auxiliary kSigma{.name = "sigma",
                                  .natural = Natural::kPositive,
                                  .usual = 1.0,
                                  .in_response_units = true,
                                  .prior = {.kind = PriorKind::kExponential}};
// How often a count is 0 for a reason of its own.
inline constexpr Auxiliary kExtraZeros{
    .name = "zi",
    .natural = Natural::kShare,
    .usual = 0.3,
    .in_response_units = false,
    .prior = {.kind = PriorKind::kUniformShare, .location = -1.0}};
// A size, shape or precision: the greater, the less a response scatters. A search begins at log
// `usual` or so, `start`.
[[nodiscard]] constexpr Auxiliary concentration(const char* name, double usual, double start,
                                                const char* limit = nullptr) noexcept {
  return {
      .name = name,
      .natural = Natural::kPositive,
      .usual = usual,
      .in_response_units = false,
      .prior = {.kind = PriorKind::kInverseGamma, .location = start, .scale = 0.3, .shape = 0.4},
      .limit = limit};
}

[[nodiscard]] inline bool is_share(double value) noexcept { return value > 0.0 && value < 1.0; }

// The setting by which a number fixes it.
[[nodiscard]] constexpr OwnSetting fixing(const Auxiliary& auxiliary) noexcept {
  const bool share = auxiliary.natural == Natural::kShare;
  return {.name = auxiliary.name,
          .absent = Absent::kInferred,
          .usual = auxiliary.usual,
          .fit_help = "auxiliary parameter: a number fixes it, infer (the default) samples it",
          .simulate_help = "",
          .meaning = "",
          .may_be_inferred = true,
          .may_be_chosen = false,
          .holds = share ? &is_share : &is_positive,
          .rule = share ? "must be between 0 and 1" : "must be positive"};
}

// The settings of a fit, and what to say of those that its data chose.
struct ChosenSettings {
  Settings settings;
  Message note{};           // in words; empty: nothing to say
  bool noise_free = false;  // a scale was asked of rows that a fit explains to the digit
};

}  // namespace flymc
