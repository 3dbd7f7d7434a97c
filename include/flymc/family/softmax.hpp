// Softmax regression with K >= 2 classes: phi(eta) = eta_t - log sum_j e^eta_j, response t in
// 0..K-1.
//
// Bound (Boehning): the Hessian of log-sum-exp is below (I - 11'/K)/2 everywhere; as a graph
// Laplacian every pair has the weight 1/(2K). The label drops out of the gap.
// Local bound for |u_j - u_k| <= U_jk, with p = softmax(a), pair by pair the two-class bound times
// the most that the pair can weigh in the region (docs/method/families.md, Softmax):
//   c_jk = (p_j + p_k) m_jk k_logistic(a_j - a_k; U_jk),  m_jk = (p_j + p_k) / (p_j + p_k + rest
//   e^-s),
// rest = 1 - p_j - p_k, s = max over l of U_jl, U_kl. Without limits it is LM(p_j, p_k) / 2, the
// logarithmic mean: valid for every u, far below Boehning's where p is confident.
#pragma once

#include <algorithm>
#include <cmath>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/error.hpp"
#include "flymc/family/family.hpp"
#include "flymc/family/likelihood.hpp"
#include "flymc/family/logistic.hpp"

namespace flymc {

class Softmax {
 public:
  static constexpr bool kLogConcave = true;
  static constexpr CurvatureForm kCurvature = CurvatureForm::kLaplacian;
  static constexpr double kUntunedXi = 1.5;

  explicit Softmax(int classes) : classes_(classes) {
    if (classes < 2) {
      throw Error(ErrorKind::kUsage, "softmax: needs at least two classes.");
    }
  }
  [[nodiscard]] int predictors() const noexcept { return classes_; }

  [[nodiscard]] double log_likelihood(const double* eta, double response,
                                      double* slopes) const noexcept {
    const double largest = *std::max_element(eta, eta + classes_);
    double sum = 0.0;
    for (int j = 0; j < classes_; ++j) {
      sum += std::exp(eta[j] - largest);
    }
    const double log_sum = largest + std::log(sum);
    const int label = static_cast<int>(response);
    if (slopes != nullptr) {
      for (int j = 0; j < classes_; ++j) {
        slopes[j] = (j == label ? 1.0 : 0.0) - std::exp(eta[j] - log_sum);
      }
    }
    return eta[label] - log_sum;
  }

  // Pair weights p_j p_k.
  void information(const double* eta, double /*response*/, double* weights) const noexcept {
    const double largest = *std::max_element(eta, eta + classes_);
    double sum = 0.0;
    for (int j = 0; j < classes_; ++j) {
      sum += std::exp(eta[j] - largest);
    }
    for (int k = 1; k < classes_; ++k) {
      for (int j = 0; j < k; ++j) {
        *weights++ = std::exp(eta[j] - largest) / sum * (std::exp(eta[k] - largest) / sum);
      }
    }
  }

  [[nodiscard]] double curvature() const noexcept { return with_margin(0.5 / classes_); }
  void local_curvature(const double* anchor, const double* radii, double* weights) const noexcept {
    const double top = *std::max_element(anchor, anchor + classes_);
    double sum = 0.0;
    for (int j = 0; j < classes_; ++j) {
      sum += std::exp(anchor[j] - top);
    }
    for (int k = 1, pair = 0; k < classes_; ++k) {
      for (int j = 0; j < k; ++j, ++pair) {
        const double both = (std::exp(anchor[j] - top) + std::exp(anchor[k] - top)) / sum;
        const Rivals rivals = rivals_of(j, k, anchor, radii, top);
        const double others = rivals.mass / sum * std::exp(-rivals.reach);
        const double largest = others > 0.0 ? both / (both + others) : 1.0;  // never 0 / 0
        weights[pair] =
            both * largest * Logistic{}.local_curvature(anchor[j] - anchor[k], 1.0, radii[pair]);
      }
    }
  }
  void untuned_anchor(double response, double xi, double* anchor) const noexcept {
    std::fill(anchor, anchor + classes_, 0.0);
    anchor[static_cast<int>(response)] = xi;
  }

  // phi(a+u) - phi(a) - phi'(a).u = -F(u); slopes (length K) receive its derivative p(a) - p(a+u).
  // With p = softmax(a), d_j = u_j - p.u: F = log1p(sum_j p_j em(d_j)), every term >= 0.
  [[nodiscard]] double remainder(const double* anchor, const double* u,
                                 double* slopes) const noexcept {
    const double top = *std::max_element(anchor, anchor + classes_);
    double sum = 0.0;
    double mean = 0.0;
    for (int j = 0; j < classes_; ++j) {
      slopes[j] = std::exp(anchor[j] - top);  // slopes hold p_j until the end
      sum += slopes[j];
    }
    double span = 0.0;
    for (int j = 0; j < classes_; ++j) {
      slopes[j] /= sum;
      mean += slopes[j] * (u[j] - u[0]);
      span = std::max(span, std::abs(u[j] - u[0]));
    }
    mean += u[0];  // p.u, taken about u_0 so that a common shift of all classes is harmless
    constexpr double kDirect = 30.0;
    return span <= kDirect ? remainder_near(u, mean, slopes)
                           : remainder_far(anchor, u, mean, slopes);
  }

