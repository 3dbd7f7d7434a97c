// What the theta-updates of models with groups have in common: how they are tuned, and how often
// their moves are accepted.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/kernel/theta_kernel.hpp"
#include "groups/group_scales.hpp"

namespace flymc {

// Frozen before draws count.
struct GroupTuning {
  Vector psi_mean;    // of an independence proposal
  Matrix psi_factor;  // lower Cholesky factor of its covariance
  int level_kicks = 3;
  int fixed_kicks = 2;
  double held_step = 1.0;  // of the walk of scales with beta held, in its usual width
  bool sums_out = false;   // coins, where scales move: all rows are looked at
  // Of an iteration of the pilot, on average.
  double queries = 0.0;
  double evaluations = 0.0;
};

class GroupKernel : public ThetaKernel {
 public:
  [[nodiscard]] Adapts adapts() const noexcept override { return Adapts::kNothing; }
  [[nodiscard]] Order order() const noexcept override { return Order::kValue; }

  // Mean acceptance of the last step's moves, for tuning.
  struct Accepted {
    double levels = 1.0;  // of those with rows to evaluate
    double fixed = 1.0;
    double scales = 1.0;
    double held = 1.0;
  };
  [[nodiscard]] const Accepted& accepted() const noexcept { return accepted_; }

 protected:
  [[nodiscard]] ThetaInfo info() const noexcept {
    return {.accept_prob = (accepted_.levels + accepted_.fixed + accepted_.scales) / 3.0};
  }

  Accepted accepted_;
};

// What is infinite, or no number at all, is never accepted.
[[nodiscard]] inline double accept_prob(double log_ratio) noexcept {
  return std::isfinite(log_ratio) ? std::exp(std::min(log_ratio, 0.0)) : 0.0;
}

// A little more than a quarter turn, jittered: the same for a whole iteration.
[[nodiscard]] inline double draw_angle(Stream& stream) noexcept {
  return 1.1 * 0.5 * std::numbers::pi * (1.0 + 0.1 * (2.0 * stream.uniform() - 1.0));
}

// The exact part of a split trajectory of so many kicks.
struct Turn {
  double step = 0.0;
  double cosine = 1.0;
  double sine = 0.0;

  Turn(double angle, int kicks) noexcept
      : step(angle / kicks), cosine(std::cos(step)), sine(std::sin(step)) {}

  void apply(double& zeta, double& momentum) const noexcept {
    const double turned = cosine * zeta + sine * momentum;
    momentum = cosine * momentum - sine * zeta;
    zeta = turned;
  }
  void apply(Vector& zeta, Vector& momentum) const noexcept {
    for (Index j = 0; j < zeta.size(); ++j) {
      apply(zeta[j], momentum[j]);
    }
  }
};

// Moves of what rows share together with all coefficients, from or to outside of its region, would
// look at every row: they are rejected unseen, at both ends alike, but for so many of them. (A walk
// comes and goes, but slowly where tangents bend much more than the likelihood.)
inline constexpr double kLookShare = 0.05;

// Of scales: Student's t about the pilot's mean, so often, or a random walk.
class ScaleProposal {
 public:
  // REQUIRES: a lower triangle.
  ScaleProposal(Vector mean, Matrix factor, double share_of_t = 0.6)
      : mean_(std::move(mean)), factor_(std::move(factor)), share_of_t_(share_of_t) {}

  // Log of q(moved -> psi)/q(psi -> moved).
  [[nodiscard]] double draw(const Vector& psi, Stream& stream, Vector& moved) const;

 private:
  [[nodiscard]] double log_t(const Vector& psi) const;

  Vector mean_;
  Matrix factor_;
  double share_of_t_;
};

// Steps of a random walk of a log density, one coordinate after the other; mean acceptance.
template <class LogDensity>
double walk(Vector& at, double spread, const LogDensity& log_density, Stream& stream) {
  constexpr int kSteps = 5;
  double now = log_density(at);
  double accepted = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    for (Index j = 0; j < at.size(); ++j) {
      Vector tried = at;
      tried[j] += spread * stream.normal() * std::exp(0.5 * stream.normal());
      const double then = log_density(tried);
      const double probability = accept_prob(then - now);
      accepted += probability;
      if (stream.uniform() < probability) {
        at = tried;
        now = then;
      }
    }
  }
  return accepted / static_cast<double>(kSteps * at.size());
}

// psi of levels given u, of so many of them with sum u u' = `squares`.
double walk_scales(const GroupScales& scales, const Matrix& squares, double levels, Vector& psi,
                   Stream& stream);

}  // namespace flymc
