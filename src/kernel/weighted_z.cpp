#include "kernel/weighted_z.hpp"

#include <algorithm>
#include <cmath>

namespace flymc {
namespace {

// log q_n, accurate for a rate of any size: q_n ~ s lambda_n where that is tiny.
double log_proposal(double scaled_rate) noexcept { return std::log(-std::expm1(-scaled_rate)); }

}  // namespace

// The distinct dark data among the hits, in row order.
void WeightedZ::choose_dark(Brightable& target, double scale, Stream& stream) {
  target.draw_hits(scale, stream, candidates_);
  std::erase_if(candidates_, [&](Datum hit) { return target.is_bright(hit); });
  std::sort(candidates_.begin(), candidates_.end());
  candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
}

ZInfo WeightedZ::step(Brightable& target, Point& current, const Tuning& /*tuning*/,
                      std::uint64_t /*iteration*/, Stream& stream) {
  const double scale = target.rate_scale(current);
  ZInfo info;
  // Candidates come from the state at entry: a datum darkened below must not be visited again, or
  // theta is biased.
  choose_dark(target, scale, stream);
  // From the last slot down: darkening moves the last slot, already visited, into the hole.
  for (std::size_t slot = target.bright_count(); slot-- > 0;) {
    const double log_q = log_proposal(scale * target.bright_rate(slot));
    if (std::log(stream.uniform()) < log_q - current.log_factors[slot]) {
      target.darken(current, slot);
      ++info.darkened;
    }
  }
  const auto log_factors = target.query(current, candidates_);
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const double log_q = log_proposal(scale * target.queried_rate(i));
    if (std::log(stream.uniform()) < log_factors[i] - log_q) {
      target.brighten(current, i);
      ++info.brightened;
    }
  }
  return info;
}

}  // namespace flymc
