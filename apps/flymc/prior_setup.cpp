#include "flymc/prior_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

PriorSetup set_up_prior(const FitOptions& options, std::size_t slopes,
                        const ResponseScale& response) {
  PriorTerm slope{options.prior.kind, 0.0, options.prior.scale};
  PriorTerm intercept = slope;
  if (options.prior.automatic) {
    slope = {PriorKind::kNormal, 0.0, 2.5 * response.sd};
    intercept = {PriorKind::kNormal, response.median, 10.0 * response.sd};
  } else if (options.prior_intercept) {
    intercept = {options.prior_intercept->kind, 0.0, options.prior_intercept->scale};
  }
  PriorSetup result;
  result.terms.assign(slopes, slope);
  result.used = {describe(slope), "", options.prior.automatic};
  result.note = "prior: slopes " + describe(slope);
  if (options.intercept) {
    result.terms.insert(result.terms.begin(), intercept);
    result.used.intercept = describe(intercept);
    result.note += ", intercept " + describe(intercept);
  }
  if (options.prior.automatic) {
    result.note += options.intercept ? ", for standardised columns, intercept at their means"
                                     : ", for scaled columns";
  }
  return result;
}

}  // namespace flymc::app
