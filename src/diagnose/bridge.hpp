// The normalising constant Z of an unnormalised density q from draws of q/Z and of a density g that
// is known, by the optimal bridge of Meng & Wong (1996): with s_1, s_2 the shares of the two kinds
// of draws, Z is the fixed point of
//
//   Z = mean over draws of g of q/(s_1 q/Z + s_2 g)  /  mean over draws of q of g/(s_1 q/Z + s_2
//   g).
//
// Its error as Fruehwirth-Schnatter (2004) has it: both functions are bounded, so that their means
// have a standard error whatever the tails; that of the chains' draws counts their autocorrelation.
// See docs/method/comparison.md.
#pragma once

#include <cstddef>
#include <span>

namespace flymc {

struct LogEvidence {
  double value = 0.0;
  double se = 0.0;
};

// log(q/g), where q was drawn (chain after chain, as many of each) and where g was. A point where
// either is 0 may be infinite, not NaN. Infinite se: the two have nothing in common, or no fixed
// point was found.
[[nodiscard]] LogEvidence bridge(std::span<const double> at_draws, std::size_t chains,
                                 std::span<const double> at_proposals);

}  // namespace flymc
