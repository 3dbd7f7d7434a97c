// Tangents below the log likelihoods, phi(a) + phi'(a) u - 1/2 u' A u with u = predictor - a: where
// each touches, how it bends, and where it holds.
//
// A bound is any positive function below the likelihood; it need not be continuous. So tangents are
// fitted to nested regions |theta - theta_hat|_H <= R_s, the shells: inside shell s datum n moves
// by |u| <= r_n R_s only, and its curvature is the least that holds there. All shells share
// touching point, slope and slack; only the curvatures differ. Beyond the last radius the global
// tangent holds, or for a model that has none B_n = L_n e^-slack: legal, exact, a full pass on a
// rare visit.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/family/tangent.hpp"

namespace flymc {

enum class BoundKind { kLocal, kMapTuned, kUntuned };

// What bounds a datum beyond the last radius.
enum class Beyond { kGlobalTangent, kLikelihood };

// Shells are numbered from the innermost, 0; the last one is all that lies beyond the radii.
struct Shells {
  std::vector<double> radii;  // ascending, in the posterior norm; none: one tangent for every theta
  std::vector<double> shared_radii{};  // of what all data share (PredictorRegion); none: as radii
  Beyond beyond = Beyond::kGlobalTangent;

  [[nodiscard]] int outermost() const noexcept { return static_cast<int>(radii.size()); }
  // `shared`: the largest |w_k| of what all data share.
  [[nodiscard]] int of(double norm, double shared = 0.0) const noexcept {
    std::size_t shell = 0;
    while (shell < radii.size() &&
           (norm > radii[shell] || (!shared_radii.empty() && shared > shared_radii[shell]))) {
      ++shell;
    }
    return static_cast<int>(shell);
  }
  [[nodiscard]] double radius(int shell) const noexcept {
    return shell < outermost() ? radii[static_cast<std::size_t>(shell)]
                               : std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] double shared_radius(int shell) const noexcept {
    return shared_radii.empty() || shell >= outermost()
               ? radius(shell)
               : shared_radii[static_cast<std::size_t>(shell)];
  }
  // There the likelihood is its own bound, and no tangent is asked for.
  [[nodiscard]] bool is_exact(int shell) const noexcept {
    return beyond == Beyond::kLikelihood && shell == outermost();
  }
  [[nodiscard]] int tangent_count() const noexcept {
    return outermost() + (beyond == Beyond::kGlobalTangent ? 1 : 0);
  }
};

// What decides how a datum's tangent bends.
struct Touch {
  const double* point;     // the predictors at which it touches
  const double* leverage;  // how they move in a posterior standard deviation; null: global bounds
  double response;
};

// What is kept of every row: 16 bytes for one predictor.
struct TouchRows {
  std::size_t first = 0;    // row held here
  Buffer<double> points;    // rows held here x predictors
  Buffer<double> leverage;  // rows held here x pairs (see leverage.hpp); empty for global bounds
};

// Immutable once made. The rows are shared by all copies.
struct Tangents {
  BoundKind kind = BoundKind::kMapTuned;
  int predictors = 1;
  CurvatureForm form = CurvatureForm::kSymmetric;
  int pairs = 1;                               // numbers that describe one curvature
  std::vector<double> units{1.0};              // of the predictors, see predictor_units
  std::array<bool, kMostPredictors> shared{};  // which are the same for all data
  Vector theta_hat;                            // the anchor: delta = theta - theta_hat
  Shells shells;
  std::shared_ptr<const TouchRows> rows;

