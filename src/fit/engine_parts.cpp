#include "fit/engine_parts.hpp"

namespace flymc {

namespace {

double log_density_at(Density& density, const Vector& theta, Point& point) {
  density.from_theta(theta, point);
  density.evaluate(point, Order::kValue);
  return point.log_density;
}

// A Gaussian's draws lie D/2 below its top, and with probability 1e-9 further than D + 20.
void pull_in(Density& density, const Vector& mode, Vector& theta) {
  constexpr int kHalvings = 30;
  Point point(density.dimension());
  const double least =
      log_density_at(density, mode, point) - static_cast<double>(mode.size()) - 20.0;
  for (int i = 0; i < kHalvings && !(log_density_at(density, theta, point) >= least); ++i) {
    theta = 0.5 * (theta + mode);
  }
}

}  // namespace

Vector initial_theta(const Problem& problem, const FitSettings& options, const Frame& frame,
                     Density& density, const FindMode& mode_near, Stream stream) {
  Vector theta = frame.anchor();
  if (options.init == InitKind::kPrior) {
    problem.prior.sample(stream, theta);
    // The paper's kernels walk in by themselves, but not from where nothing is possible.
    if (options.local() || problem.family->type().is_ordered()) {
      pull_in(density, mode_near(theta), theta);
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