  static constexpr const char* kWord = "softmax";
  static constexpr ResponseKind kResponse = ResponseKind::kClasses;
  static constexpr const char* kLink = "softmax";
  static constexpr bool kInformationWithinSlope = true;

  // Predictors become probabilities.
  void mean(double* eta) const noexcept {
    const double sum = exponentiate(eta);
    for (int k = 0; k < classes_; ++k) {
      eta[k] /= sum;
    }
  }
  void means(DrawsView eta) const {
    Eigen::ArrayXd top = eta.col(0);
    for (Index k = 1; k < eta.cols(); ++k) {
      top = top.max(eta.col(k));
    }
    Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(eta.rows());
    for (Index k = 0; k < eta.cols(); ++k) {
      eta.col(k) = (eta.col(k) - top).exp();
      sum += eta.col(k);
    }
    sum = sum.inverse();
    for (Index k = 0; k < eta.cols(); ++k) {
      eta.col(k) *= sum;
    }
  }
  // A shift of all classes changes nothing: no prior that is flat will do, whatever the data.
  [[nodiscard]] static OpenSide open_side(double /*response*/) noexcept {
    return OpenSide::kNeither;
  }
  // Overwrites eta.
  [[nodiscard]] double sample(Stream& stream, double* eta, const Sampling& how) const noexcept {
    if (how.certain) {
      return static_cast<double>(std::max_element(eta, eta + classes_) - eta);
    }
    double left = exponentiate(eta);
    left *= stream.uniform();
    int k = 0;
    while (k + 1 < classes_ && left >= eta[k]) {
      left -= eta[k];
      ++k;
    }
    return static_cast<double>(k);
  }

 private:
  // eta_k becomes e^(eta_k - top); returns their sum.
  [[nodiscard]] double exponentiate(double* eta) const noexcept {
    const double top = *std::max_element(eta, eta + classes_);
    double sum = 0.0;
    for (int k = 0; k < classes_; ++k) {
      eta[k] = std::exp(eta[k] - top);
      sum += eta[k];
    }
    return sum;
  }

  // The classes other than j and k: e^(a_l - top) summed, and how far j or k can gain on one.
  struct Rivals {
    double mass = 0.0;
    double reach = 0.0;
  };
  [[nodiscard]] static int pair_index(int j, int k) noexcept {
    return j < k ? k * (k - 1) / 2 + j : j * (j - 1) / 2 + k;
  }
  [[nodiscard]] Rivals rivals_of(int j, int k, const double* anchor, const double* radii,
                                 double top) const noexcept {
    Rivals rivals;
    for (int l = 0; l < classes_; ++l) {
      if (l != j && l != k) {
        rivals.mass += std::exp(anchor[l] - top);
        rivals.reach = std::max({rivals.reach, radii[pair_index(j, l)], radii[pair_index(k, l)]});
      }
    }
    return rivals;
  }

  // p_j (1 - e^{d_j} / (1 + S)), S = sum p em(d): the difference of softmaxes without cancellation.
  [[nodiscard]] double remainder_near(const double* u, double mean, double* slopes) const noexcept {
    double excess = 0.0;
    for (int j = 0; j < classes_; ++j) {
      excess += slopes[j] * expm1_minus_x(u[j] - mean);
    }
    for (int j = 0; j < classes_; ++j) {
      slopes[j] *= (excess - std::expm1(u[j] - mean)) / (1.0 + excess);
    }
    return -std::log1p(excess);
  }

  [[nodiscard]] double remainder_far(const double* anchor, const double* u, double mean,
                                     double* slopes) const noexcept {
    double top = anchor[0] + u[0];
    double base = anchor[0];
    for (int j = 1; j < classes_; ++j) {
      top = std::max(top, anchor[j] + u[j]);
      base = std::max(base, anchor[j]);
    }
    double sum = 0.0;
    double base_sum = 0.0;
    for (int j = 0; j < classes_; ++j) {
      sum += std::exp(anchor[j] + u[j] - top);
      base_sum += std::exp(anchor[j] - base);
    }
    for (int j = 0; j < classes_; ++j) {
      slopes[j] -= std::exp(anchor[j] + u[j] - top) / sum;
    }
    return -std::max(0.0, top + std::log(sum) - base - std::log(base_sum) - mean);
  }

  int classes_;
};

static_assert(BoundedVector<Softmax>);

}  // namespace flymc
