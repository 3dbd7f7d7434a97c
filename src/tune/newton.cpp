#include "flymc/detail/tune/newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/message.hpp"
#include "flymc/error.hpp"

namespace flymc {

bool solve_scaled(const Matrix& precision, const Vector& gradient, Vector& step) {
  if (!(precision.diagonal().minCoeff() > 0.0)) {
    return false;
  }
  const Vector scale = precision.diagonal().cwiseSqrt().cwiseInverse();
  const Matrix scaled = scale.asDiagonal() * precision * scale.asDiagonal();
  const Eigen::LLT<Matrix> cholesky(scaled);
  constexpr double kSingular = 1e-14;
  if (cholesky.info() != Eigen::Success || !(cholesky.rcond() > kSingular)) {
    return false;
  }
  step = scale.asDiagonal() * cholesky.solve(scale.asDiagonal() * gradient);
  return step.allFinite();
}

Error singular_error(const Prior& prior) {
  if (prior.has_flat()) {
    return {ErrorKind::kData,
            "the columns are linearly dependent and the prior is flat: the posterior is not "
            "proper",
            "drop columns or use a proper prior."};
  }
  return {ErrorKind::kData,
          "the posterior is too narrow in some direction and too wide in another for double "
          "precision",
          message("rescale the columns, drop dependent ones, or change {}.", Setting{"prior"})};
}

namespace {

// The log posterior around theta: value, gradient and precision of likelihood plus smoothed prior.
struct Expansion {
  double value = 0.0;
  Vector gradient;
  Matrix precision;
};

class Search {
 public:
  Search(const Prior& prior, const LikelihoodPass& pass, const NewtonOptions& options)
      : prior_(prior),
        pass_(pass),
        options_(options),
        curvature_(options.log_concave ? Curvature::kInformation : Curvature::kMajoriser) {}

  NewtonResult run(Vector theta) {
    Expansion here = expand(theta);
    Vector step;
    int extra = options_.extra_steps;
    int patience = 8;
    while (!converged(solve(here, theta, step)) || extra-- > 0) {
      if (anchor_.passes >= options_.max_passes) {
        throw Error(ErrorKind::kData, "the search for the posterior mode does not end",
                    message("use a tighter {}.", Setting{"prior"}));
      }
      // Near the mode convergence is quadratic from here. Far from it a majoriser may be so much
      // larger than the Hessian (terms of rows that cancel in the sum) that it would never end: the
      // Hessian is tried ever more rarely.
      const bool tries = anchor_.decrement < 1.0 || anchor_.passes > patience;
      if (tries && curvature_ == Curvature::kMajoriser && !indefinite_) {
        patience = 2 * anchor_.passes;
        curvature_ = Curvature::kInformation;
        here = expand(theta);
      } else {
        here = climb(here, theta, step);
      }
    }
    anchor_.theta = theta + step;
    anchor_.precision = std::move(here.precision);
    anchor_.majorised = indefinite_;
    return {std::move(anchor_), std::move(step), here.value};
  }

  enum class Move { kStay, kStep };
  Anchor once(const Vector& theta, Move move) {
    curvature_ = Curvature::kInformation;
    return finish(expand(theta), theta, move);
  }

  Anchor chord(const Anchor& near) {
    curvature_ = Curvature::kNone;
    smoothing_ = smoothing(near.precision.diagonal());
    Expansion here = expand(near.theta);
    here.precision = near.precision;
    Anchor anchor = finish(std::move(here), near.theta, Move::kStep);
    anchor.majorised = near.majorised;
    return anchor;
  }

 private:
  Anchor finish(Expansion here, const Vector& theta, Move move) {
    Vector step;
    anchor_.decrement = solve(here, theta, step);
    anchor_.theta = move == Move::kStep ? Vector(theta + step) : theta;
    anchor_.precision = std::move(here.precision);
    anchor_.majorised = indefinite_;
    return std::move(anchor_);
  }

