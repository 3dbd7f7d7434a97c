// The three questions every run has to answer before its numbers are used:
// R-hat < 1.01, bulk ESS > 400 and MCSE < 5 % of sd, each for every parameter.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "flymc/diagnose/summary.hpp"
#include "flymc/message.hpp"

namespace flymc {

inline constexpr double kMaxRhat = 1.01;
inline constexpr double kMinBulkEss = 400.0;
inline constexpr double kMaxMcsePerSd = 0.05;

struct Check {
  std::string claim;         // "R-hat < 1.01"
  std::string worst;         // "1.0342", or "undefined"
  std::string worst_column;  // whose it is
  std::string worst_label;   // the same, as the input calls it
  std::size_t failures = 0;  // how many parameters break the claim; an undefined number does

  [[nodiscard]] bool passed() const noexcept { return failures == 0; }
};

// What the checks are of: where every class has a vector of coefficients the differences to the
// reference, since only the prior says where the vectors lie together; else the parameters.
[[nodiscard]] const std::vector<ParameterSummary>& checked_parameters(const Summary& summary);

// R-hat, bulk ESS, MCSE, in this order.
[[nodiscard]] std::vector<Check> run_checks(const Summary& summary);

// What `strict` asks.
[[nodiscard]] bool checks_pass(const Summary& summary);

// What to do about checks that failed; empty if none failed.
[[nodiscard]] Message next_step(const Summary& summary);

}  // namespace flymc
