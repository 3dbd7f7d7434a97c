// The engine of one family.
#pragma once

#include <memory>

#include "fit/family_engine.hpp"
#include "fit/family_setup.hpp"
#include "flymc/detail/family/family_of.hpp"
#include "flymc/detail/family/tangent.hpp"
#include "flymc/detail/posterior/full_sum.hpp"

namespace flymc {
namespace detail {

template <FamilyDefinition M>
[[nodiscard]] double log_posterior(const Problem& problem, const Vector& theta) {
  const Dataset& data = problem.data;
  const M& model = model_of<M>(*problem.family);
  QueryCounter not_counted;
  FullSum sum(data, problem.predictors());
  const auto term = [&](std::size_t n, const double* eta, double* slopes) {
    return data.weight(n) * evaluate_likelihood(model, eta, data.response(n), slopes);
  };
  return problem.prior.log_density(theta) + sum.evaluate(theta, not_counted, term, nullptr);
}

}  // namespace detail

template <class M>
const FamilyEngine& family_engine() noexcept {
  static constexpr FamilyEngine kEngine{
      .set_up = [](const Problem& problem, const FitSettings& options, EngineKind engine,
                   const std::atomic<bool>* stop) -> std::unique_ptr<EngineSetup> {
        return std::make_unique<FamilySetup<M>>(problem, options, engine, stop);
      },
      .log_posterior = &detail::log_posterior<M>,
      .held_out_score =
          [](const Family& family, const Prior& prior, const HeldOut& data, unsigned threads,
             Vector& theta) {
            return held_out_score(model_of<M>(family), prior, data, threads, theta);
          }};
  return kEngine;
}

}  // namespace flymc
