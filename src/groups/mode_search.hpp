// The search that bounds of group models begin with: the mode of the coefficients at the mode of
// the scales' Laplace marginal, both improved in turns. A step that does not climb is cut.
#pragma once

#include <cmath>
#include <limits>

#include "flymc/error.hpp"

namespace flymc {

// Of a scale whose marginal does not bend down here: uphill, and up where there is no slope either.
// (Not by its sign: a NaN has another one on another processor.)
[[nodiscard]] inline double blind_step(double slope) noexcept { return slope < 0.0 ? -0.5 : 0.5; }

// How a search looks at its rows, and moves; each a callable.
//   aim()             improves the scales and finds the step from here; its length in standard
//                     deviations
//   go(share)         to where so much of that step leads
//   log_likelihood()  there: one pass over the rows, which `passes` counts
//   log_prior()       there, given the scales
// THROWS Error(kData) where no mode is found.
template <class Aim, class Go, class LogLikelihood, class LogPrior>
void climb_to_mode(const int& passes, const Aim& aim, const Go& go,
                   const LogLikelihood& log_likelihood, const LogPrior& log_prior) {
  constexpr int kMostPasses = 100;
  constexpr double kNear = 0.05;
  constexpr double kNearEnough = 1.0;
  constexpr double kLeastShare = 1e-12;
  double before = log_likelihood();
  double far = std::numeric_limits<double>::infinity();
  bool stuck = false;
  while (passes < kMostPasses && !stuck) {
    far = aim();
    if (!(far >= kNear)) {
      break;
    }
    before += log_prior();
    double after = -std::numeric_limits<double>::infinity();
    double share = 1.0;
    for (; share > kLeastShare; share *= 0.25) {
      go(share);
      after = log_likelihood();
      if (after + log_prior() >= before - 1e-9 * std::abs(before)) {
        break;
      }
    }
    stuck = !(share > kLeastShare);
    before = after;
  }
  if (!(far < kNearEnough)) {
    throw Error(ErrorKind::kData,
                "no mode was found for the group effects: the response may be explained without "
                "noise, or in units far from 1; rescale it, or use a proper prior.");
  }
}

}  // namespace flymc
