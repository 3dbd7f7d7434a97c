// Chains over the small posteriors, assembled as the application assembles them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "flymc/chain/run_chain.hpp"
#include "flymc/posterior/full_target.hpp"
#include "flymc/posterior/global_bounds.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "flymc/posterior/local_bounds.hpp"
#include "flymc/tune/find_anchor.hpp"
#include "kernel/elliptical.hpp"
#include "kernel/explicit_z.hpp"
#include "kernel/hmc.hpp"
#include "kernel/implicit_z.hpp"
#include "kernel/independence.hpp"
#include "kernel/mala.hpp"
#include "kernel/random_walk.hpp"
#include "kernel/slice.hpp"
#include "kernel/split_hmc.hpp"
#include "kernel/weighted_z.hpp"
#include "support/exact_problem.hpp"

namespace flymc::exact {

enum class ZChoice { kNone, kImplicit, kImplicitLazy, kRandom, kShuffled, kSequential, kWeighted };
enum class KernelChoice { kRandomWalk, kMala, kSlice, kHmc, kIndependence, kSplitHmc, kElliptical };
enum class FrameChoice { kPlain, kWhitened, kOscillator };

enum class BeaconShare { kNone, kSome, kAll };

// Local bounds, on purpose not always wise ones: exactness may not rest on any of this.
struct LocalChoice {
  std::vector<double> shells{2.5, 4.0, 8.0};  // beyond sqrt(D)
  double slack = 0.1;
  double kappa = 1.5;
  BeaconShare beacons = BeaconShare::kNone;
  double anchor_shift = 0.0;     // of the anchor off the mode, in standard deviations
  double precision_scale = 1.0;  // what the metric is wrong by
  std::string name = "default";
};

// kNone is regular MCMC on the full posterior.
struct Combination {
  ModelChoice model = ModelChoice::kLogistic;
  PriorKind prior = PriorKind::kNormal;
  BoundKind bound = BoundKind::kMapTuned;
  ZChoice z = ZChoice::kImplicit;
  KernelChoice kernel = KernelChoice::kRandomWalk;
  FrameChoice frame = FrameChoice::kPlain;
  LocalChoice local{};  // where the bound is kLocal
};

inline std::string name_of(ZChoice z) {
  constexpr const char* kNames[] = {"regular",         "implicit",          "implicit_lazy",
                                    "explicit_random", "explicit_shuffled", "explicit_sequential",
                                    "weighted"};
  return kNames[static_cast<std::size_t>(z)];
}

inline std::string name_of(KernelChoice kernel) {
  constexpr const char* kNames[] = {"random_walk",  "mala",      "slice",     "hmc",
                                    "independence", "split_hmc", "elliptical"};
  return kNames[static_cast<std::size_t>(kernel)];
}

inline std::string name_of(const Combination& c) {
  constexpr const char* kModels[] = {"logistic", "softmax2", "softmax3", "student_t",
                                     "poisson",  "probit",   "binomial", "negative_binomial"};
  constexpr const char* kBounds[] = {"_local_", "_map_", "_untuned_"};
  constexpr const char* kFrames[] = {"plain", "whitened", "oscillator"};
  return std::string(kModels[static_cast<std::size_t>(c.model)]) +
         (c.prior == PriorKind::kNormal ? "_normal" : "_laplace") +
         kBounds[static_cast<std::size_t>(c.bound)] +
         (c.bound == BoundKind::kLocal ? c.local.name + "_" : "") + name_of(c.z) + "_" +
         name_of(c.kernel) + "_" + kFrames[static_cast<std::size_t>(c.frame)];
}

inline Frame make_frame(FrameChoice choice, const Anchor& anchor, const Prior& prior,
                        const Bounds& bounds) {
  switch (choice) {
    case FrameChoice::kPlain:
      return Frame::plain(anchor);
    case FrameChoice::kWhitened:
      return Frame::whitened(anchor);
    case FrameChoice::kOscillator:
      return Frame::oscillator(anchor, gaussian_precision(prior, bounds.gaussian));
  }
  return Frame::plain(anchor);
}

inline std::unique_ptr<ThetaKernel> make_kernel(KernelChoice choice, const Frame& frame) {
  const Index d = frame.dimension();
  const double quarter_period = 1.1 * 0.5 * 3.14159265358979323846;
  switch (choice) {
    case KernelChoice::kRandomWalk:
      return std::make_unique<RandomWalk>(d);
    case KernelChoice::kMala:
      return std::make_unique<Mala>(d);
    case KernelChoice::kSlice:
      return std::make_unique<Slice>(d);
    case KernelChoice::kHmc:
      return std::make_unique<Hmc>(
          d, Hmc::Options{.path_length = quarter_period * frame.length_scale()});
    case KernelChoice::kIndependence:
      return std::make_unique<Independence>(frame);
    case KernelChoice::kSplitHmc:
      return std::make_unique<SplitHmc>(d);
    case KernelChoice::kElliptical:
      return std::make_unique<Elliptical>(frame);
  }
  return nullptr;
}

inline std::unique_ptr<ZKernel> make_z_kernel(ZChoice choice) {
  constexpr double kFraction = 0.45;  // two or three of four or five data
  switch (choice) {
    case ZChoice::kNone:
      return nullptr;
    case ZChoice::kImplicit:
      return std::make_unique<ImplicitZ>(ImplicitZ::Options{.bright_to_dark = 1.0});
    case ZChoice::kImplicitLazy:
      return std::make_unique<ImplicitZ>(ImplicitZ::Options{.bright_to_dark = 0.5});
    case ZChoice::kRandom:
      return std::make_unique<ExplicitZ>(ExplicitZ::Options{kFraction, ZOrder::kRandom});
    case ZChoice::kShuffled:
      return std::make_unique<ExplicitZ>(ExplicitZ::Options{kFraction, ZOrder::kShuffled});
    case ZChoice::kSequential:
      return std::make_unique<ExplicitZ>(ExplicitZ::Options{kFraction, ZOrder::kSequential});
    case ZChoice::kWeighted:
      return std::make_unique<WeightedZ>();
  }
  return nullptr;
}

// Every other row, whatever its leverage, or all.
inline std::vector<Datum> chosen_beacons(BeaconShare share, std::size_t rows) {
  std::vector<Datum> beacons;
  const std::size_t stride = share == BeaconShare::kAll ? 1 : 2;
  for (std::size_t n = 0; share != BeaconShare::kNone && n < rows; n += stride) {
    beacons.push_back(static_cast<Datum>(n));
  }
  return beacons;
}

template <class M>
Bounds bounds_of(const Problem<M>& problem, const Combination& choice, const Anchor& anchor) {
  if (choice.bound == BoundKind::kLocal) {
    const LocalOptions options{.shells = choice.local.shells,
                               .slack = choice.local.slack,
                               .kappa = choice.local.kappa,
                               .threads = 1};
    return with_beacons(problem.model, problem.data,
                        local_pass(problem.model, problem.data, anchor, options),
                        chosen_beacons(choice.local.beacons, problem.data.rows()), 1);
  }
  if constexpr (kHasGlobalBound<M>) {
    return make_bounds(problem.model, problem.data, anchor,
                       {.kind = choice.bound, .xi = problem.untuned_xi, .threads = 1});
  } else {
    throw Error(ErrorKind::kInternal, "bounds_of: this model has local bounds only.");
  }
}

// Anchor, bounds and frame of one combination; chains refer to them, so it outlives its chains.
template <class M>
class Workbench {
 public:
  Workbench(const Problem<M>& problem, const Combination& choice)
      : Workbench(problem, choice, find_anchor(problem.model, problem.prior, problem.data, {})) {}

