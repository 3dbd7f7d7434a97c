#include "family/own_family.hpp"
#include "fit/family_engine.hpp"
#include "fit/matrix_engine.hpp"

namespace flymc {

const FamilyEngine& own_engine() noexcept {
  static constexpr FamilyEngine kEngine{
      .set_up = [](const Problem& problem, const FitSettings& options, EngineKind engine,
                   const std::atomic<bool>* stop) -> std::unique_ptr<EngineSetup> {
        return make_setup(AnyMatrix(own_model(*problem.family)), problem, options, engine, stop);
      },
      .log_posterior =
          [](const Problem& problem, const Vector& theta) {
            return log_posterior(AnyMatrix(own_model(*problem.family)), problem, theta);
          },
      .held_out_score =
          [](const Family& family, const Prior& prior, const HeldOut& data, unsigned threads,
             Vector& theta) {
            return score_held_out(AnyMatrix(own_model(family)), prior, data, threads, theta);
          }};
  return kEngine;
}

}  // namespace flymc
