#include "cli/demo/toy_chain.hpp"

#include <algorithm>
#include <utility>

#include "fit/family_engine.hpp"
#include "fit/prepare.hpp"
#include "flymc/chain/chain.hpp"

namespace flymc::cli {
namespace {

ToyState state_of(const Chain& chain) {
  Vector theta(chain.dimension());
  chain.theta(theta);
  ToyState state{{theta[0], theta[1], theta[2]}, chain.state().bright};
  std::sort(state.bright.begin(), state.bright.end());
  return state;
}

}  // namespace

SimulateOptions toy_data(std::size_t rows, std::uint64_t seed) {
  return {.family = "logistic", .rows = rows, .columns = 2, .predictor_sd = 2.5, .seed = seed};
}

ToyTrace run_toy_chain(const ToyOptions& options) {
  ToyTrace trace{simulate(toy_data(options.rows, options.seed)), {}};
  FitSettings fit;
  fit.prior = {.automatic = false, .kind = PriorKind::kNormal, .scale = options.prior_sd};
  fit.bound = BoundKind::kMapTuned;
  fit.frame = FrameKind::kPlain;
  fit.kernel = KernelKind::kRandomWalk;
  fit.seed = options.seed;
  const Problem problem = prepare(trace.table, fit);
  const auto setup = engine_of(*problem.family).set_up(problem, fit, EngineKind::kFly, nullptr);
  ChainParts parts = setup->make_parts({options.seed, 0});
  Vector theta(parts.density->dimension());
  Stream stream = parts.streams.at(1, Purpose::kInit);
  problem.prior.sample(stream, theta);

  Chain chain(ChainCore(std::move(parts), theta), {options.step_sd, options.q});
  trace.states.push_back(state_of(chain));
  for (std::size_t i = 0; i < options.iterations; ++i) {
    chain.step();
    trace.states.push_back(state_of(chain));
  }
  return trace;
}

}  // namespace flymc::cli
