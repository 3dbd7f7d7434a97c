#include "fit/engine.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "fit/family_engine.hpp"
#include "flymc/error.hpp"

namespace flymc {

namespace {

Error without_noise(const Problem& problem, const Error& error) {
  const Error what = with_remedy(error, "give --scale.");
  return {error.kind(),
          fmt::format("the columns explain response {} without noise, and --scale auto is only "
                      "{:.3g}, a millionth of its spread: {}",
                      in_quotes(problem.response), problem.family->settings().at("scale"),
                      what.what())};
}

}  // namespace

EngineResult run_engine(const Problem& problem, const FitOptions& options,
                        const EngineHooks& hooks) {
  if (options.init == InitKind::kPrior && problem.prior.has_flat()) {
    throw Error(ErrorKind::kUsage, "--init prior: a flat prior has no draws; use --init laplace.");
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
