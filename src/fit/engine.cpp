#include "fit/engine.hpp"

#include <fmt/format.h>

#include "core/message.hpp"
#include "core/text.hpp"
#include "fit/family_engine.hpp"
#include "flymc/error.hpp"

namespace flymc {

namespace {

Error without_noise(const Problem& problem, const Error& error) {
  const Message why = message(
      "the columns explain response {} without noise, and {} is only {:.3g}, a millionth of its "
      "spread: {}",
      in_quotes(problem.response), Setting{"scale", "auto"}, problem.family->settings().at("scale"),
      error.problem());
  return with_remedy({error.kind(), why}, message("give {}.", Setting{"scale"}));
}

}  // namespace

EngineResult run_engine(const Problem& problem, const FitSettings& options,
                        const EngineHooks& hooks) {
  if (options.init == InitKind::kPrior && problem.prior.has_flat()) {
    throw Error(ErrorKind::kUsage,
                message("{}: a flat prior has no draws", Setting{"init", "prior"}),
                message("use {}.", Setting{"init", "laplace"}));
  }
  try {
    return engine_of(*problem.family).run(problem, options, hooks);
  } catch (const Error& error) {
    if (problem.noise_free && error.kind() == ErrorKind::kData) {
      throw without_noise(problem, error);
    }
    throw;
  }
}

}  // namespace flymc
