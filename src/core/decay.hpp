// e^x for x <= 0, several numbers at a time: what the likelihoods of all rows spend their time on.
//
// x = k log 2 + r with |r| <= log(2)/2; e^r by its series up to r^13, whose rest is 4e-18 of it, in
// pieces that do not wait for each other; 2^k by adding k to the exponent's bits. Below -708 it is
// e^-708, a normal number still. Error: 2 units in the last place. Takes half the time of Eigen's,
// which divides.
#pragma once

#include "core/simd.hpp"

namespace flymc {

// Registers that are taken together: the series of one would wait for each of its terms.
constexpr std::size_t kDecayParts = 4;
constexpr std::size_t kDecays = kDecayParts * simd::kLanes<double>;
using DecayLanes = simd::Lanes<double>[kDecayParts];

// In place. REQUIRES: numbers that are at most 0, or none as arithmetic makes them.
inline void decay(DecayLanes& x) noexcept {
  using Lanes = simd::Lanes<double>;
  constexpr double kLeast = -708.0;
  constexpr double kPerLog2 = 1.4426950408889634;
  // log 2 in two parts: k times the first has no more bits than a double.
  constexpr double kLog2High = 6.93147180369123816490e-01;
  constexpr double kLog2Low = 1.90821492927058770002e-10;
  constexpr double kToInteger = 0x1.8p52;  // added, a number is rounded, and its last bits are k
#pragma GCC unroll 16
  for (Lanes& lanes : x) {
    const Lanes least = Lanes{} + kLeast;
    const Lanes from = lanes < least ? least : lanes;
    const Lanes shifted = from * kPerLog2 + kToInteger;
    const Lanes k = shifted - kToInteger;
    const Lanes r = (from - k * kLog2High) - k * kLog2Low;
    const Lanes r2 = r * r;
    const Lanes r4 = r2 * r2;
    const Lanes to_3 = (1.0 + r) + r2 * (1.0 / 2 + r * (1.0 / 6));
    const Lanes to_7 = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
    const Lanes to_11 =
        (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800 + r * (1.0 / 39916800));
    const Lanes to_13 = 1.0 / 479001600 + r * (1.0 / 6227020800.0);
    const Lanes series = to_3 + r4 * (to_7 + r4 * (to_11 + r4 * to_13));
    lanes = reinterpret_cast<Lanes>(reinterpret_cast<simd::Bits>(series) +
                                    (reinterpret_cast<simd::Bits>(shifted) << 52));
  }
}

}  // namespace flymc
