#include "fit/prior_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "fit/auxiliary_prior.hpp"
#include "flymc/ranks.hpp"
#include "ranks/order_statistic.hpp"

namespace flymc {

namespace {

// The prior of an auxiliary parameter: as asked for, or its own, in the response's units where it
// has these. A search begins at its own.
PriorTerm auxiliary_prior(const Auxiliary& auxiliary, const FitSettings& options,
                          const ResponseScale& response) {
  PriorTerm own = auxiliary.prior;
  if (auxiliary.in_response_units) {
    own.scale *= response.sd;
    own.location += std::log(response.sd);
  }
  // As of the first predictor: an offset that is moved moves the intercept, not what is likely.
  if (const auto offset = response.offsets.find(auxiliary.name); offset != response.offsets.end()) {
    own.location -= offset->second;
    own.scale *= is_natural(own.kind) ? std::exp(-offset->second) : 1.0;
  }
  const auto asked = options.prior_aux.find(std::string(auxiliary.law()));
  if (asked == options.prior_aux.end()) {
    return own;
  }
  PriorTerm term = parse_law(asked->second, auxiliary);
  term.location = is_natural(term.kind) ? own.location : term.location;
  return term;
}

// Of an auxiliary parameter with a formula.
constexpr double kOwnSlope = 2.5;

// What is said of it; adds what run.json holds.
struct AuxiliaryTerms {
  std::string law;  // of the parameter
  PriorTerm slope;
};

std::string law_in_words(const PriorTerm& law, Natural scale) {
  const char* const of = law.kind != PriorKind::kNormal || scale == Natural::kPredictor ? ""
                         : scale == Natural::kShare ? " of its logit"
                                                    : " of its logarithm";
  return to_text(law) + of;
}

// Of an intercept.
const char* where_law_is(const PredictorDesign& design, bool centred) {
  if (design.columns.empty()) {
    return "where its offset is 0";
  }
  if (!design.offsets.empty()) {
    return centred ? "at the means, where its offset is 0," : "where columns and its offset are 0";
  }
  return centred ? "at the means" : "where columns are 0";
}

std::string describe_auxiliary(const PredictorDesign& design, const AuxiliaryTerms& terms,
                               bool centred, PriorUsed& used) {
  const std::string& law = terms.law;
  if (!design.by_formula) {
    used.auxiliaries.emplace_back(design.name, law);
    return fmt::format("{} {}", design.name, law);
  }
  std::string words = design.name;
  if (design.intercept) {
    used.auxiliaries.emplace_back(design.name + "_alpha", law);
    words += fmt::format(" {} {}{}", where_law_is(design, centred), law,
                         design.columns.empty() ? "" : ",");
  }
  if (!design.columns.empty()) {
    used.auxiliaries.emplace_back(design.name + "_beta", to_text(terms.slope));
    words += " slopes " + used.auxiliaries.back().second;
  }
  if (!design.intercept && design.columns.empty()) {
    words += " is its offset";
  }
  return words;
}

// The upper median of all ranks' values.
double median(Ranks& ranks, std::vector<double> values) {
  return order_statistic(ranks, values, sum_of_ranks(ranks, values.size()) / 2);
}

}  // namespace

ResponseScale response_scale(const Table& table, const FamilyType& family) {
  if (!family.says_mean ||
      (family.response != ResponseKind::kNumbers && family.response != ResponseKind::kPositive)) {
    return {};
  }
  // What coefficients explain: an offset that moves with the response moves no prior.
  std::vector<double> values = table.response.values;
  if (family.response == ResponseKind::kPositive) {
    std::ranges::transform(values, values.begin(),
                           [](double value) { return std::log(std::abs(value)); });
  }
  for (std::size_t n = 0; n < table.offset.size(); ++n) {
    values[n] -= table.offset[n];
  }
  // One column of numbers: its moments are those of a table of it alone.
  Table response;
  response.rows = table.rows;
  response.columns = {table.response.name};
  response.shard = table.shard;
  response.x.assign(values.begin(), values.end());
  const double sd = column_moments(response, 1).sd[0];
  // Where nothing has the response's unit, a factor of e is one unit for every response.
  const bool has_unit = family.response == ResponseKind::kNumbers ||
                        std::ranges::any_of(family.auxiliaries, &Auxiliary::in_response_units);
  return {median(table.sharding().ranks(), std::move(values)), has_unit && sd > 0.0 ? sd : 1.0};
}

PriorSetup set_up_prior(const FitSettings& options, const std::vector<PredictorDesign>& predictors,
                        const Family& family, const ResponseScale& response) {
  PriorTerm slope{options.prior.kind, 0.0, options.prior.scale};
  PriorTerm intercept = slope;
  if (options.prior.automatic) {
    slope = {PriorKind::kNormal, 0.0, 2.5 * response.sd * options.prior.scale};
    intercept = {PriorKind::kNormal, response.median, 10.0 * response.sd};
  } else if (options.prior_intercept) {
    intercept = {options.prior_intercept->kind, 0.0, options.prior_intercept->scale};
  }
  std::vector<PriorTerm> terms;
  const auto auxiliaries = family.type().auxiliaries;
  const std::size_t linear = predictors.size() - auxiliaries.size();
  for (std::size_t k = 0; k < linear; ++k) {
    terms.insert(terms.end(), predictors[k].intercept ? 1 : 0, intercept);
    terms.insert(terms.end(), predictors[k].columns.size(), slope);
  }
  PriorUsed used{to_text(slope), "", {}, options.prior.automatic};
  std::string note = "prior: slopes " + used.slopes;
  if (has_intercept(options)) {
    used.intercept = to_text(intercept);
    note += ", intercept " + used.intercept;
  }
  const bool ordered = family.type().is_ordered();
  const bool centred = options.prior.automatic &&
                       (ordered || std::ranges::all_of(predictors, &PredictorDesign::intercept));
  if (options.prior.automatic) {
    note += centred ? fmt::format(", for standardised columns, {} at their means",
                                  ordered ? "cut points" : "intercept")
                    : ", for scaled columns";
  }
  const PriorTerm own_slope =
      options.prior.automatic ? PriorTerm{PriorKind::kNormal, 0.0, kOwnSlope} : slope;
  for (std::size_t a = 0; a < auxiliaries.size(); ++a) {
    const PredictorDesign& design = predictors[linear + a];
    PriorTerm law = auxiliary_prior(auxiliaries[a], options, response);
    if (ordered) {
      law.start = response.cuts[a];
    }
    terms.insert(terms.end(), design.intercept ? 1 : 0, law);
    terms.insert(terms.end(), design.columns.size(), own_slope);
    note +=
        "; " + describe_auxiliary(design, {law_in_words(law, auxiliaries[a].natural), own_slope},
                                  centred, used);
  }
  return {Prior(std::move(terms)), std::move(used), std::move(note)};
}

}  // namespace flymc
