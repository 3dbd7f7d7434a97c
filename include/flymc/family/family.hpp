// A family at run time: what the program knows of a likelihood whose type it does not know.
//
// One file a family, include/flymc/family/<name>.hpp, holds a class with all of it (the concept
// FamilyDefinition of detail/family/family_of.hpp says what that is); one line of
// src/family/families.txt lists it. Fit, simulate, predict, report and the Python module know
// families by this header alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/family/response.hpp"
#include "flymc/family/setting.hpp"
#include "flymc/random.hpp"

namespace flymc {

class Dataset;
class Family;

// What is known before settings and classes are.
struct FamilyType {
  const char* word;  // of --model
  ResponseKind response;
  const char* link;
  bool log_concave;
  bool information_within_slope;  // of a row with an open side; false also where none has any
  bool has_global_bound;          // the paper's bounds exist
  bool says_mean;                 // of a response; else `mean` is the first predictor
  bool takes_censored;            // a response -t: all that is known is that it is more than t
  bool leaves_out_constant;  // its log likelihood is the density up to a factor of the response
  std::span<const OwnSetting> settings;
  std::span<const Auxiliary> auxiliaries;  // one predictor each, after the first
  const FamilyType* inferring;             // where a setting is left to be inferred; null: none is
  const char* settings_words;  // "Student-t with nu {} and scale {}"; empty: none to show
  OpenSide (*open_side)(double response);
  // A setting that is not given has its usual value. REQUIRES: two classes or more where the
  // response has any.
  std::shared_ptr<const Family> (*make_of)(const FamilyType& type, const Settings& settings,
                                           std::size_t classes);
  // Null where no setting is chosen from data. THROWS Error(kData) where these tell nothing.
  ChosenSettings (*choose)(const Settings& given, const Dataset& data, std::uint64_t seed);
  // The log density as text in y, mu and the names of the auxiliaries. Null: none is written down.
  std::string (*density)() = nullptr;
  // Where that is normal about the first predictor with a standard deviation sigma, up to a factor
  // of the response: the response on that scale. Null where it is not.
  double (*gaussian)(double response) = nullptr;

  [[nodiscard]] std::shared_ptr<const Family> make(const Settings& given,
                                                   std::size_t classes) const {
    const FamilyType& type = of_classes(classes);
    return type.make_of(type, given, classes);
  }

  // One predictor a class; else one, and one for each auxiliary parameter.
  [[nodiscard]] bool one_a_class() const noexcept { return response == ResponseKind::kClasses; }
  [[nodiscard]] std::size_t predictors(std::size_t classes) const noexcept {
    return linear_predictors(classes) + auxiliaries.size();
  }
  // Those that are made of columns.
  [[nodiscard]] std::size_t linear_predictors(std::size_t classes) const noexcept {
    return one_a_class() ? classes : 1;
  }
  // This type, or where one of these settings is to be inferred the variant that samples it.
  // And where numbers fix auxiliary parameters, the type without them.
  [[nodiscard]] const FamilyType& with(const Settings& given) const;
  // This type, or of ordered classes the one with the cut points of so many.
  [[nodiscard]] const FamilyType& of_classes(std::size_t classes) const;
  [[nodiscard]] bool is_ordered() const noexcept { return response == ResponseKind::kOrdered; }
  [[nodiscard]] bool has_classes() const noexcept {
    return response == ResponseKind::kTwoClasses || has_probabilities();
  }
  // Of a response there is no mean but a probability of every class, as many as predictors.
  [[nodiscard]] bool has_probabilities() const noexcept { return one_a_class() || is_ordered(); }
  [[nodiscard]] const OwnSetting* chosen_setting() const noexcept;  // null: none
  [[nodiscard]] std::string key() const;  // of run.json: the word with _ for -
};

// All families, in the order of families.txt; a variant that infers is not one of them.
[[nodiscard]] std::span<const FamilyType* const> families() noexcept;
// Those whose response is of a kind; the first is the usual one.
[[nodiscard]] std::vector<std::string> families_of(ResponseKind kind);
// Every setting of every family once, by the order of the families; then those that fix auxiliary
// parameters.
[[nodiscard]] std::vector<const OwnSetting*> all_settings();

// THROWS Error(kUsage) that names the setting, as the caller calls it, and the words it takes.
[[nodiscard]] const FamilyType& find_family(std::string_view word,
                                            const Message& setting = Setting{"model"});

// The given value, or the setting's own.
[[nodiscard]] double value_of(const OwnSetting& setting, const Settings& given);

using ArrayView = Eigen::Map<Eigen::ArrayXd>;
// One row's predictors under every draw: draws x predictors.
using DrawsView = Eigen::Map<Eigen::ArrayXXd, Eigen::Unaligned, Eigen::OuterStride<>>;

// Settings and classes are fixed. Immutable; thread safe.
class Family {
 public:
  virtual ~Family() = default;
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  [[nodiscard]] const FamilyType& type() const noexcept { return type_; }
  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }  // all of them
  [[nodiscard]] int predictors() const noexcept { return predictors_; }

  // Predictors become E[y], of classes their probabilities: predictors() numbers a draw, in place.
  // With auxiliary parameters the first becomes E[y], the others stay.
  virtual void mean(std::span<double> eta) const = 0;
  // The same for many draws, several at once: faster, and equal to rounding.
  virtual void means(DrawsView eta) const = 0;

  // log p(response) under every draw but for log_constant(); `out` has one number a draw. `trials`:
  // 1 but for a share of successes. So below.
  virtual void log_likelihoods(const DrawsView& eta, double response, double trials,
                               std::span<double> out) const = 0;
  // What the likelihood leaves out: the terms of log p(response) without a predictor.
  [[nodiscard]] virtual double log_constant(double response, double trials) const = 0;
  // Of one draw.
  [[nodiscard]] double log_density(std::span<const double> eta, double response) const;

  // What the column of responses held, where rows carry it in a code: so many successes, or the
  // first of two numbers.
  [[nodiscard]] virtual double observed(double response) const {
    return type_.response == ResponseKind::kTallies ? Tally::of(response).successes : response;
  }

  // The predictor whose mean this is. REQUIRES: counts, no auxiliary parameters.
  [[nodiscard]] virtual double predictor(double mean) const = 0;
  // Of a response of this mean: its standard deviation, or the scale of one that may have none.
  // `eta`: with auxiliary parameters the predictors, which else nobody reads. Of successes that of
  // their share in so many trials. REQUIRES: numbers, counts or successes.
  [[nodiscard]] virtual double spread(double mean, std::span<const double> eta,
                                      double trials) const = 0;

  // A response as a table holds it (two classes: 0 and 1; successes in their trials). Overwrites
  // eta. THROWS Error(kUsage) for a mean that no double counts to.
  [[nodiscard]] virtual double sample(Stream& stream, std::span<double> eta,
                                      const Sampling& how) const = 0;

 protected:
  Family(const FamilyType& type, Settings settings, int predictors)
      : type_(type), settings_(std::move(settings)), predictors_(predictors) {}

 private:
  const FamilyType& type_;
  Settings settings_;
  int predictors_;
};

// A likelihood of the user's own, as text, is a family made at run time
// (docs/howto/own-likelihood.md). One to four predictors, the first of which has the columns; names
// of the response and of one more number of a row, or none: y. The same text is the same type, for
// as long as the program runs. THROWS Error(kUsage) that names the place in the text.
[[nodiscard]] const FamilyType& own_family_type(const std::string& text,
                                                const std::vector<std::string>& predictors,
                                                const std::vector<std::string>& data);

}  // namespace flymc
