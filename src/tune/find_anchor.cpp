#include "flymc/tune/find_anchor.hpp"

#include <algorithm>
#include <cmath>

namespace flymc {

std::vector<std::size_t> anchor_sample(std::size_t rows, Index parameters, std::uint64_t seed) {
  const auto d = static_cast<double>(parameters);
  const double few = 3.0 * d * std::sqrt(static_cast<double>(rows));
  const double wanted =
      std::max(50.0 * d, std::clamp(static_cast<double>(rows) / 50.0, few, 2.0 * few));
  if (2.0 * wanted > static_cast<double>(rows)) {
    return {};
  }
  Stream stream(seed, 0, Purpose::kAnchor, 2);
  const Permutation order(rows, stream);
  std::vector<std::size_t> sample(static_cast<std::size_t>(wanted));
  for (std::size_t i = 0; i < sample.size(); ++i) {
    sample[i] = order(i);
  }
  std::sort(sample.begin(), sample.end());
  return sample;
}

}  // namespace flymc
