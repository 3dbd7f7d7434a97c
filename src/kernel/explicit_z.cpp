#include "kernel/explicit_z.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/error.hpp"

namespace flymc {

ExplicitZ::ExplicitZ(const Options& options) : options_(options) {
  if (!(options.fraction > 0.0 && options.fraction <= 1.0)) {
    throw Error(ErrorKind::kUsage, "explicit z-update: the fraction must be in (0, 1].");
  }
}

void ExplicitZ::choose(std::size_t rows, std::uint64_t iteration, Stream& stream) {
  const auto count =
      static_cast<std::size_t>(std::ceil(options_.fraction * static_cast<double>(rows)));
  chosen_.resize(count);
  if (options_.order == ZOrder::kSequential) {
    const std::size_t first = (iteration % rows) * count % rows;
    for (std::size_t i = 0; i < count; ++i) {
      chosen_[i] = static_cast<Datum>((first + i) % rows);
    }
  } else if (options_.order == ZOrder::kShuffled) {
    const Permutation shuffled(rows, stream);
    for (std::size_t i = 0; i < count; ++i) {
      chosen_[i] = static_cast<Datum>(shuffled(i));
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      chosen_[i] = static_cast<Datum>(stream.below(rows));
    }
    // A second draw of the same coin at the same theta replaces the first: visiting it once is the
    // same law, and one query instead of two.
    std::sort(chosen_.begin(), chosen_.end());
    chosen_.resize(
        static_cast<std::size_t>(std::unique(chosen_.begin(), chosen_.end()) - chosen_.begin()));
  }
}

// P(bright) = Lt / (1 + Lt).
ZInfo ExplicitZ::visit_bright(Brightable& target, Point& current, Stream& stream) {
  ZInfo info;
  for (const Datum n : chosen_) {
    if (!target.is_bright(n)) {
      continue;
    }
    const std::size_t slot = target.slot_of(n);
    if (stream.uniform() >= sigmoid(current.log_factors[slot])) {
      target.darken(current, slot);
      ++info.darkened;
    }
  }
  return info;
}

ZInfo ExplicitZ::visit_dark(Brightable& target, Point& current, Stream& stream) {
  ZInfo info;
  const auto log_factors = target.query(current, dark_);
  for (std::size_t i = 0; i < dark_.size(); ++i) {
    if (stream.uniform() < sigmoid(log_factors[i])) {
      target.brighten(current, i);
      ++info.brightened;
    }
  }
  return info;
}

ZInfo ExplicitZ::step(Brightable& target, Point& current, const Tuning& /*tuning*/,
                      std::uint64_t iteration, Stream& stream) {
  choose(target.rows(), iteration, stream);
  // Sorted out at entry, so that a datum darkened here is not visited a second time.
  dark_.clear();
  std::copy_if(chosen_.begin(), chosen_.end(), std::back_inserter(dark_),
               [&](Datum n) { return !target.is_bright(n); });
  ZInfo info = visit_bright(target, current, stream);
  info.brightened = visit_dark(target, current, stream).brightened;
  return info;
}

}  // namespace flymc
