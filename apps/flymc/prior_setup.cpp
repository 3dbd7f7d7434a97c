#include "flymc/prior_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace flymc::app {
namespace {

std::string describe(const PriorTerm& term) {
  switch (term.kind) {
    case PriorKind::kNormal:
      return fmt::format("normal({:.6g}, {:.6g})", term.location, term.scale);
    case PriorKind::kLaplace:
      return fmt::format("laplace({:.6g}, {:.6g})", term.location, term.scale);
    default:
      return "flat";
  }
}

}  // namespace

ResponseScale response_scale(const Response& response, ModelKind model) {
  if (entry_of(model).response != ResponseKind::kNumbers) {
    return {};
  }
  std::vector<double> values = response.values;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  double mean = 0.0;
  double square = 0.0;
  double count = 0.0;
  for (const double value : response.values) {
    count += 1.0;
    const double shift = value - mean;
    mean += shift / count;
    square += shift * (value - mean);
  }
  const double sd = std::sqrt(square / std::max(1.0, count - 1.0));
  return {*middle, sd > 0.0 ? sd : 1.0};
}

PriorSetup set_up_prior(const FitOptions& options, const Dataset& data, int predictors,
                        const ResponseScale& response) {
  PriorTerm slope{options.prior.kind, 0.0, options.prior.scale};
  PriorTerm intercept = slope;
  if (options.prior.automatic) {
    slope = {PriorKind::kNormal, 0.0, 2.5 * response.sd * options.prior.scale};
    intercept = {PriorKind::kNormal, response.median, 10.0 * response.sd};
  } else if (options.prior_intercept) {
    intercept = {options.prior_intercept->kind, 0.0, options.prior_intercept->scale};
  }
  std::vector<PriorTerm> terms;
  for (int k = 0; k < predictors; ++k) {
    terms.insert(terms.end(), options.intercept ? 1 : 0, intercept);
    terms.insert(terms.end(), data.names().size(), slope);
  }
  PriorUsed used{describe(slope), "", options.prior.automatic};
  std::string note = "prior: slopes " + used.slopes;
  if (options.intercept) {
    used.intercept = describe(intercept);
    note += ", intercept " + used.intercept;
  }
  if (options.prior.automatic) {
    note += options.intercept ? ", for standardised columns, intercept at their means"
                              : ", for scaled columns";
  }
  return {Prior(std::move(terms)), std::move(used), std::move(note)};
}

}  // namespace flymc::app
