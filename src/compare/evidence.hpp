// The evidence of a model, Z = integral of p(theta) prod_n p(y_n | theta): by a bridge between the
// draws and a Gaussian fitted to others of them (docs/method/comparison.md). Prior and likelihood
// have all their constants.
#pragma once

#include "compare/row_density.hpp"
#include "diagnose/bridge.hpp"
#include "fit/prepare.hpp"
#include "fit/theta_draws.hpp"
#include "flymc/message.hpp"

namespace flymc {

// Either a number, or why there is none, as a sentence.
struct Evidence {
  LogEvidence log;
  Message why_not{};

  [[nodiscard]] bool is_known() const { return why_not.empty(); }
};

// A larger standard error of the logarithm says nothing of use: no number then.
inline constexpr double kLargestError = 0.5;

// One read of the data, a few hundred to a few thousand evaluations of all rows. The first half of
// each chain's draws makes the Gaussian, the second the bridge. REQUIRES: no groups.
[[nodiscard]] Evidence bridged_evidence(const Problem& problem, const ThetaDraws& draws,
                                        std::uint64_t seed);
// The same where coefficients of one factor vary: the bridge is of all else and their scale, the
// coefficients are integrated out level by level. REQUIRES: has_level_integral().
[[nodiscard]] Evidence bridged_evidence_of_levels(const Problem& problem, const LinearDraws& draws,
                                                  std::uint64_t seed);

}  // namespace flymc
