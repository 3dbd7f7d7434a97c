#include "kernel/random_walk.hpp"

#include <cmath>

namespace flymc {

double RandomWalk::initial_step_size() const noexcept {
  return 2.38 / std::sqrt(static_cast<double>(proposal_.zeta.size()));
}

ThetaInfo RandomWalk::step(Density& density, Point& current, const Tuning& tuning, Stream& stream) {
  for (Index j = 0; j < current.zeta.size(); ++j) {
    proposal_.zeta[j] = current.zeta[j] + tuning.step_size * stream.normal();
  }
  density.evaluate(proposal_, order());
  return metropolis(current, proposal_, proposal_.log_density - current.log_density, stream);
}

}  // namespace flymc
