#include "fit/dark_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "diagnose/rank_ess.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

constexpr std::size_t kFewestDark = 100;
constexpr std::size_t kMostOfEach = 2000;  // dark draws and proposals that the bridge rests on
constexpr std::size_t kMostQueries = 1'000'000;  // of beacons, for each of the two
constexpr double kLargestUsefulError = 0.5;

// The Gaussian part in frame coordinates: independent coordinates of mean b/q and variance 1/q.
class GaussianPart {
 public:
  explicit GaussianPart(const SplitDensity& split)
      : precision_(split.squared_frequencies()), mean_(split.pull().cwiseQuotient(precision_)) {
    log_scale_ = 0.5 * precision_.array().log().sum() -
                 0.5 * static_cast<double>(mean_.size()) * std::log(2.0 * std::numbers::pi);
  }

  void sample(Stream& stream, Vector& zeta) const {
    for (Index j = 0; j < zeta.size(); ++j) {
      zeta[j] = mean_[j] + stream.normal() / std::sqrt(precision_[j]);
    }
  }
  [[nodiscard]] double log_density(const Vector& zeta) const {
    return log_scale_ - 0.5 * (zeta - mean_).cwiseAbs2().dot(precision_);
  }

 private:
  Vector precision_;
  Vector mean_;
  double log_scale_ = 0.0;
};

class Shell {
 public:
  explicit Shell(const DarkLaw& law) : law_(law), scratch_(law.frame.dimension()) {}

  [[nodiscard]] bool holds(const Vector& zeta) {
    return law_.finder.shell(zeta, law_.frame.posterior_norm(zeta, scratch_)) == 0;
  }

 private:
  const DarkLaw& law_;
  Vector scratch_;
};

// log(dark density / Gaussian) at a position in A.
double log_ratio(const DarkLaw& law, const GaussianPart& gaussian, Point& at) {
  law.density.evaluate(at, Order::kValue);
  return at.log_density - gaussian.log_density(at.zeta);
}

// Of F: F' H F = I.
double log_volume(const Frame& frame) {
  return Eigen::PartialPivLU<Matrix>(frame.covariance_root())
      .matrixLU()
      .diagonal()
      .array()
      .abs()
      .log()
      .sum();
}

// Of a share, relative to it.
double relative_error(std::span<const double> indicators, std::size_t chains, double share) {
  const double mcse = mcse_mean(Chains(indicators, chains));
  return share < 1.0 ? mcse / share : 0.0;
}

// Which draws are all dark in A, and log_ratio() at the first of these.
struct DarkDraws {
  std::vector<double> dark;  // 1 or 0
  std::vector<double> log_ratios;
};

DarkDraws dark_draws(const DarkLaw& law, const GaussianPart& gaussian, const ThetaDraws& draws,
                     std::span<const double> bright, std::size_t most) {
  Shell shell(law);
  Point at(law.frame.dimension());
  DarkDraws result{std::vector<double>(draws.draws()), {}};
  for (std::size_t s = 0; s < result.dark.size(); ++s) {
    if (bright[s] != 0.0) {
      continue;
    }
    at.zeta = law.frame.from_theta(draws.theta.col(static_cast<Index>(s)));
    result.dark[s] = shell.holds(at.zeta) ? 1.0 : 0.0;
    if (result.dark[s] > 0.0 && result.log_ratios.size() < most) {
      result.log_ratios.push_back(log_ratio(law, gaussian, at));
    }
  }
  return result;
}

// At so many draws of the Gaussian; outside of A there is nothing.
std::vector<double> proposal_ratios(const DarkLaw& law, const GaussianPart& gaussian,
                                    std::size_t count, Stream stream) {
  Shell shell(law);
  Point at(law.frame.dimension());
  std::vector<double> log_ratios;
  for (std::size_t s = 0; s < count; ++s) {
    gaussian.sample(stream, at.zeta);
    log_ratios.push_back(shell.holds(at.zeta) ? log_ratio(law, gaussian, at)
                                              : -std::numeric_limits<double>::infinity());
  }
  return log_ratios;
}

}  // namespace

std::optional<LogEvidence> dark_evidence(const DarkLaw& law, const ThetaDraws& draws,
                                         std::span<const double> bright) {
  const SplitDensity* const split = law.density.split();
  if (split == nullptr || !(split->squared_frequencies().minCoeff() > 0.0)) {
    return std::nullopt;
  }
  const std::size_t most =
      std::clamp(kMostQueries / (split->beacon_count() + 1), kFewestDark, kMostOfEach);
  const GaussianPart gaussian(*split);
  const auto [dark, at_draws] = dark_draws(law, gaussian, draws, bright, most);
  if (at_draws.size() < kFewestDark) {
    return std::nullopt;
  }
  const double share =
      std::accumulate(dark.begin(), dark.end(), 0.0) / static_cast<double>(dark.size());
  const LogEvidence inside = bridge(at_draws, 1,
                                    proposal_ratios(law, gaussian, at_draws.size(),
                                                    Stream(1, 0, Purpose::kSimulate, dark.size())));
  const LogEvidence result{inside.value + log_volume(law.frame) - std::log(share),
                           std::hypot(inside.se, relative_error(dark, draws.chains, share))};
  return result.se <= kLargestUsefulError ? std::optional(result) : std::nullopt;
}

}  // namespace flymc
