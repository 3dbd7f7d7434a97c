// The posterior and its bounds written a second time, in the textbook forms of
// docs/method/families.md, from likelihoods and bounds themselves, never from gaps or collapsed
// sums: what the engine is compared with shares no formula with it.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "flymc/posterior/bounds.hpp"
#include "support/exact_glm.hpp"
#include "support/exact_problem.hpp"

namespace flymc::exact {

using Predictors = const double*;

inline double log_likelihood_of(const Logistic& /*model*/, Predictors eta, double response) {
  return -std::log1p(std::exp(-response * *eta));
}

// Jaakkola & Jordan: log sigma(xi) + (y - xi)/2 - tanh(xi/2)/(4 xi) (y^2 - xi^2), y = t eta.
inline double log_bound_of(const Logistic& model, Predictors anchor, Predictors eta,
                           double response) {
  const double xi = std::abs(*anchor);
  const double y = response * *eta;
  const double slope = xi == 0.0 ? 0.125 : std::tanh(0.5 * xi) / (4.0 * xi);
  return log_likelihood_of(model, &xi, 1.0) + 0.5 * (y - xi) - slope * (y * y - xi * xi);
}

inline double log_likelihood_of(const StudentT& model, Predictors eta, double response) {
  const double y = (response - *eta) / model.scale();
  return -0.5 * (model.nu() + 1.0) * std::log(1.0 + y * y / model.nu());
}

// The tangent of log(1 + v/nu) in v = y^2.
inline double log_bound_of(const StudentT& model, Predictors anchor, Predictors eta,
                           double response) {
  const double y = (response - *eta) / model.scale();
  const double y0 = (response - *anchor) / model.scale();
  return log_likelihood_of(model, anchor, response) -
         0.5 * (model.nu() + 1.0) * (y * y - y0 * y0) / (model.nu() + y0 * y0);
}

inline double log_likelihood_of(const Softmax& model, Predictors eta, double response) {
  double sum = 0.0;
  for (int j = 0; j < model.predictors(); ++j) {
    sum += std::exp(eta[j]);
  }
  return eta[static_cast<int>(response)] - std::log(sum);
}

// phi(a) + (e_t - p).u - 1/4 (u.u - (1.u)^2 / K).
inline double log_bound_of(const Softmax& model, Predictors anchor, Predictors eta,
                           double response) {
  double bound = log_likelihood_of(model, anchor, response);
  double total = 0.0;
  for (int j = 0; j < model.predictors(); ++j) {
    const double u = eta[j] - anchor[j];
    const double p = std::exp(log_likelihood_of(model, anchor, j));
    bound += ((j == static_cast<int>(response) ? 1.0 : 0.0) - p) * u - 0.25 * u * u;
    total += u;
  }
  return bound + 0.25 * total * total / model.predictors();
}

inline int predictors_of(const Softmax& model) { return model.predictors(); }
template <class M>
int predictors_of(const M& /*model*/) {
  return 1;
}
template <MatrixLikelihood M>
int predictors_of(const M& model) {
  return model.predictors();
}

inline void untuned_anchor_of(const Softmax& model, double response, double xi, double* anchor) {
  for (int j = 0; j < model.predictors(); ++j) {
    anchor[j] = j == static_cast<int>(response) ? xi : 0.0;
  }
}
inline void untuned_anchor_of(const Logistic& /*model*/, double response, double xi, double* a) {
  *a = response * xi;
}
inline void untuned_anchor_of(const StudentT& model, double response, double xi, double* anchor) {
  *anchor = response - xi * model.scale();
}

template <class M>
class Reference {
 public:
  // The posterior alone, without bounds.
  explicit Reference(const Problem<M>& problem)
      : problem_(problem),
        k_(predictors_of(problem.model)),
        rows_(static_cast<Index>(problem.data.rows()), problem.data.columns()),
        anchors_(rows_.rows(), k_),
        eta_(k_) {
    for (Index n = 0; n < rows_.rows(); ++n) {
      problem.data.copy_row(static_cast<std::size_t>(n), rows_.row(n).data());
    }
  }

  // With the paper's bounds.
  Reference(const Problem<M>& problem, const Vector& theta_hat, BoundKind kind)
      : Reference(problem) {
    for (Index n = 0; n < rows_.rows(); ++n) {
      if (kind == BoundKind::kMapTuned) {
        predict(n, theta_hat);
        anchors_.row(n) = eta_.transpose();
      } else {
        untuned_anchor_of(problem.model, response(n), problem.untuned_xi, anchors_.row(n).data());
      }
    }
  }

  [[nodiscard]] double log_posterior(const Vector& theta) {
    double sum = log_prior(theta);
    for (Index n = 0; n < rows_.rows(); ++n) {
      predict(n, theta);
      sum += weight(n) * log_likelihood_of(problem_.model, eta_.data(), response(n));
    }
    return sum;
  }

  // sum_n (1 - B_n / L_n).
  [[nodiscard]] double expected_bright(const Vector& theta) {
    double sum = 0.0;
    for (Index n = 0; n < rows_.rows(); ++n) {
      predict(n, theta);
      const double log_l = log_likelihood_of(problem_.model, eta_.data(), response(n));
      const double log_b =
          log_bound_of(problem_.model, anchors_.row(n).data(), eta_.data(), response(n));
      sum += 1.0 - std::exp(weight(n) * (log_b - log_l));
    }
    return sum;
  }

  [[nodiscard]] const Problem<M>& problem() const { return problem_; }
  [[nodiscard]] auto row(Index n) const { return rows_.row(n); }
  // Of datum n, until the next call.
  [[nodiscard]] Predictors predictors(Index n, const Vector& theta) {
    predict(n, theta);
    return eta_.data();
  }
  [[nodiscard]] double response(Index n) const {
    return problem_.data.response(static_cast<std::size_t>(n));
  }
  [[nodiscard]] double weight(Index n) const {
    return problem_.data.weight(static_cast<std::size_t>(n));
  }

 private:
  // Where predictors have columns of their own the offset is the first one's.
  void predict(Index n, const Vector& theta) {
    const auto& design = problem_.data.design();
    for (int k = 0; k < k_; ++k) {
      const bool moved = k == 0 || !design.is_chosen();
      eta_[k] = moved ? problem_.data.offset(static_cast<std::size_t>(n)) : 0.0;
      for (Index c = 0; c < design.size(k); ++c) {
        eta_[k] += rows_(n, design.column(k, c)) * theta[design.first(k) + c];
      }
    }
  }

  [[nodiscard]] double log_prior(const Vector& theta) const {
    double sum = 0.0;
    for (Index j = 0; j < theta.size(); ++j) {
      const PriorTerm& term = problem_.prior.terms()[static_cast<std::size_t>(j)];
      const double t = std::abs(theta[j] - term.location) / term.scale;
      sum -= term.kind == PriorKind::kNormal ? 0.5 * t * t : t;
    }
    return sum;
  }

  const Problem<M>& problem_;
  int k_;
  RowMatrix rows_;
  RowMatrix anchors_;
  Vector eta_;
};

}  // namespace flymc::exact
