// What FlyMC knows of every datum: its tangent, how much room the posterior leaves it, and the
// collapsed product of all bounds.
//
// A bound is any positive function below the likelihood; it need not be continuous. So tangents are
// fitted to nested regions |theta - theta_hat|_H <= R_s, the shells: inside shell s datum n moves
// by |u| <= r_n R_s only, and its curvature is the least that holds there. All shells share anchor,
// slope and slack; only the curvatures differ. Beyond the last radius the global tangent holds, or
// for a model that has none B_n = L_n e^-slack: legal, exact, a full pass on a rare visit.
// See docs/method/engine.md, Shells.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/family/tangent.hpp"
#include "flymc/detail/posterior/collapsed.hpp"
#include "flymc/detail/posterior/rates.hpp"

namespace flymc {

enum class BoundKind { kLocal, kMapTuned, kUntuned };

// Where tangents touch and how far their data move in one posterior standard deviation. 16 bytes a
// datum for one predictor.
struct Tangents {
  std::size_t first = 0;    // row held here
  Buffer<double> anchor;    // rows held here x predictors
  Buffer<double> leverage;  // rows held here x pairs; empty for global bounds
};

// What a wider shell adds to the innermost one.
struct OuterShell {
  Matrix precision;  // sum_n w_n (k_ns - k_n0) x_n x_n', all parameters
  double expected_bright = 0.0;
};

// What decides how a datum's tangent bends.
struct Touch {
  const double* anchor;
  const double* leverage;  // null for global bounds
  double response;
};

// Immutable once made; shared by all chains.
struct Bounds {
  BoundKind kind = BoundKind::kMapTuned;
  int predictors = 1;
  int pairs = 1;               // numbers that describe one curvature
  bool global_outside = true;  // false: the exact likelihood stands beyond the last radius
  std::shared_ptr<const Tangents> tangents;
  std::vector<double> radii;  // of the shells, ascending, in the posterior norm
  Collapsed light;            // the innermost shell's bounds of all data but beacons
  Collapsed collapsed;        // the same and the parabolas of beacons: the Gaussian part
  double expected_bright = 0.0;
  Rates rates;  // of the weighted z-update; zero for a beacon
  double slack_per_rate = 0.0;
  std::vector<Datum> beacons;         // data that never go dark, by ascending leverage
  std::size_t parabolic_beacons = 0;  // the first of them have their parabola in `collapsed`
  Vector theta_hat;                   // delta is measured from here
  std::uint64_t queries = 0;
  std::function<OuterShell(const Bounds&, int)> make_outer;

  // REQUIRES: a row held here; of others see remote_rows.hpp.
  [[nodiscard]] const double* anchor(std::size_t n) const noexcept {
    return tangents->anchor.data() + (n - tangents->first) * static_cast<std::size_t>(predictors);
  }
  [[nodiscard]] const double* leverage(std::size_t n) const noexcept {
    return tangents->leverage.data() + (n - tangents->first) * static_cast<std::size_t>(pairs);
  }
  [[nodiscard]] Touch touch(std::size_t n, double response) const noexcept {
    return {anchor(n), tangents->leverage.empty() ? nullptr : leverage(n), response};
  }
  // The most that any predictor (or difference of two) moves in a posterior standard deviation.
  [[nodiscard]] double reach(std::size_t n) const noexcept {
    return *std::max_element(leverage(n), leverage(n) + pairs);
  }
  [[nodiscard]] bool is_beacon(Datum n) const noexcept {
    return rates.rows() > 0 && rates.rate(n) == 0.0;
  }
  [[nodiscard]] bool never_dark(double rate) const noexcept {
    return rates.rows() > 0 && rate == 0.0;
  }
  // How much lower than its tangent a datum's bound lies: it keeps log(L/B - 1) off its pole.
  [[nodiscard]] double slack_of(double rate) const noexcept {
    return rates.rows() > 0 ? slack_per_rate * rate : 0.0;
  }
  [[nodiscard]] double slack(Datum n) const noexcept {
    return rates.rows() > 0 ? slack_of(rates.rate(n)) : 0.0;
  }
  [[nodiscard]] int shell_of(double norm) const noexcept {
    std::size_t shell = 0;
    while (shell < radii.size() && norm > radii[shell]) {
      ++shell;
    }
    return static_cast<int>(shell);
  }
  [[nodiscard]] int outermost() const noexcept { return static_cast<int>(radii.size()); }
  [[nodiscard]] bool is_exact(int shell) const noexcept {
    return !global_outside && shell == outermost();
  }
  [[nodiscard]] int tangent_shells() const noexcept {
    return outermost() + (global_outside ? 1 : 0);
  }
};

// A tangent of a model without a global bound may grow without limit. Bending more than this over
// its reach it would cost the collapsed sums their digits: a log density is then right to 1e-8.
inline constexpr double kSteepest = 1e8;

// The curvature of a datum's tangent in a shell; REQUIRES: !bounds.is_exact(shell). `scratch` holds
// bounds.pairs numbers. False where no number is large enough, or only one that is too large (a
// Poisson mean that could grow e^18-fold): then it is zero, and the datum has to be a beacon.
template <BoundedLikelihood M>
bool shell_curvature(const M& model, const Bounds& bounds, const Touch& touch, int shell,
                     double* scratch, double* out) noexcept {
  if (bounds.kind != BoundKind::kLocal) {
    if constexpr (kHasGlobalBound<M>) {
      global_curvature(model, touch.anchor, touch.response, out);
    }
    return true;
  }
  const double radius = shell < bounds.outermost() ? bounds.radii[static_cast<std::size_t>(shell)]
                                                   : std::numeric_limits<double>::infinity();
  for (int p = 0; p < bounds.pairs; ++p) {
    scratch[p] = radius * touch.leverage[p];
  }
  local_curvature(model, touch.anchor, touch.response, scratch, out);
  bool holds = true;
  for (int p = 0; p < bounds.pairs; ++p) {
    const double reach = bounds.global_outside ? 0.0 : scratch[p];
    holds = holds && std::isfinite(out[p]) && out[p] * reach * reach <= kSteepest;
  }
  if (!holds) {
    std::fill_n(out, bounds.pairs, 0.0);
  }
  return holds;
}

}  // namespace flymc
