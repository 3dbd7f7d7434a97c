#include "flymc/engine.hpp"

#include <variant>

#include "flymc/core/error.hpp"
#include "flymc/engine_model.hpp"

namespace flymc::app {

EngineResult run_engine(const Problem& problem, const FitOptions& options,
                        const EngineHooks& hooks) {
  if (options.init == InitKind::kPrior && problem.prior.has_flat()) {
    throw Error(ErrorKind::kUsage, "--init prior: a flat prior has no draws; use --init laplace.");
  }
  return std::visit([&](const auto& model) { return run_model(model, problem, options, hooks); },
                    problem.model);
}

}  // namespace flymc::app
