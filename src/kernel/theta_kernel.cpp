#include "flymc/kernel/theta_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace flymc {

ThetaInfo metropolis(Point& current, Point& proposal, double log_ratio, Stream& stream) noexcept {
  const double accept_prob = std::isfinite(log_ratio) ? std::min(1.0, std::exp(log_ratio)) : 0.0;
  const bool accepted = stream.uniform() < accept_prob;
  ThetaInfo info{.accept_prob = accept_prob, .accepted = accepted, .moved = 0.0};
  if (accepted) {
    info.moved = (proposal.zeta - current.zeta).norm();
    std::swap(current, proposal);
  }
  return info;
}

}  // namespace flymc
