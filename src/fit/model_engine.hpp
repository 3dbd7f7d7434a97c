// What the program asks of a model's engine.
#pragma once

#include <memory>

#include "fit/family_engine.hpp"
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

// Of the model that `model_of` finds in a family.
template <auto model_of>
[[nodiscard]] const FamilyEngine& engine_with() noexcept {
  static constexpr FamilyEngine kEngine{
      .set_up = [](const Problem& problem, const FitSettings& options, EngineKind engine,
                   const std::atomic<bool>* stop) -> std::unique_ptr<EngineSetup> {
        return make_setup(model_of(*problem.family), problem, options, engine, stop);
      },
      .row_model = []([[maybe_unused]] const Family& family) -> std::unique_ptr<const RowModel> {
        using Model = decltype(model_of(family));
        if constexpr (BoundedScalar<Model>) {
          return std::make_unique<RowModelOf<Model>>(model_of(family));
        } else if constexpr (std::same_as<Model, AnyMatrix>) {
          return std::make_unique<MatrixRowModel>(model_of(family).model());
        } else {
          return nullptr;
        }
      },
      .log_posterior =
          [](const Problem& problem, const Vector& theta) {
            return log_posterior(model_of(*problem.family), problem, theta);
          },
      .held_out_score =
          [](const Family& family, const Prior& prior, const HeldOut& data, unsigned threads,
             Vector& theta) {
            return held_out_score(model_of(family), prior, data, threads, theta);
          }};
  return kEngine;
}

}  // namespace flymc
