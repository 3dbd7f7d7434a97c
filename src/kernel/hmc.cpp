#include "kernel/hmc.hpp"

#include <algorithm>
#include <cmath>

namespace flymc {

double Hmc::initial_step_size() const noexcept {
  return options_.path_length * 0.6 * std::pow(static_cast<double>(momentum_.size()), -0.25);
}

ThetaInfo Hmc::step(Density& density, Point& current, const Tuning& tuning, Stream& stream) {
  const double step = tuning.step_size * (0.9 + 0.2 * stream.uniform());
  const int steps = static_cast<int>(std::clamp(std::ceil(options_.path_length / tuning.step_size),
                                                1.0, static_cast<double>(options_.max_steps)));
  for (Index j = 0; j < momentum_.size(); ++j) {
    momentum_[j] = stream.normal();
  }
  const double energy_before = 0.5 * momentum_.squaredNorm() - current.log_density;
  proposal_.zeta = current.zeta;
  momentum_ += 0.5 * step * current.gradient;
  for (int i = 0; i < steps; ++i) {
    proposal_.zeta += step * momentum_;
    density.evaluate(proposal_, order());
    momentum_ += (i + 1 < steps ? step : 0.5 * step) * proposal_.gradient;
  }
  const double energy_after = 0.5 * momentum_.squaredNorm() - proposal_.log_density;
  return metropolis(current, proposal_, energy_before - energy_after, stream);
}

}  // namespace flymc
