#include "flymc/kernel/weighted_z.hpp"

#include <algorithm>
#include <cmath>

#include "flymc/target/rates.hpp"

namespace flymc {
namespace {

// log q_n, accurate for a rate of any size: q_n ~ s lambda_n where that is tiny.
double log_proposal(double scaled_rate) noexcept { return std::log(-std::expm1(-scaled_rate)); }

}  // namespace

// The distinct dark data among the hits, in row order.
void WeightedZ::choose_dark(const Brightable& target, double scale, Stream& stream) {
  candidates_.clear();
  const Rates& rates = target.rates();
  const double mean = scale * rates.total();
  for (std::uint64_t hits = stream.poisson(mean); hits > 0; --hits) {
    const Datum datum = rates.draw(stream);
    if (!target.is_bright(datum)) {
      candidates_.push_back(datum);
    }
  }
  std::sort(candidates_.begin(), candidates_.end());
  candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
}

ZInfo WeightedZ::step(Brightable& target, Point& current, const Tuning& /*tuning*/,
                      std::uint64_t /*iteration*/, Stream& stream) {
  const Rates& rates = target.rates();
  const double scale = target.rate_scale(current);
  ZInfo info;
  // Candidates come from the state at entry: a datum darkened below must not be visited again, or
  // theta is biased.
  choose_dark(target, scale, stream);
  // From the last slot down: darkening moves the last slot, already visited, into the hole.
  for (std::size_t slot = target.bright_count(); slot-- > 0;) {
    const double log_q = log_proposal(scale * rates.rate(target.bright_at(slot)));
    if (std::log(stream.uniform()) < log_q - current.log_factors[slot]) {
      target.darken(current, slot);
      ++info.darkened;
    }
  }
  const auto log_factors = target.query(current, candidates_);
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const double log_q = log_proposal(scale * rates.rate(candidates_[i]));
    if (std::log(stream.uniform()) < log_factors[i] - log_q) {
      target.brighten(current, i);
      ++info.brightened;
    }
  }
  return info;
}

}  // namespace flymc
