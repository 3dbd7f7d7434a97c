// What is said of each of several models of the same rows, in numbers.
#pragma once

#include <limits>
#include <optional>
#include <string>

namespace flymc {

struct Coefficient {
  std::string label;  // untrusted text
  double mean = 0.0;
  double sd = 0.0;
};

// Leave-one-out and evidence of a model, and both less those of the first. NaN where there is none.
struct ComparedNumbers {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  double elpd_loo = kNone;
  double elpd_loo_se = kNone;
  double elpd_loo_mcse = kNone;
  double khat_max = kNone;
  std::optional<std::size_t> khat_high{};  // rows beyond 0.7
  double log_evidence = kNone;
  double log_evidence_se = kNone;
  double elpd_diff = kNone;
  double elpd_diff_se = kNone;
  double elpd_diff_mcse = kNone;
  double log_bayes_factor = kNone;
  double log_bayes_factor_se = kNone;
};

}  // namespace flymc
