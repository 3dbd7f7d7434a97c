// The engine of one family.
#pragma once

#include <memory>

#include "family/matrix_model.hpp"
#include "fit/family_engine.hpp"
#include "fit/matrix_engine.hpp"
#include "fit/model_engine.hpp"
#include "flymc/detail/family/family_of.hpp"

namespace flymc {

template <FamilyDefinition M>
[[nodiscard]] auto engine_model(const Family& family) {
  if constexpr (MatrixLikelihood<M>) {
    return AnyMatrix(std::make_shared<const MatrixModelOf<M>>(model_of<M>(family)));
  } else {
    return model_of<M>(family);
  }
}

template <class M>
const FamilyEngine& family_engine() noexcept {
  static constexpr FamilyEngine kEngine{
      .set_up = [](const Problem& problem, const FitSettings& options, EngineKind engine,
                   const std::atomic<bool>* stop) -> std::unique_ptr<EngineSetup> {
        return make_setup(engine_model<M>(*problem.family), problem, options, engine, stop);
      },
      .log_posterior =
          [](const Problem& problem, const Vector& theta) {
            return log_posterior(engine_model<M>(*problem.family), problem, theta);
          },
      .held_out_score =
          [](const Family& family, const Prior& prior, const HeldOut& data, unsigned threads,
             Vector& theta) {
            return score_held_out(engine_model<M>(family), prior, data, threads, theta);
          }};
  return kEngine;
}

}  // namespace flymc
