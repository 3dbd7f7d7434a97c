#include "kernel/independence.hpp"

namespace flymc {

ThetaInfo Independence::step(Density& density, Point& current, const Tuning& /*tuning*/,
                             Stream& stream) {
  for (Index j = 0; j < scratch_.size(); ++j) {
    scratch_[j] = stream.normal();
  }
  frame_.laplace_draw(scratch_, proposal_.zeta);
  density.evaluate(proposal_, order());
  const double log_ratio = proposal_.log_density - current.log_density +
                           frame_.laplace_log_density(current.zeta, scratch_) -
                           frame_.laplace_log_density(proposal_.zeta, scratch_);
  return metropolis(current, proposal_, log_ratio, stream);
}

}  // namespace flymc
