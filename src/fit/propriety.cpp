#include "fit/propriety.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/text.hpp"
#include "fit/auxiliary_prior.hpp"
#include "fit/heavy_tails.hpp"
#include "fit/settings.hpp"
#include "flymc/error.hpp"
#include "flymc/family/binomial.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/family/poisson.hpp"
#include "flymc/family/student_t.hpp"
#include "flymc/tune/find_anchor.hpp"
#include "tune/separation.hpp"

namespace flymc {
namespace {

constexpr std::size_t kColumnsShown = 8;

std::vector<OpenSide> open_sides(const Problem& problem) {
  const FamilyType& family = problem.family->type();
  const RowRange held = problem.data.shard().mine();
  std::vector<OpenSide> sides(held.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    sides[i] = family.open_side(problem.data.response(held.first + i));
  }
  return sides;
}

// With the open sides of tallies, whatever else is made of them.
struct BinomialOfTallies {
  static constexpr bool kLogConcave = true;
  [[nodiscard]] double log_likelihood(double eta, double response) const noexcept {
    return Binomial{}.log_likelihood(eta, Tally::of(response).share());
  }
  [[nodiscard]] double log_likelihood(double eta, double response, double& slope) const noexcept {
    return Binomial{}.log_likelihood(eta, Tally::of(response).share(), slope);
  }
  [[nodiscard]] double information(double eta, double response) const noexcept {
    return Binomial{}.information(eta, Tally::of(response).share());
  }
};

// The open sides alone decide, so one family stands for all that share them.
std::vector<std::size_t> separating(const Problem& problem, const FitSettings& options) {
  const auto sides = open_sides(problem);
  std::optional<Dataset> alone;  // where auxiliary parameters, the same in every row, stand beside
  if (problem.data.design().is_chosen()) {
    std::vector<std::size_t> all(problem.data.rows());
    std::iota(all.begin(), all.end(), std::size_t{0});
    alone = problem.data.sample(all, 1.0, options.threads).bare();
  }
  const Dataset& data = alone ? *alone : problem.data;
  const auto columns_by = [&](const auto& model) {
    return separating_columns(data, sides, likelihood_pass(model, data, options.threads));
  };
  switch (problem.family->type().response) {
    case ResponseKind::kTwoClasses:
      return columns_by(Logistic{});
    case ResponseKind::kSuccesses:
      return columns_by(Binomial{});
    case ResponseKind::kTallies:
      return columns_by(BinomialOfTallies{});
    case ResponseKind::kCounts:
      return columns_by(Poisson{});
    default:
      return {};
  }
}

void require_no_direction(const Problem& problem, const FitSettings& options) {
  std::vector<std::string> names;
  for (const std::size_t column : separating(problem, options)) {
    names.push_back(problem.data.names()[column - (problem.data.intercept() ? 1 : 0)]);
  }
  if (!names.empty()) {
    const bool counts = problem.family->type().response == ResponseKind::kCounts;
    throw Error(ErrorKind::kData,
                fmt::format("a flat prior with {} has no proper posterior; columns: {}; use a "
                            "proper prior.",
                            counts ? "columns that only counts of 0 speak of" : "separable data",
                            listed(names, ", ", kColumnsShown)));
  }
}

// A row that says nothing else falls as e^(-size |eta|): over D coefficients that is size^-D, which
// only these laws of a size near 0 make up for.
void require_falling_law(const Auxiliary& auxiliary, const FitSettings& options) {
  const auto asked = options.prior_aux.find(std::string(auxiliary.law()));
  if (asked == options.prior_aux.end()) {
    return;  // inv_gamma
  }
  const PriorKind kind = parse_law(asked->second, auxiliary).kind;
  if (kind != PriorKind::kInverseGamma && kind != PriorKind::kNormal) {
    throw Error(
        ErrorKind::kData,
        message("a flat prior with {} is not known to have a proper posterior",
                Setting{"prior_aux", fmt::format("{} ~ {}", auxiliary.name, asked->second)}),
        "use a proper prior, or an inv_gamma law.");
  }
}

// With weights a tail of Student-t falls as a power w (nu + 1): light rows may not fall enough.
void require_integrable_tails(const Problem& problem, const FitSettings& options) {
  const Settings& settings = problem.family->settings();
  if (!settings.contains("nu")) {
    return;
  }
  const double exponent = settings.at("nu") + 1.0;
  const bool all = options.prior.kind == PriorKind::kFlat;
  if (!(all ? tails_are_integrable(problem.data, exponent)
            : intercept_is_integrable(problem.data, exponent))) {
    throw Error(ErrorKind::kData,
                fmt::format("a flat prior with weights as small as these is not known to have a "
                            "proper posterior: below {:.3g} the tail of a row falls too slowly",
                            1.0 / exponent),
                "use a proper prior.");
  }
}

// A likelihood of one's own may be no number anywhere: of every row it must be one where a search
// begins, at slopes of 0. Collective.
void require_density_at_start(const Problem& problem, const FitSettings& options) {
  const std::vector<double> start =
      problem.data.constants(problem.prior.start(), problem.family->predictors());
  std::vector<double> eta = start;
  Vector scratch(problem.data.columns());
  const RowRange held = problem.data.shard().mine();
  std::string where = "a row of another rank is not finite";
  bool finite = true;
  for (std::size_t n = held.first; finite && n < held.last; ++n) {
    const Dataset::Row at = problem.data.row(n, scratch.data());
    for (std::size_t k = 0; k < eta.size(); ++k) {
      eta[k] = start[k] + problem.data.offset(at, static_cast<Index>(k));
    }
    const double density = problem.family->log_density(eta, problem.data.response(n));
    finite = std::isfinite(density) || problem.data.weight(n) == 0.0;
    if (!finite) {
      const std::size_t i = n - held.first;
      const std::size_t row = problem.merged.empty() ? i : problem.merged[i].first;
      const std::size_t number = problem.gaps.number_of(problem.first_given + row) + 1;
      where = fmt::format("row {} is {} where", number,
                          std::isnan(density) ? std::abs(density) : density);  // no sign of a NaN
      for (std::size_t k = 0; k < eta.size(); ++k) {
        where += fmt::format("{} {} = {:.4g}", k == 0 ? "" : ",", options.predictors[k], eta[k]);
      }
    }
  }
  if (!holds_everywhere(problem.data.shard().ranks(), finite)) {
    throw Error(ErrorKind::kData,
                message("{}: the log density of {}, and a search for the mode begins there",
                        Setting{"likelihood", shortened(options.likelihood)}, where),
                "write one that is finite there, or leave such rows out.");
  }
}

// Rows without any spread pull a scale to 0, where only a law of one's own may stop it.
void require_some_noise(const Problem& problem, const FitSettings& options) {
  if (sampled_choice(options) != nullptr && options.groups.empty() &&
      !options.prior_aux.contains("sigma") && !options.own.contains("sigma")) {
    require_varied_response(problem.data);
  }
}

}  // namespace

std::string one_sided(const Problem& problem) {
  const auto open_side = problem.family->type().open_side;
  Buffer<double> record;
  const std::size_t any = 0;
  const OpenSide first = open_side(problem.data.fetch({&any, 1}, record)[0].response);
  const RowRange held = problem.data.shard().mine();
  bool same = first != OpenSide::kNeither;
  for (std::size_t n = held.first; same && n < held.last; ++n) {
    same = open_side(problem.data.response(n)) == first;
  }
  if (!holds_everywhere(problem.data.shard().ranks(), same)) {
    return "";
  }
  return fmt::format("response {} {}", in_quotes(problem.response),
                     first == OpenSide::kDown ? "is always 0" : "always equals its trials");
}

void require_proper(const Problem& problem, const FitSettings& options,
                    const std::vector<std::string>& dependent) {
  if (!options.likelihood.empty()) {
    require_density_at_start(problem, options);
  }
  require_some_noise(problem, options);
  if (!problem.prior.has_flat()) {
    return;
  }
  if (problem.family->type().one_a_class()) {
    throw Error(ErrorKind::kData,
                fmt::format("a flat prior with {} has no proper posterior (a shift of all classes "
                            "changes nothing); use a proper prior.",
                            problem.family->type().word));
  }
  if (problem.family->type().is_ordered()) {
    throw Error(ErrorKind::kData,
                fmt::format("a flat prior with {} is not known to have a proper posterior",
                            problem.family->type().word),
                "use a proper prior.");
  }
  for (const Auxiliary& auxiliary : problem.family->type().auxiliaries) {
    if (auxiliary.natural == Natural::kShare) {
      throw Error(ErrorKind::kData,
                  fmt::format("a flat prior with {} is not known to have a proper posterior: rows "
                              "that '{}' explains say nothing of the coefficients",
                              problem.family->type().word, auxiliary.name),
                  "use a proper prior.");
    }
    if (problem.family->type().response == ResponseKind::kCounts) {
      require_falling_law(auxiliary, options);
    }
  }
  for (const OwnSetting& setting : problem.family->type().settings) {
    if (setting.holds == &is_share) {
      throw Error(ErrorKind::kData,
                  fmt::format("a flat prior with {} is not known to have a proper posterior",
                              problem.family->type().word),
                  "use a proper prior.");
    }
  }
  if (problem.censored > 0.0) {
    throw Error(ErrorKind::kData,
                "a flat prior with censored times is not known to have a proper posterior",
                "use a proper prior.");
  }
  for (const PredictorDesign& predictor : problem.designs) {
    if (predictor.by_formula) {
      throw Error(ErrorKind::kData,
                  fmt::format("a flat prior with a formula for '{}' is not known to have a proper "
                              "posterior",
                              predictor.name),
                  "use a proper prior.");
    }
  }
  if (const std::string always = one_sided(problem); !always.empty() && options.intercept) {
    throw Error(ErrorKind::kData,
                always + ": a flat prior has no proper posterior then; use a proper prior.");
  }
  if (options.prior.kind != PriorKind::kFlat) {  // a proper prior holds every slope
    require_integrable_tails(problem, options);
    return;
  }
  if (!dependent.empty()) {
    throw Error(ErrorKind::kData,
                fmt::format("a flat prior with linearly dependent columns has no proper posterior; "
                            "columns: {}; drop them or use a proper prior.",
                            listed(dependent, ", ", kColumnsShown)));
  }
  require_no_direction(problem, options);
  require_integrable_tails(problem, options);
}

}  // namespace flymc
