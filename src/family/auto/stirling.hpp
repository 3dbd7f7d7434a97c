// Stirling's series, in any arithmetic.
#pragma once

#include <array>
#include <cstddef>

#include "flymc/detail/family/auto/functions.hpp"

namespace flymc::smooth {

// B_2, B_4, ...
inline constexpr std::array<double, 8> kBernoulli{1.0 / 6,  -1.0 / 30,     1.0 / 42, -1.0 / 30,
                                                  5.0 / 66, -691.0 / 2730, 7.0 / 6,  -3617.0 / 510};

// sum_j B_2j / (2j (2j - 1)) z^(1-2j): what log Gamma(z) has beyond (z - 1/2) log z - z + log(2
// pi)/2.
template <Differentiable T>
[[nodiscard]] T stirling_series(const T& inverse) noexcept {
  const T squared = square(inverse);
  T series(0.0);
  for (std::size_t j = kBernoulli.size(); j-- > 0;) {
    const double twice = 2.0 * static_cast<double>(j + 1);
    series = series * squared + kBernoulli[j] / (twice * (twice - 1.0));
  }
  return series * inverse;
}

}  // namespace flymc::smooth
