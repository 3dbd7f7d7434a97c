// One step instead of a chain: theta from the posterior itself, z from its law given theta, one
// iteration; then nothing may have changed on average. It needs no mixing, so it sees what a
// chain's moments hide where a chain moves slowly, in tiny data and in shells that are rarely left.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/exact_chain.hpp"
#include "support/exact_local.hpp"

namespace flymc::exact {

// Draws from a posterior of two parameters, exactly: a cell of a fine grid by the largest density
// at its corners, a place in it evenly, kept with probability density / (kRoom x that).
template <class M>
class PosteriorDraws {
 public:
  explicit PosteriorDraws(const Problem<M>& problem) : reference_(problem) {
    const Anchor anchor = find_anchor(problem.model, problem.prior, problem.data, {});
    centre_ = anchor.theta;
    step_ = 2.0 * kReach / kCells * anchor.precision.inverse().diagonal().cwiseSqrt();
    Matrix corners(kCells + 1, kCells + 1);
    for (Index i = 0; i <= kCells; ++i) {
      for (Index j = 0; j <= kCells; ++j) {
        corners(i, j) =
            reference_.log_posterior(place(static_cast<double>(i), static_cast<double>(j)));
      }
    }
    top_ = corners.maxCoeff();
    double sum = 0.0;
    for (Index i = 0; i < kCells; ++i) {
      for (Index j = 0; j < kCells; ++j) {
        log_weights_.push_back(corners.block<2, 2>(i, j).maxCoeff() - top_);
        sum += std::exp(log_weights_.back());
        cumulative_.push_back(sum);
      }
    }
  }

  [[nodiscard]] Vector operator()(Stream& stream) {
    for (;;) {
      const double u = stream.uniform() * cumulative_.back();
      const auto at = std::lower_bound(cumulative_.begin(), cumulative_.end(), u);
      const auto cell = static_cast<int>(at - cumulative_.begin());
      const Vector theta =
          place(cell / kCells + stream.uniform(), cell % kCells + stream.uniform());
      const double ratio = std::exp(reference_.log_posterior(theta) - top_ -
                                    log_weights_[static_cast<std::size_t>(cell)]);
      largest_ratio_ = std::max(largest_ratio_, ratio);
      if (kRoom * stream.uniform() < ratio) {
        return theta;
      }
    }
  }
  // At most 1 if the draws are exact.
  [[nodiscard]] double worst_share_of_room() const noexcept { return largest_ratio_ / kRoom; }

 private:
  static constexpr int kCells = 400;
  static constexpr double kReach = 9.0;  // standard deviations; beyond, the prior leaves nothing
  static constexpr double kRoom = 1.1;

  [[nodiscard]] Vector place(double i, double j) const {
    return centre_ + Vector{{(i - 0.5 * kCells) * step_[0], (j - 0.5 * kCells) * step_[1]}};
  }

  Reference<M> reference_;
  Vector centre_;
  Vector step_;
  std::vector<double> log_weights_;
  std::vector<double> cumulative_;
  double top_ = 0.0;
  double largest_ratio_ = 0.0;
};

// The mean of independent differences, and its standard error.
struct PairedMean {
  std::string what;
  double sum = 0.0;
  double squares = 0.0;
  std::size_t count = 0;

  void add(double difference) {
    sum += difference;
    squares += difference * difference;
    ++count;
  }
  [[nodiscard]] double z() const {
    return sum == 0.0 ? 0.0 : sum / std::sqrt(squares);  // its mean is nothing to its spread
  }
};

struct OneStep {
  std::vector<PairedMean> statistics;
  std::vector<std::size_t> shells;  // how often a transition began in each
  std::size_t coins = 0;            // rows that are no beacons
  double accepted = 0.0;
  double moved_coins = 0.0;
  double worst_share_of_room = 0.0;
};

// Transitions of a Workbench's kernels, each from a fresh draw of (theta, z).
template <class M>
[[nodiscard]] OneStep one_step(const Problem<M>& problem, PosteriorDraws<M>& draws,
                               const Combination& choice, std::uint64_t seed,
                               std::size_t transitions) {
  const Workbench<M> bench(problem, choice);
  const ChainParts parts = bench.parts({seed, 0});
  Density& density = *parts.density;
  Brightable& coins = *parts.brightness;
  const Tuning tuning{
      .step_size = parts.theta_kernel->initial_step_size() * bench.frame.length_scale(),
      .dark_to_bright = 0.2,
      .kicks = 8};
  OneStep result;
  result.statistics = {{"theta 0"},
                       {"theta 1"},
                       {"theta 0 squared"},
                       {"theta 1 squared"},
                       {"product"},
                       {"bright"},
                       {"beyond shell 0"},
                       {"beyond the last shell"},
                       {"bright beyond shell 0"}};
  const Shells& shells = bench.bounds.tangents.shells;
  result.shells.resize(static_cast<std::size_t>(shells.outermost()) + 1);
  const auto shell_of = [&](const Vector& theta) {
    const Vector delta = theta - bench.anchor.theta;
    return shells.of(std::sqrt(delta.dot(bench.anchor.precision * delta)));
  };
  const auto values = [&](const Vector& theta) {
    const int shell = shell_of(theta);
    const auto bright = static_cast<double>(coins.bright_count());
    const double outside = shell > 0 ? 1.0 : 0.0;
    return std::vector<double>{theta[0],
                               theta[1],
                               theta[0] * theta[0],
                               theta[1] * theta[1],
                               theta[0] * theta[1],
                               bright,
                               outside,
                               shell == shells.outermost() ? 1.0 : 0.0,
                               bright * outside};
  };
  std::vector<Datum> all;
  for (std::size_t n = 0; n < coins.rows(); ++n) {
    if (!bench.bounds.is_beacon(static_cast<Datum>(n))) {
      all.push_back(static_cast<Datum>(n));
    }
  }
  result.coins = all.size();
  Point point(density.dimension());
  Vector after(density.dimension());
  Stream stream(seed, 0, Purpose::kTest, 0);
  for (std::size_t i = 0; i < transitions; ++i) {
    const Vector theta = draws(stream);
    while (coins.bright_count() > 0) {
      coins.darken(point, coins.bright_count() - 1);
    }
    density.from_theta(theta, point);
    const auto log_factors = coins.query(point, all);
    for (std::size_t n = 0; n < all.size(); ++n) {
      if (stream.uniform() < sigmoid(log_factors[n])) {
        coins.brighten(point, n);
      }
    }
    density.evaluate(point, parts.theta_kernel->order());
    const std::vector<double> before = values(theta);
    ++result.shells[static_cast<std::size_t>(shell_of(theta))];
    const ZInfo z = parts.z_kernel->step(coins, point, tuning, i, stream);
    coins.refresh(point, parts.theta_kernel->order());
    const ThetaInfo moved = parts.theta_kernel->step(density, point, tuning, stream);
    result.accepted += (moved.accepted ? 1.0 : 0.0) / static_cast<double>(transitions);
    result.moved_coins +=
        static_cast<double>(z.brightened + z.darkened) / static_cast<double>(transitions);
    density.to_theta(point, after);
    const std::vector<double> now = values(after);
    for (std::size_t k = 0; k < now.size(); ++k) {
      result.statistics[k].add(now[k] - before[k]);
    }
  }
  result.worst_share_of_room = draws.worst_share_of_room();
  return result;
}

}  // namespace flymc::exact