  Expansion expand(const Vector& theta) {
    PassSums sums = pass_(theta, curvature_);
    ++anchor_.passes;
    anchor_.queries += sums.queries;
    Expansion result{sums.value, sums.gradient.col(0),
                     curvature_ == Curvature::kNone
                         ? Matrix(Matrix::Zero(theta.size(), theta.size()))
                         : std::move(sums.precision)};
    if (smoothing_.size() == 0) {  // fixed at the first pass: the climb needs one objective
      smoothing_ = smoothing(result.precision.diagonal());
    }
    Vector diagonal = Vector::Zero(theta.size());
    result.value += prior_.smooth_log_density(theta, smoothing_);
    prior_.add_smooth_derivatives(theta, smoothing_, result.gradient, diagonal);
    result.precision.diagonal() += diagonal;
    return result;
  }

  // 1 / sqrt(h_j), and where the likelihood says little the prior's own scale.
  [[nodiscard]] Vector smoothing(const Vector& likelihood_precision) const {
    Vector result = likelihood_precision.cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    for (Index j = 0; j < result.size(); ++j) {
      const PriorTerm& term = prior_.terms()[static_cast<std::size_t>(j)];
      result[j] = term.kind == PriorKind::kLaplace ? std::min(result[j], term.scale) : result[j];
    }
    return result;
  }

  [[nodiscard]] bool converged(double decrement) noexcept {
    anchor_.decrement = decrement;
    return decrement < options_.tolerance && (curvature_ == Curvature::kInformation || indefinite_);
  }

  // The step, and its length in the posterior norm.
  [[nodiscard]] double solve(Expansion& here, const Vector& theta, Vector& step) {
    indefinite_ = false;
    if (!solve_scaled(here.precision, here.gradient, step)) {
      if (curvature_ == Curvature::kInformation && !options_.log_concave) {
        curvature_ = Curvature::kMajoriser;
        indefinite_ = true;
        here = expand(theta);
      }
      if (!solve_scaled(here.precision, here.gradient, step)) {
        throw singular_error(prior_);
      }
    }
    return std::sqrt(std::max(0.0, here.gradient.dot(step)));
  }

  // Moves theta by the step, halved until the log posterior has not fallen by more than rounding.
  Expansion climb(const Expansion& here, Vector& theta, Vector& step) {
    constexpr int kHalvings = 30;
    const double slack = 1e-10 * (1.0 + std::abs(here.value));
    for (int i = 0; i < kHalvings; ++i) {
      const Vector candidate = theta + step;
      Expansion there = expand(candidate);
      if (there.value >= here.value - slack) {
        theta = candidate;
        return there;
      }
      step *= 0.5;
    }
    throw Error(ErrorKind::kData, "the search for the posterior mode does not climb",
                "rescale the columns.");
  }

  const Prior& prior_;
  const LikelihoodPass& pass_;
  NewtonOptions options_;
  Curvature curvature_;
  bool indefinite_ = false;  // the Hessian was tried at this very theta, to no avail
  Vector smoothing_;
  Anchor anchor_;
};

}  // namespace

NewtonResult newton(const Prior& prior, const LikelihoodPass& pass, Vector start,
                    const NewtonOptions& options) {
  return Search(prior, pass, options).run(std::move(start));
}

Anchor newton_step(const Prior& prior, const LikelihoodPass& pass, const Vector& theta,
                   const NewtonOptions& options) {
  return Search(prior, pass, options).once(theta, Search::Move::kStep);
}

Anchor chord_step(const Prior& prior, const LikelihoodPass& pass, const Anchor& near) {
  return Search(prior, pass, {}).chord(near);
}

Anchor anchor_at(const Prior& prior, const LikelihoodPass& pass, const Vector& theta,
                 const NewtonOptions& options) {
  return Search(prior, pass, options).once(theta, Search::Move::kStay);
}

}  // namespace flymc
