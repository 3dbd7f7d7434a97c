// Numbers as people read them: no more digits than are known, thousands apart.
#pragma once

#include <string>
#include <string_view>

namespace flymc {

// The digits after the point that a Monte Carlo standard error supports: the last one shown is the
// one where its first digit stands (0.0041 -> 3, so 1.2034 +- 0.0041 reads 1.203). Negative left of
// the point. REQUIRES: mcse > 0 and finite.
[[nodiscard]] int supported_decimals(double mcse);

// `value` to that many decimals, or in scientific notation where plain digits would be unwieldy
// (more than 7 after the point, or 1e9 and more). Never "-0.0"; "-" for NaN.
[[nodiscard]] std::string fixed(double value, int decimals);

// `value` to that many decimals, as a number.
[[nodiscard]] double rounded(double value, int decimals);

// Those of an interval: two digits of its half width, and no more than the Monte Carlo error
// supports. REQUIRES: lower < upper, mcse > 0, all finite.
[[nodiscard]] int interval_decimals(double lower, double upper, double mcse);

// P(> 0) to three digits. No draw on one side says little more than that: "> 0.999".
[[nodiscard]] std::string sign_probability(double prob);

// How much more of a column to speak of: one, where rows are about so far apart, else a power of
// ten near its standard deviation (23,360 -> 10,000); one where that is unknown.
[[nodiscard]] double step_for(double sd);

// 0.025 -> "2.5 %".
[[nodiscard]] std::string percentile(double prob);

// 12214.4 -> "12,214"; "-" for NaN.
[[nodiscard]] std::string rounded_count(double value);

// Three significant digits, thousands apart: 0.0123, 4.57, 12,214; "unknown" for NaN.
[[nodiscard]] std::string approximate(double value);

// (1, "pass") -> "1 pass"; (12214.4, "pass") -> "12,214 passes"; "unknown passes" for NaN.
[[nodiscard]] std::string approximate_count(double value, std::string_view noun);

// 0.01234 -> "1.23 %"; "unknown" for NaN.
[[nodiscard]] std::string percent(double fraction);

}  // namespace flymc
