#include "cli/demo/toy_chain.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "fit/prepare.hpp"
#include "flymc/chain/chain.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/posterior/bounds.hpp"
#include "flymc/posterior/global_bounds.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "flymc/tune/find_anchor.hpp"
#include "kernel/implicit_z.hpp"
#include "kernel/random_walk.hpp"

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
  const Problem problem = prepare(trace.table, fit);
  const Logistic model;
  const Anchor anchor = find_anchor(model, problem.prior, problem.data, {});
  const Bounds bounds = make_bounds(model, problem.data, anchor, {.kind = BoundKind::kMapTuned});
  const Frame frame = Frame::plain(anchor);

  ChainParts parts;
  auto target =
      std::make_unique<JointTarget<Logistic>>(model, problem.prior, problem.data, bounds, frame);
  parts.brightness = target.get();
  parts.density = std::move(target);
  parts.theta_kernel = std::make_unique<RandomWalk>(frame.dimension());
  parts.z_kernel = std::make_unique<ImplicitZ>(ImplicitZ::Options{});
  parts.streams = {options.seed, 0};
  Vector theta = frame.anchor();
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
