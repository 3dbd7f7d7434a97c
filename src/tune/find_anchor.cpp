#include "flymc/tune/find_anchor.hpp"

#include <algorithm>
#include <cmath>

namespace flymc {
namespace {

// D sqrt(N): with so many rows a Newton step on all of them ends within a standard deviation.
double natural_size(std::size_t rows, Index parameters) {
  return static_cast<double>(parameters) * std::sqrt(static_cast<double>(rows));
}

// Of all rows: the sample lies in memory, the table need not.
double most_of(std::size_t rows) { return static_cast<double>(rows) / 8.0; }

// A fiftieth of all rows costs little where that is more than needed.
double sample_size(std::size_t rows, Index parameters) {
  const double natural = natural_size(rows, parameters);
  const auto all = static_cast<double>(rows);
  return is_tall(rows, parameters)
             ? std::min(most_of(rows), std::clamp(all / 50.0, 3.0 * natural, 6.0 * natural))
             : std::max(50.0 * static_cast<double>(parameters), natural);
}

}  // namespace

bool is_tall(std::size_t rows, Index parameters) {
  constexpr std::size_t kManyRows = 100'000;  // a Gram matrix of fewer costs nothing worth saving
  return rows >= kManyRows && most_of(rows) >= 2.0 * natural_size(rows, parameters);
}

std::vector<std::size_t> anchor_sample(std::size_t rows, Index parameters, std::uint64_t seed) {
  const double wanted = sample_size(rows, parameters);
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
