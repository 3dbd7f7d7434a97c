// The evidence Z as a by-product of coins. With A the innermost shell,
//
//   P(all dark, theta in A | data) = Z_A / Z,
//   Z_A = integral over A of p(theta) prod_n B_n(theta) prod over beacons L_n(theta),
//
// because that is the joint density of theta and z at z = 0. The share of draws that are all dark
// estimates the left side. Z_A needs no rows but beacons: a bridge between those draws, which have
// that very law, and the Gaussian part; where nothing else is in it, its error is that of the mass
// that the Gaussian has outside of A. See docs/method/comparison.md.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "diagnose/bridge.hpp"
#include "fit/theta_draws.hpp"
#include "flymc/detail/posterior/shell_finder.hpp"
#include "flymc/posterior/density.hpp"
#include "flymc/posterior/frame.hpp"

namespace flymc {

// A joint density whose coins are all dark, and where its innermost shell is.
struct DarkLaw {
  Density& density;
  const Frame& frame;
  const ShellFinder& finder;
};

// Without the constants that prior and likelihoods leave out. None where the Gaussian part is not
// proper, fewer than a hundred draws are all dark in A, or the standard error exceeds 0.5.
// `bright`: how many coins were, for each draw; where they are more than the draws, nothing is
// known of them.
[[nodiscard]] std::optional<LogEvidence> dark_evidence(const DarkLaw& law, const ThetaDraws& draws,
                                                       std::span<const double> bright);

}  // namespace flymc
