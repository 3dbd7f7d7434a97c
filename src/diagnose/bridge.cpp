#include "diagnose/bridge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "diagnose/rank_ess.hpp"

namespace flymc {
namespace {

constexpr int kMostRounds = 1000;
constexpr double kConverged = 1e-10;

// 1 / (s_1 q/Z + s_2 g) times q/Z (`of_q`), or times g, at log(q/(Z g)).
double bridged(double log_ratio, double share, bool of_q) {
  return of_q ? 1.0 / (share + (1.0 - share) * std::exp(-log_ratio))
              : 1.0 / (share * std::exp(log_ratio) + 1.0 - share);
}

struct Bridged {
  std::vector<double> values;
  double mean = 0.0;
};

Bridged bridged(std::span<const double> log_ratios, double log_z, double share, bool of_q) {
  Bridged result;
  for (const double log_ratio : log_ratios) {
    result.values.push_back(bridged(log_ratio - log_z, share, of_q));
    result.mean += result.values.back() / static_cast<double>(log_ratios.size());
  }
  return result;
}

// Of the mean, relative to it.
double relative_variance(const Bridged& sample, double effective) {
  double squares = 0.0;
  for (const double value : sample.values) {
    squares += (value - sample.mean) * (value - sample.mean);
  }
  const double variance = squares / static_cast<double>(sample.values.size() - 1);
  return variance / (effective * sample.mean * sample.mean);
}

double middle(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), at, sorted.end());
  return *at;
}

}  // namespace

LogEvidence bridge(std::span<const double> at_draws, std::size_t chains,
                   std::span<const double> at_proposals) {
  constexpr LogEvidence kNone{std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity()};
  const double share = static_cast<double>(at_draws.size()) /
                       static_cast<double>(at_draws.size() + at_proposals.size());
  double log_z = middle(at_draws);
  double step = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostRounds && std::abs(step) > kConverged; ++round) {
    step = std::log(bridged(at_proposals, log_z, share, true).mean /
                    bridged(at_draws, log_z, share, false).mean);
    log_z += step;
    if (!std::isfinite(log_z)) {
      return kNone;
    }
  }
  if (std::abs(step) > kConverged) {
    return kNone;
  }
  const Bridged proposals = bridged(at_proposals, log_z, share, true);
  const Bridged draws = bridged(at_draws, log_z, share, false);
  const double effective =
      std::min(static_cast<double>(at_draws.size()), ess_mean(Chains(draws.values, chains)));
  const double variance = relative_variance(proposals, static_cast<double>(at_proposals.size())) +
                          relative_variance(draws, effective);
  return {log_z,
          std::isfinite(variance) ? std::sqrt(variance) : std::numeric_limits<double>::infinity()};
}

}  // namespace flymc
