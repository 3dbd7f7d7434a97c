// One model's run, without its templates: defined in engine_run.hpp, instantiated in engine_*.cpp.
#pragma once

#include "fit/engine.hpp"
#include "flymc/family/likelihood.hpp"

namespace flymc {

template <BoundedLikelihood M>
[[nodiscard]] EngineResult run_model(const M& model, const Problem& problem,
                                     const FitOptions& options, const EngineHooks& hooks);

}  // namespace flymc