  // REQUIRES of all below: a row held here; of others see remote_rows.hpp.
  [[nodiscard]] const double* touch_point(std::size_t n) const noexcept {
    return rows->points.data() + (n - rows->first) * static_cast<std::size_t>(predictors);
  }
  // Null for global bounds.
  [[nodiscard]] const double* leverage(std::size_t n) const noexcept {
    return rows->leverage.empty()
               ? nullptr
               : rows->leverage.data() + (n - rows->first) * static_cast<std::size_t>(pairs);
  }
  [[nodiscard]] Touch touch(std::size_t n, double response) const noexcept {
    return {touch_point(n), leverage(n), response};
  }
  // The leverage is a covariance, not standard deviations.
  [[nodiscard]] bool has_covariances() const noexcept {
    return form == CurvatureForm::kSymmetric && predictors > 1;
  }
  // The most that any predictor (or difference of two) moves in a posterior standard deviation, in
  // units of the likelihood: what is compared with walls, steps and parabolas.
  [[nodiscard]] double reach_of(const double* row_leverage) const noexcept;
  // E u'A u of a curvature under the Laplace approximation.
  [[nodiscard]] double expected_bend(const double* curvature,
                                     const double* row_leverage) const noexcept;
  [[nodiscard]] double reach(std::size_t n) const noexcept { return reach_of(leverage(n)); }
};

// A tangent of a model without a global bound may grow without limit. Bending more than this over
// its reach it would cost the collapsed sums their digits: a log density is then right to 1e-8.
inline constexpr double kSteepest = 1e8;

namespace detail {

// Of a local bound, where predictors move as far as this shell lets them; `any` as in
// PredictorRegion.
template <BoundedLikelihood M>
[[nodiscard]] bool region_curvature(const M& model, const Tangents& tangents, const Touch& touch,
                                    int shell, double* scratch, double* out,
                                    bool any = false) noexcept {
  const double radius = tangents.shells.radius(shell);
  bool holds = true;
  if constexpr (BoundedMatrix<M>) {
    const double variance = *touch.leverage * *touch.leverage;
    const double* const covariance = tangents.has_covariances() ? touch.leverage : &variance;
    holds = model.local_curvature(
        touch.point, touch.response,
        {covariance, radius, tangents.shared.data(), tangents.shells.shared_radius(shell), any},
        out);
    for (int k = 0, p = 0; k < tangents.predictors; p += ++k + 1) {
      holds = holds && out[p] * radius * radius * covariance[p] <= kSteepest;
    }
  } else {
    for (int p = 0; p < tangents.pairs; ++p) {
      scratch[p] = radius * touch.leverage[p];
    }
    local_curvature(model, touch.point, touch.response, scratch, out);
    for (int p = 0; p < tangents.pairs; ++p) {
      const double reach = tangents.shells.beyond == Beyond::kGlobalTangent ? 0.0 : scratch[p];
      holds = holds && std::isfinite(out[p]) && out[p] * reach * reach <= kSteepest;
    }
  }
  return holds;
}

}  // namespace detail

// The curvature of a datum's tangent in a shell; REQUIRES: !shells.is_exact(shell). `scratch` holds
// a number per pair. Where none is found in its region, that of the next wider one will do. False
// where no number is large enough in any, or only one that is too large (a Poisson mean that could
// grow e^18-fold): then it is zero, and the datum has to be a beacon.
template <BoundedLikelihood M>
bool shell_curvature(const M& model, const Tangents& tangents, const Touch& touch, int shell,
                     double* scratch, double* out) noexcept {
  if (tangents.kind != BoundKind::kLocal) {
    if constexpr (kHasGlobalBound<M>) {
      global_curvature(model, touch.point, touch.response, out);
    }
    return true;
  }
  for (int s = shell; s < tangents.shells.tangent_count(); ++s) {
    if (detail::region_curvature(model, tangents, touch, s, scratch, out)) {
      return true;
    }
  }
  std::fill_n(out, tangents.pairs, 0.0);
  return false;
}

// Whether a datum has a tangent in every shell: where it has one in the widest, whose region holds
// all others, tight or not. `scratch` and `out` as above, and `out` is zero where there is none.
template <BoundedLikelihood M>
[[nodiscard]] bool has_tangents(const M& model, const Tangents& tangents, const Touch& touch,
                                double* scratch, double* out) noexcept {
  if (kHasGlobalBound<M> || tangents.kind != BoundKind::kLocal) {
    return true;
  }
  const int widest = tangents.shells.tangent_count() - 1;
  return detail::region_curvature(model, tangents, touch, widest, scratch, out, true) ||
         shell_curvature(model, tangents, touch, widest, scratch, out);
}

}  // namespace flymc