  Workbench(const Problem<M>& problem, const Combination& choice, Anchor found)
      : problem_(problem),
        choice_(choice),
        anchor(changed(std::move(found), choice)),
        bounds(bounds_of(problem, choice, anchor)),
        frame(make_frame(choice.frame, anchor, problem.prior, bounds)) {}

  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  [[nodiscard]] ChainParts parts(const Streams& streams) const {
    ChainParts parts;
    if (choice_.z == ZChoice::kNone) {
      parts.density =
          std::make_unique<FullTarget<M>>(problem_.model, problem_.prior, problem_.data, frame);
    } else {
      auto joint = std::make_unique<JointTarget<M>>(problem_.model, problem_.prior, problem_.data,
                                                    bounds, frame);
      parts.brightness = joint.get();
      parts.density = std::move(joint);
    }
    parts.theta_kernel = make_kernel(choice_.kernel, frame);
    parts.z_kernel = make_z_kernel(choice_.z);
    parts.streams = streams;
    return parts;
  }

  [[nodiscard]] WarmupChain warmup_chain(const Streams& streams) const {
    ChainParts built = parts(streams);
    const double step = built.theta_kernel->initial_step_size() * frame.length_scale();
    return {std::move(built), anchor.theta, {.adapt_q = true, .start = {step, 0.2}}};
  }

 private:
  // Off the mode and with a wrong metric where that is asked for. An exponential tail against a
  // Gaussian proposal: the proposal has to be wide.
  static Anchor changed(Anchor found, const Combination& choice) {
    const Vector sds = found.precision.inverse().diagonal().cwiseSqrt();
    found.theta += choice.local.anchor_shift * sds;
    found.precision *= choice.local.precision_scale;
    if (choice.kernel == KernelChoice::kIndependence && choice.prior == PriorKind::kLaplace) {
      found.precision *= 0.25;
    }
    return found;
  }

  const Problem<M>& problem_;
  Combination choice_;

 public:
  const Anchor anchor;
  const Bounds bounds;
  const Frame frame;
};

}  // namespace flymc::exact
