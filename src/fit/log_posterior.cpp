#include "fit/log_posterior.hpp"

#include <variant>

#include "flymc/detail/family/tangent.hpp"
#include "flymc/detail/posterior/full_sum.hpp"

namespace flymc {

double log_posterior(const Problem& problem, const Vector& theta) {
  const Dataset& data = problem.data;
  QueryCounter not_counted;
  FullSum sum(data, problem.predictors());
  return std::visit(
      [&](const auto& model) {
        const auto term = [&](std::size_t n, const double* eta, double* slopes) {
          return data.weight(n) * evaluate_likelihood(model, eta, data.response(n), slopes);
        };
        return problem.prior.log_density(theta) + sum.evaluate(theta, not_counted, term, nullptr);
      },
      problem.model);
}

}  // namespace flymc
