// Probabilities beside what came of them.
//
//   Rows in bins of like probability p_n: given = mean p_n, share = mean outcome. If every p_n is
//   right the share has standard deviation sqrt(sum w_n p_n (1 - p_n)) / sum w_n about what is
//   given.
#pragma once

#include <span>
#include <vector>

#include "flymc/detail/check/checked_run.hpp"

namespace flymc {

// A probability that the model gave, and what came of it.
struct Event {
  double p;
  double outcome;  // 0 or 1; binomial: the share of successes
  double weight;
};

// Twelve bins of like weight, fewer where one would have less than ten events. Events of the same p
// are in the same bin: equal rows, which may be merged to one event an outcome, are one statement.
[[nodiscard]] std::vector<CalibrationBin> calibration_bins(std::vector<Event> events);

// The probability that an event with outcome 1 was given more than one with outcome 0, ties
// counting half: weighted, O(n log n). NaN where all have one outcome. Sorts the events.
[[nodiscard]] double area_under_curve(std::span<Event> events);

// What that area is off by, were the events drawn from many: by its linear part (DeLong, 1988),
//
//   h_n = w_n (y_n (below_n - area) / P + (1 - y_n) (above_n - area) / Q),   se^2 = sum_n h_n^2,
//
// below_n the share of the weight Q of outcomes 0 that was given less than n, above_n that of the
// weight P of outcomes 1 that was given more, ties counting half. Sorts the events.
[[nodiscard]] double error_of_area(std::span<Event> events);

}  // namespace flymc
