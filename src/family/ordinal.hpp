// Ordered classes 0 .. K-1, cumulative logit (proportional odds): P(y < k) = 1 / (1 + e^(mu - c_k))
// with cut points c_1 < .. < c_{K-1}, and no other density than 0 where they are not in that order.
//
// Predictors eta = (mu, c_1, .., c_{K-1}). A class sees one or two differences e = B eta of them,
//     first   a = c_1 - mu        log sigmoid(a)
//     last    a = mu - c_{K-1}    log sigmoid(a)
//     other   a = c_{k+1} - mu,   log sigmoid(a) + log sigmoid(d - a) + log(1 - e^-d),
//             d = c_{k+1} - c_k
// each concave in e, and so in eta. Every tangent of e is one of eta, with curvature B'W B, and
// where eta may go says where e may: docs/method/families.md, Ordinal.
#pragma once

#include <array>
#include <cstddef>

#include "flymc/family/automatic.hpp"
#include "flymc/family/family.hpp"
#include "flymc/family/logistic.hpp"

namespace flymc {

// Of a class between two cut points: the upper one less mu, and the width.
struct InnerClassDensity {
  static constexpr int kPredictors = 2;
  static constexpr bool kLogConcave = true;
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& e, double /*y*/) const {
    return log_sigmoid(e[0]) + log_sigmoid(e[1] - e[0]) + log1mexp(e[1]);
  }
};

class Ordinal {
 public:
  static constexpr CurvatureForm kCurvature = CurvatureForm::kSymmetric;
  static constexpr bool kLogConcave = true;
  static constexpr const char* kWord = "ordinal";
  static constexpr ResponseKind kResponse = ResponseKind::kOrdered;
  static constexpr const char* kLink = "logit";

  // REQUIRES: two classes at least, kMostPredictors at most.
  explicit Ordinal(int classes) : classes_(static_cast<std::size_t>(classes)) {}

  [[nodiscard]] int predictors() const noexcept { return static_cast<int>(classes_); }
  // Whether the cut points are in order.
  [[nodiscard]] bool is_possible(const double* eta) const noexcept;

  // Minus infinity, with slopes that are no numbers, where a class has no width.
  [[nodiscard]] double log_likelihood(const double* eta, double response,
                                      double* slopes) const noexcept;
  void information(const double* eta, double response, double* out) const noexcept;
  [[nodiscard]] bool local_curvature(const double* anchor, double response,
                                     const PredictorRegion& region, double* out) const noexcept;
  [[nodiscard]] double remainder(const double* anchor, const double* u, double response,
                                 double* slopes) const noexcept;

  [[nodiscard]] static OpenSide open_side(double /*response*/) noexcept {
    return OpenSide::kNeither;
  }
  // Predictors become probabilities, in place.
  void mean(double* eta) const noexcept;
  void means(DrawsView eta) const noexcept;
  [[nodiscard]] double sample(Stream& stream, double* eta, const Sampling& how) const noexcept;

 private:
  // A row of B: one predictor less another.
  struct Difference {
    std::size_t plus;
    std::size_t minus;

    [[nodiscard]] double of(const double* eta) const noexcept { return eta[plus] - eta[minus]; }
  };
  // What a class sees.
  struct Seen {
    std::array<Difference, 2> rows;
    std::size_t count;  // of differences; one at the ends

    [[nodiscard]] bool is_inner() const noexcept { return count == 2; }
    [[nodiscard]] std::array<double, 2> of(const double* eta) const noexcept {
      return {rows[0].of(eta), is_inner() ? rows[1].of(eta) : 1.0};
    }
    [[nodiscard]] bool has_width(const double* eta) const noexcept { return of(eta)[1] > 0.0; }
  };
  [[nodiscard]] Seen seen_by(double response) const noexcept;
  void pull_back(const Seen& seen, const std::array<double, 2>& slopes, double* out) const noexcept;
  void pull_back(const Seen& seen, const std::array<double, 3>& curvature,
                 double* out) const noexcept;

  std::size_t classes_;
  Automatic<InnerClassDensity> inner_;
};

static_assert(BoundedMatrix<Ordinal>);

}  // namespace flymc
