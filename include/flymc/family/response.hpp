// The response of a family: what a column of it holds, and what can be said of one value.
#pragma once

#include <cmath>

namespace flymc {

// What a column of responses holds, and so how it is read, encoded, checked and simulated.
//   two classes   -1 and +1
//   successes     their share in [0, 1] of so many trials, which are the row's weight
//   tallies       successes and their trials, which are no weight, in one number (Tally)
//   classes       0 .. K-1, one predictor each
//   ordered       0 .. K-1 in their order, one predictor and K-1 cut points
//   numbers       as they are
//   positive      numbers > 0; where a family takes censored times, -t for more than t
//   shares        numbers between 0 and 1
//   counts        0, 1, 2, ...
enum class ResponseKind {
  kTwoClasses,
  kSuccesses,
  kTallies,
  kClasses,
  kOrdered,
  kNumbers,
  kPositive,
  kShares,
  kCounts
};
// Numbers of some kind, with a mean and a spread.
[[nodiscard]] constexpr bool are_numbers(ResponseKind kind) noexcept {
  return kind >= ResponseKind::kNumbers;
}

// Successes of so many trials, which a column of the table holds.
[[nodiscard]] constexpr bool are_of_trials(ResponseKind kind) noexcept {
  return kind == ResponseKind::kSuccesses || kind == ResponseKind::kTallies;
}

// Successes of trials as one number: trials 2^26 + successes, whole below 2^53.
struct Tally {
  static constexpr double kUnit = 67108864.0;
  static constexpr double kMostTrials = kUnit - 1.0;

  double successes;
  double trials;

  [[nodiscard]] static Tally of(double code) noexcept {
    const double trials = std::floor(code / kUnit);
    return {code - kUnit * trials, trials};
  }
  [[nodiscard]] double code() const noexcept { return kUnit * trials + successes; }
  [[nodiscard]] double share() const noexcept { return successes / trials; }
};

// Where a datum's log likelihood never falls: as its predictor goes up (a label +1, all trials
// successes), down (a label -1, a count of 0), or neither (a count > 0: the predictor must stay).
enum class OpenSide : signed char { kDown = -1, kNeither = 0, kUp = 1 };

// How a response is drawn.
struct Sampling {
  double trials = 1.0;   // of successes
  bool certain = false;  // the likeliest class, without chance; numbers and counts do not ask
};

}  // namespace flymc
