#include "flymc/engine.hpp"

#include <chrono>
#include <optional>
#include <utility>

#include "flymc/core/error.hpp"
#include "flymc/core/parallel.hpp"
#include "flymc/kernel/explicit_z.hpp"
#include "flymc/kernel/hmc.hpp"
#include "flymc/kernel/implicit_z.hpp"
#include "flymc/kernel/independence.hpp"
#include "flymc/kernel/mala.hpp"
#include "flymc/kernel/random_walk.hpp"
#include "flymc/kernel/slice.hpp"
#include "flymc/target/full_target.hpp"
#include "flymc/target/joint_target.hpp"
#include "flymc/tune/find_anchor.hpp"
#include "flymc/tune/separation.hpp"

namespace flymc::app {
namespace {

std::unique_ptr<ThetaKernel> make_theta_kernel(KernelKind kind, const Frame& frame) {
  constexpr double kQuarterPeriod = 1.1 * 1.5707963267948966;
  switch (kind) {
    case KernelKind::kHmc:
      return std::make_unique<Hmc>(
          frame.dimension(), Hmc::Options{.path_length = kQuarterPeriod * frame.length_scale()});
    case KernelKind::kMala:
      return std::make_unique<Mala>(frame.dimension());
    case KernelKind::kRandomWalk:
      return std::make_unique<RandomWalk>(frame.dimension());
    case KernelKind::kSlice:
      return std::make_unique<Slice>(frame.dimension());
    default:
      return std::make_unique<Independence>(frame);
  }
}

std::unique_ptr<ZKernel> make_z_kernel(const FitOptions& options) {
  if (options.z == ZKind::kExplicit) {
    return std::make_unique<ExplicitZ>(
        ExplicitZ::Options{.fraction = options.z_fraction, .order = options.z_order});
  }
  return std::make_unique<ImplicitZ>(
      ImplicitZ::Options{.bright_to_dark = options.q_bright_to_dark});
}

Vector initial_theta(const Problem& problem, const FitOptions& options, const Frame& frame,
                     Stream stream) {
  Vector theta = frame.anchor();
  if (options.init == InitKind::kPrior) {
    problem.prior.sample(stream, theta);
  } else if (options.init == InitKind::kLaplace) {
    Vector z(frame.dimension());
    for (Index j = 0; j < z.size(); ++j) {
      z[j] = stream.normal();
    }
    Vector eta(frame.dimension());
    frame.laplace_draw(z, eta);
    frame.to_theta(eta, theta);
  }
  return theta;
}

// One model's set-up, shared by its chains, and their assembly.
template <BoundedLikelihood M>
class Engine {
 public:
  Engine(const M& model, const Problem& problem, const FitOptions& options)
      : model_(model), problem_(problem), options_(options) {
    const auto start = std::chrono::steady_clock::now();
    const Anchor anchor =
        find_anchor(model, problem.prior, problem.data,
                    {.search = options.anchor, .threads = options.threads, .seed = options.seed});
    info_.passes = anchor.passes;
    info_.queries = anchor.queries;
    info_.newton_decrement = anchor.decrement;
    if (options.fly()) {
      bounds_.emplace(make_bounds(model, problem.data, anchor,
                                  {.kind = options.bound,
                                   .xi = options.xi.value_or(M::kUntunedXi),
                                   .threads = options.threads}));
      ++info_.passes;
      info_.queries += bounds_->queries;
    }
    frame_.emplace(make_frame(anchor));
    if constexpr (std::is_same_v<M, Logistic>) {
      info_.separated = separates(problem.data, anchor.theta);
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    info_.wall_s = elapsed.count();
  }

  [[nodiscard]] const SetupInfo& info() const noexcept { return info_; }

  [[nodiscard]] WarmupChain make_chain(std::uint32_t chain) const {
    const Streams streams{options_.seed, chain};
    ChainParts parts = make_parts(streams);
    const Vector theta = initial_theta(problem_, options_, *frame_, streams.at(1, Purpose::kInit));
    const Tuning start{parts.theta_kernel->initial_step_size() * frame_->length_scale(),
                       options_.q.value_or(0.01)};
    return {std::move(parts), theta, {.adapt_q = !options_.q.has_value(), .start = start}};
  }

 private:
  [[nodiscard]] ChainParts make_parts(Streams streams) const {
    auto kernel = make_theta_kernel(options_.kernel, *frame_);
    if (options_.fly()) {
      return firefly_parts(std::make_unique<JointTarget<M>>(model_, problem_.prior, problem_.data,
                                                            *bounds_, *frame_),
                           std::move(kernel), make_z_kernel(options_), streams);
    }
    return {std::make_unique<FullTarget<M>>(model_, problem_.prior, problem_.data, *frame_),
            nullptr, std::move(kernel), nullptr, streams};
  }

  // Oscillator coordinates pay where rows are stored in them: one predictor and a Gaussian part.
  [[nodiscard]] Frame make_frame(const Anchor& anchor) const {
    if (options_.frame == FrameKind::kPlain) {
      return Frame::plain(anchor);
    }
    if (bounds_ && ScalarLikelihood<M> && !problem_.prior.has_laplace()) {
      return Frame::oscillator(anchor, gaussian_precision(problem_.prior, bounds_->collapsed));
    }
    return Frame::whitened(anchor);
  }

  const M& model_;
  const Problem& problem_;
  const FitOptions& options_;
  SetupInfo info_;
  std::optional<Bounds> bounds_;
  std::optional<Frame> frame_;
};

template <BoundedLikelihood M>
EngineResult run_model(const M& model, const Problem& problem, const FitOptions& options,
                       const EngineHooks& hooks) {
  const Engine<M> engine(model, problem, options);
  if (hooks.set_up) {
    hooks.set_up(engine.info());
  }
  std::vector<EngineHooks::Sinks> sinks;
  for (std::uint32_t chain = 0; chain < options.chains; ++chain) {
    sinks.push_back(hooks.make_sinks(chain));
  }
  EngineResult result{engine.info(), std::vector<RunSummary>(options.chains)};
  parallel_for(options.chains, options.threads, [&](std::size_t i) {
    const RunControl control{hooks.progress == nullptr ? nullptr : &(*hooks.progress)[i],
                             hooks.stop};
    WarmupChain warmup = engine.make_chain(static_cast<std::uint32_t>(i));
    Chain chain = warm_up(std::move(warmup), options.schedule, control, result.chains[i],
                          sinks[i].warmup.get());
    sample(chain, options.schedule, control, *sinks[i].draws, result.chains[i]);
  });
  return result;
}

}  // namespace

EngineResult run_engine(const Problem& problem, const FitOptions& options,
                        const EngineHooks& hooks) {
  if (options.init == InitKind::kPrior && problem.prior.has_flat()) {
    throw Error(ErrorKind::kUsage, "--init prior: a flat prior has no draws; use --init laplace.");
  }
  return std::visit([&](const auto& model) { return run_model(model, problem, options, hooks); },
                    problem.model);
}

}  // namespace flymc::app
