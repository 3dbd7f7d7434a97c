// Newton's method on the log posterior, in passes over the rows:
//   H d = g,  theta <- theta + d,  until sqrt(d' H d) is below the tolerance.
// Where the likelihood is not log-concave (Student-t) the bound's curvature is used first: an IRLS
// majoriser, uphill from anywhere; Newton takes over near the mode. A step that does not climb is
// halved. Laplace priors are smoothed: |t| -> sqrt(t^2 + e_j^2), e_j = min(1/sqrt(h_j), scale_j),
// h_j the likelihood's curvature at the start.
// See docs/method/engine.md, Set-up.
#pragma once

#include <functional>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/posterior/pass.hpp"
#include "flymc/error.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/posterior/anchor.hpp"

namespace flymc {

enum class Curvature { kNone, kInformation, kMajoriser };

// One pass: log likelihood, gradient and the chosen curvature's Grams, if any, at theta.
using LikelihoodPass = std::function<PassSums(const Vector& theta, Curvature curvature)>;

struct NewtonOptions {
  double tolerance = 0.01;  // of the last step, in the posterior norm
  int max_passes = 200;
  int extra_steps = 0;  // taken after convergence: see separation.hpp
  bool log_concave = true;
};

struct NewtonResult {
  Anchor anchor;
  Vector last_step;
  double log_posterior = 0.0;  // where that step began, up to a constant
};

// Throws Error(kData) where the posterior has no mode to be found (rank-deficient columns under a
// flat prior).
[[nodiscard]] NewtonResult newton(const Prior& prior, const LikelihoodPass& pass, Vector start,
                                  const NewtonOptions& options);

// No search: the precision and the decrement at a theta found otherwise, in one pass (two where the
// Hessian is not positive definite there and the majoriser has to stand in).
[[nodiscard]] Anchor anchor_at(const Prior& prior, const LikelihoodPass& pass, const Vector& theta,
                               const NewtonOptions& options);

// One Newton step from a theta that is already near, in one pass: the precision is that of theta,
// the decrement the length of the step, not what is left.
[[nodiscard]] Anchor newton_step(const Prior& prior, const LikelihoodPass& pass,
                                 const Vector& theta, const NewtonOptions& options);

// One step of the chord method from an anchor that is already near: the gradient of all rows, the
// curvature of whichever rows it was found with. One pass without Grams; the precision stays, the
// decrement is the length of the step, not what is left.
[[nodiscard]] Anchor chord_step(const Prior& prior, const LikelihoodPass& pass, const Anchor& near);

// H d = g with columns scaled to unit diagonal first, so that badly scaled columns do no harm;
// returns false where H is not positive definite to working precision.
[[nodiscard]] bool solve_scaled(const Matrix& precision, const Vector& gradient, Vector& step);
// What to say then.
[[nodiscard]] Error singular_error(const Prior& prior);

}  // namespace flymc
