// What the program asks of a model's engine.
#pragma once

#include <memory>

#include "fit/family_setup.hpp"
#include "flymc/detail/family/tangent.hpp"
#include "flymc/detail/posterior/full_sum.hpp"
#include "tune/held_out.hpp"

namespace flymc {

template <BoundedLikelihood M>
[[nodiscard]] std::unique_ptr<EngineSetup> make_setup(M model, const Problem& problem,
                                                      const FitSettings& options, EngineKind engine,
                                                      const std::atomic<bool>* stop) {
  return std::make_unique<FamilySetup<M>>(std::move(model), problem, options, engine, stop);
}

template <BoundedLikelihood M>
[[nodiscard]] double log_posterior(const M& model, const Problem& problem, const Vector& theta) {
  const Dataset& data = problem.data;
  QueryCounter not_counted;
  FullSum sum(data, problem.predictors());
  const auto term = [&](std::size_t n, const double* eta, double* slopes) {
    return data.weight(n) * evaluate_likelihood(model, eta, data.response(n), slopes);
  };
  return problem.prior.log_density(theta) + sum.evaluate(theta, not_counted, term, nullptr);
}

template <BoundedLikelihood M>
[[nodiscard]] double score_held_out(const M& model, const Prior& prior, const HeldOut& data,
                                    unsigned threads, Vector& theta) {
  return held_out_score(model, prior, data, threads, theta);
}

}  // namespace flymc
