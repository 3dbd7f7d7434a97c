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

// Draws from a posterior of two or three parameters, exactly: a cell of a fine grid by the largest
// density at its corners, a place in it evenly, kept with probability density / (kRoom x that).
template <class M>
class PosteriorDraws {
 public:
  explicit PosteriorDraws(const Problem<M>& problem) : reference_(problem) {
    const Anchor anchor = find_anchor(problem.model, problem.prior, problem.data, {});
    centre_ = anchor.theta;
    cells_ = centre_.size() == 2 ? 400 : 56;
    step_ = 2.0 * kReach / cells_ * anchor.precision.inverse().diagonal().cwiseSqrt();
    std::vector<double> corners(power(cells_ + 1));
    for (std::size_t i = 0; i < corners.size(); ++i) {
      corners[i] = reference_.log_posterior(place(digits(i, cells_ + 1)));
    }
    top_ = *std::max_element(corners.begin(), corners.end());
    double sum = 0.0;
    for (std::size_t cell = 0; cell < power(cells_); ++cell) {
      log_weights_.push_back(highest_corner(corners, digits(cell, cells_)) - top_);
      sum += std::exp(log_weights_.back());
      cumulative_.push_back(sum);
    }
  }

  [[nodiscard]] Vector operator()(Stream& stream) {
    for (;;) {
      const double u = stream.uniform() * cumulative_.back();
      const auto at = std::lower_bound(cumulative_.begin(), cumulative_.end(), u);
      const auto cell = static_cast<std::size_t>(at - cumulative_.begin());
      Vector within = digits(cell, cells_);
      for (double& x : within) {
        x += stream.uniform();
      }
      const Vector theta = place(within);
      const double ratio = std::exp(reference_.log_posterior(theta) - top_ - log_weights_[cell]);
      largest_ratio_ = std::max(largest_ratio_, ratio);
      if (kRoom * stream.uniform() < ratio) {
        return theta;
      }
    }
  }
  // At most 1 if the draws are exact.
  [[nodiscard]] double worst_share_of_room() const noexcept { return largest_ratio_ / kRoom; }

 private:
  static constexpr double kReach = 9.0;  // standard deviations; beyond, the prior leaves nothing
  static constexpr double kRoom = 1.1;

  [[nodiscard]] std::size_t power(int base) const {
    return static_cast<std::size_t>(std::pow(base, centre_.size()) + 0.5);
  }
  // Of a number to a base, the last first.
  [[nodiscard]] Vector digits(std::size_t number, int base) const {
    Vector result(centre_.size());
    for (Index j = result.size() - 1; j >= 0; --j, number /= static_cast<std::size_t>(base)) {
      result[j] = static_cast<double>(number % static_cast<std::size_t>(base));
    }
    return result;
  }
  [[nodiscard]] Vector place(const Vector& at) const {
    return centre_ + step_.cwiseProduct((at.array() - 0.5 * cells_).matrix());
  }
  [[nodiscard]] double highest_corner(const std::vector<double>& corners,
                                      const Vector& cell) const {
    double highest = -HUGE_VAL;
    for (std::size_t corner = 0; corner < power(2); ++corner) {
      const Vector at = cell + digits(corner, 2);
      std::size_t number = 0;
      for (const double digit : at) {
        number = number * static_cast<std::size_t>(cells_ + 1) + static_cast<std::size_t>(digit);
      }
      highest = std::max(highest, corners[number]);
    }
    return highest;
  }

  Reference<M> reference_;
  Vector centre_;
  int cells_ = 0;  // along each axis
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
  for (const char* power : {"", " squared"}) {
    for (Index j = 0; j < density.dimension(); ++j) {
      result.statistics.push_back({"theta " + std::to_string(j) + power});
    }
  }
  for (const char* what : {"product of the first and the last", "bright", "beyond shell 0",
                           "beyond the last shell", "bright beyond shell 0"}) {
    result.statistics.push_back({what});
  }
  const Shells& shells = bench.bounds.tangents.shells;
  result.shells.resize(static_cast<std::size_t>(shells.outermost()) + 1);
  const ShellReference in_shell(shells, bench.anchor, problem.data, predictors_of(problem.model));
  const auto values = [&](const Vector& theta) {
    const int shell = in_shell.of(theta);
    const auto bright = static_cast<double>(coins.bright_count());
    const double outside = shell > 0 ? 1.0 : 0.0;
    std::vector<double> all(theta.begin(), theta.end());
    for (const double t : theta) {
      all.push_back(t * t);
    }
    for (const double value : {theta[0] * theta[theta.size() - 1], bright, outside,
                               shell == shells.outermost() ? 1.0 : 0.0, bright * outside}) {
      all.push_back(value);
    }
    return all;
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
    ++result.shells[static_cast<std::size_t>(in_shell.of(theta))];
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
