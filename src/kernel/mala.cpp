#include "kernel/mala.hpp"

#include <cmath>

namespace flymc {
namespace {

// log N(to; from + step^2/2 grad(from), step^2 I), up to a constant.
double log_proposal(const Point& to, const Point& from, double step) noexcept {
  const double drift = 0.5 * step * step;
  return -0.5 * (to.zeta - from.zeta - drift * from.gradient).squaredNorm() / (step * step);
}

}  // namespace

double Mala::initial_step_size() const noexcept {
  return 1.5 * std::pow(static_cast<double>(proposal_.zeta.size()), -1.0 / 6.0);
}

ThetaInfo Mala::step(Density& density, Point& current, const Tuning& tuning, Stream& stream) {
  const double step = tuning.step_size;
  for (Index j = 0; j < current.zeta.size(); ++j) {
    proposal_.zeta[j] =
        current.zeta[j] + 0.5 * step * step * current.gradient[j] + step * stream.normal();
  }
  density.evaluate(proposal_, order());
  const double log_ratio = proposal_.log_density - current.log_density +
                           log_proposal(current, proposal_, step) -
                           log_proposal(proposal_, current, step);
  return metropolis(current, proposal_, log_ratio, stream);
}

}  // namespace flymc
