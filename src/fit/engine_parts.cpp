#include "fit/engine_parts.hpp"

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

namespace flymc {

std::unique_ptr<ThetaKernel> make_theta_kernel(KernelKind kind, const Frame& frame) {
  constexpr double kQuarterPeriod = 1.1 * 1.5707963267948966;
  switch (kind) {
    case KernelKind::kSplitHmc:
      return std::make_unique<SplitHmc>(frame.dimension());
    case KernelKind::kHmc:
      return std::make_unique<Hmc>(
          frame.dimension(), Hmc::Options{.path_length = kQuarterPeriod * frame.length_scale()});
    case KernelKind::kMala:
      return std::make_unique<Mala>(frame.dimension());
    case KernelKind::kRandomWalk:
      return std::make_unique<RandomWalk>(frame.dimension());
    case KernelKind::kSlice:
      return std::make_unique<Slice>(frame.dimension());
    case KernelKind::kElliptical:
      return std::make_unique<Elliptical>(frame);
    default:
      return std::make_unique<Independence>(frame);
  }
}

std::unique_ptr<ZKernel> make_z_kernel(const FitOptions& options) {
  if (options.chosen_z() == ZKind::kWeighted) {
    return std::make_unique<WeightedZ>();
  }
  if (options.chosen_z() == ZKind::kExplicit) {
    return std::make_unique<ExplicitZ>(
        ExplicitZ::Options{.fraction = options.z_fraction, .order = options.z_order});
  }
  return std::make_unique<ImplicitZ>(
      ImplicitZ::Options{.bright_to_dark = options.q_bright_to_dark});
}

namespace {

double log_density_at(Density& density, const Vector& theta, Point& point) {
  density.from_theta(theta, point);
  density.evaluate(point, Order::kValue);
  return point.log_density;
}

// A Gaussian's draws lie D/2 below its top, and with probability 1e-9 further than D + 20.
void pull_in(Density& density, const Vector& anchor, Vector& theta) {
  constexpr int kHalvings = 30;
  Point point(density.dimension());
  const double least =
      log_density_at(density, anchor, point) - static_cast<double>(anchor.size()) - 20.0;
  for (int i = 0; i < kHalvings && !(log_density_at(density, theta, point) >= least); ++i) {
    theta = 0.5 * (theta + anchor);
  }
}

}  // namespace

Vector initial_theta(const Problem& problem, const FitOptions& options, const Frame& frame,
                     Density& density, Stream stream) {
  Vector theta = frame.anchor();
  if (options.init == InitKind::kPrior) {
    problem.prior.sample(stream, theta);
    if (options.local()) {  // the paper's kernels walk in by themselves
      pull_in(density, frame.anchor(), theta);
    }
  } else if (options.init == InitKind::kLaplace) {
    Vector z(frame.dimension());
    for (Index j = 0; j < z.size(); ++j) {
      z[j] = stream.normal();
    }
    Vector zeta(frame.dimension());
    frame.laplace_draw(z, zeta);
    frame.to_theta(zeta, theta);
    pull_in(density, frame.anchor(), theta);
  }
  return theta;
}

}  // namespace flymc
