#include "kernel/implicit_z.hpp"

#include <cmath>

#include "flymc/error.hpp"

namespace flymc {

ImplicitZ::ImplicitZ(const Options& options) : options_(options) {
  if (!(options.bright_to_dark > 0.0 && options.bright_to_dark <= 1.0)) {
    throw Error(ErrorKind::kUsage, "implicit z-update: q_bd must be in (0, 1].");
  }
}

// Each dark datum independently with probability q: skips over all rows, where bright ones are
// passed over. Skipping through the dark data alone is the same law, but its draws would depend on
// the order in which data went dark, which a restart does not keep.
void ImplicitZ::choose_dark(const Brightable& target, double q, Stream& stream) {
  candidates_.clear();
  const std::size_t rows = target.rows();
  for (std::size_t n = stream.geometric(q, rows); n < rows; n += 1 + stream.geometric(q, rows)) {
    const auto datum = static_cast<Datum>(n);
    if (!target.is_bright(datum)) {
      candidates_.push_back(datum);
    }
  }
}

ZInfo ImplicitZ::step(Brightable& target, Point& current, const Tuning& tuning,
                      std::uint64_t /*iteration*/, Stream& stream) {
  const double log_odds = std::log(tuning.dark_to_bright / options_.bright_to_dark);
  ZInfo info;
  // Candidates come from the state at entry: a datum darkened below must not be visited again, or
  // theta is biased.
  choose_dark(target, tuning.dark_to_bright, stream);
  // From the last slot down: darkening moves the last slot, already visited, into the hole.
  for (std::size_t slot = target.bright_count(); slot-- > 0;) {
    if (options_.bright_to_dark < 1.0 && stream.uniform() >= options_.bright_to_dark) {
      continue;
    }
    if (std::log(stream.uniform()) < log_odds - current.log_factors[slot]) {
      target.darken(current, slot);
      ++info.darkened;
    }
  }
  const auto log_factors = target.query(current, candidates_);
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (std::log(stream.uniform()) < log_factors[i] - log_odds) {
      target.brighten(current, i);
      ++info.brightened;
    }
  }
  return info;
}

}  // namespace flymc
