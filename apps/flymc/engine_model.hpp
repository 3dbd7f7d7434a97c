// One model's run, without its templates: defined in engine_run.hpp, instantiated in engine_*.cpp.
#pragma once

#include "flymc/engine.hpp"
#include "flymc/model/likelihood.hpp"

namespace flymc::app {

template <BoundedLikelihood M>
[[nodiscard]] EngineResult run_model(const M& model, const Problem& problem,
                                     const FitOptions& options, const EngineHooks& hooks);

}  // namespace flymc::app
