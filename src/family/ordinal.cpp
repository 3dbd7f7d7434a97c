#include "family/ordinal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "flymc/detail/core/numeric.hpp"

namespace flymc {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// Of a symmetric matrix by the rows of its lower triangle.
double& entry(double* matrix, std::size_t i, std::size_t j) noexcept {
  return matrix[std::max(i, j) * (std::max(i, j) + 1) / 2 + std::min(i, j)];
}
double entry(const double* matrix, std::size_t i, std::size_t j) noexcept {
  return matrix[std::max(i, j) * (std::max(i, j) + 1) / 2 + std::min(i, j)];
}

// How far b'w can be for |w_k| <= 1, in units of its length: |b|_1 / |b|_2, where the difference of
// two shared predictors is b'w in coordinates that are whitened among all of these, in their order.
double most_of_difference(const PredictorRegion& region, std::size_t plus,
                          std::size_t minus) noexcept {
  std::array<std::array<double, kMostPredictors>, kMostPredictors> root;
  std::array<std::size_t, kMostPredictors> shared;
  std::size_t count = 0;
  std::size_t at_minus = 0;
  for (std::size_t k = 0; k <= plus; ++k) {
    if (!region.shared[k]) {
      continue;
    }
    at_minus = k == minus ? count : at_minus;
    shared[count] = k;
    for (std::size_t j = 0; j <= count; ++j) {
      double rest = entry(region.covariance, k, shared[j]);
      for (std::size_t i = 0; i < j; ++i) {
        rest -= root[count][i] * root[j][i];
      }
      root[count][j] = j < count ? rest / root[j][j] : std::sqrt(rest);
    }
    ++count;
  }
  double sum = 0.0;
  double squares = 0.0;
  for (std::size_t j = 0; j < count; ++j) {
    const double b = root[count - 1][j] - (j <= at_minus ? root[at_minus][j] : 0.0);
    sum += std::abs(b);
    squares += b * b;
  }
  const double most = sum / std::sqrt(squares);
  // Of a covariance that rounding made singular the most that any b can have.
  return std::isfinite(most) ? most : std::sqrt(static_cast<double>(count));
}

// Raised against rounding, as a larger region is always safe.
constexpr double kRaised = 1.0 + 1e-6;

}  // namespace

Ordinal::Seen Ordinal::seen_by(double response) const noexcept {
  const auto k = static_cast<std::size_t>(response);
  const std::size_t last = classes_ - 1;
  if (k == 0) {
    return {{{{1, 0}, {1, 0}}}, 1};
  }
  if (k == last) {
    return {{{{0, last}, {0, last}}}, 1};
  }
  return {{{{k + 1, 0}, {k + 1, k}}}, 2};
}

bool Ordinal::is_possible(const double* eta) const noexcept {
  for (std::size_t k = 2; k < classes_; ++k) {
    if (!(eta[k] > eta[k - 1])) {
      return false;
    }
  }
  return true;
}

void Ordinal::pull_back(const Seen& seen, const std::array<double, 2>& slopes,
                        double* out) const noexcept {
  std::fill_n(out, classes_, 0.0);
  for (std::size_t i = 0; i < seen.count; ++i) {
    out[seen.rows[i].plus] += slopes[i];
    out[seen.rows[i].minus] -= slopes[i];
  }
}

void Ordinal::pull_back(const Seen& seen, const std::array<double, 3>& curvature,
                        double* out) const noexcept {
  std::fill_n(out, classes_ * (classes_ + 1) / 2, 0.0);
  for (std::size_t i = 0; i < seen.count; ++i) {
    for (std::size_t j = 0; j < seen.count; ++j) {
      const double w = entry(curvature.data(), i, j);
      const auto [p, q] = seen.rows[i];
      const auto [r, s] = seen.rows[j];
      const auto add = [&](std::size_t a, std::size_t b, double value) {
        if (a >= b) {  // the other half is the same
          entry(out, a, b) += value;
        }
      };
      add(p, r, w);
      add(p, s, -w);
      add(q, r, -w);
      add(q, s, w);
    }
  }
}

double Ordinal::log_likelihood(const double* eta, double response, double* slopes) const noexcept {
  const Seen seen = seen_by(response);
  const std::array<double, 2> e = seen.of(eta);
  std::array<double, 2> slope{};
  double value = kImpossible;
  if (!seen.is_inner()) {
    value = Logistic{}.log_likelihood(e[0], 1.0, slope[0]);
  } else if (seen.has_width(eta)) {
    value = inner_.log_likelihood(e.data(), 0.0, slopes != nullptr ? slope.data() : nullptr);
  } else {
    slope.fill(kNoNumber);
  }
  if (slopes != nullptr) {
    pull_back(seen, slope, slopes);
  }
  return value;
}

void Ordinal::information(const double* eta, double response, double* out) const noexcept {
  const Seen seen = seen_by(response);
  const std::array<double, 2> e = seen.of(eta);
  std::array<double, 3> information{};
  if (!seen.is_inner()) {
    information[0] = Logistic{}.information(e[0], 1.0);
  } else if (seen.has_width(eta)) {
    inner_.information(e.data(), 0.0, information.data());
  }
  pull_back(seen, information, out);
}

bool Ordinal::local_curvature(const double* anchor, double response, const PredictorRegion& region,
                              double* out) const noexcept {
  const Seen seen = seen_by(response);
  const std::array<double, 2> e = seen.of(anchor);
  // B V B', the covariance of e.
  std::array<double, 3> covariance{};
  for (std::size_t i = 0; i < seen.count; ++i) {
    const auto [p, q] = seen.rows[i];
    for (std::size_t j = 0; j <= i; ++j) {
      const auto [r, s] = seen.rows[j];
      const double* const v = region.covariance;
      entry(covariance.data(), i, j) =
          entry(v, p, r) - entry(v, p, s) - entry(v, q, r) + entry(v, q, s);
    }
    // What differences lose to rounding.
    constexpr double kLost = 1e-12;
    double& variance = entry(covariance.data(), i, i);
    variance = std::max(variance, 0.0) +
               kLost * (entry(region.covariance, p, p) + entry(region.covariance, q, q));
  }
  std::array<double, 3> curvature{};
  bool holds = true;
  if (!seen.is_inner()) {
    curvature[0] =
        Logistic{}.local_curvature(e[0], 1.0, kRaised * region.radius * std::sqrt(covariance[0]));
  } else {
    const auto [upper, lower] = seen.rows[1];
    const bool shared = region.shared[upper] && region.shared[lower];
    const std::array<bool, 2> which{false, shared};
    holds = seen.has_width(anchor) &&
            inner_.local_curvature(
                e.data(), 0.0,
                {covariance.data(), region.radius, which.data(),
                 shared ? region.shared_radius * kRaised * most_of_difference(region, upper, lower)
                        : region.shared_radius},
                curvature.data());
  }
  pull_back(seen, curvature, out);
  return holds;
}

double Ordinal::remainder(const double* anchor, const double* u, double response,
                          double* slopes) const noexcept {
  const Seen seen = seen_by(response);
  const std::array<double, 2> e = seen.of(anchor);
  const std::array<double, 2> moved{seen.rows[0].of(u), seen.is_inner() ? seen.rows[1].of(u) : 0.0};
  std::array<double, 2> slope{kNoNumber, kNoNumber};
  double rest = kImpossible;
  if (!seen.is_inner()) {
    rest = Logistic{}.remainder(e[0], moved[0], 1.0, slope[0]);
  } else if (e[1] > 0.0 && e[1] + moved[1] > 0.0) {
    rest = inner_.remainder(e.data(), moved.data(), 0.0, slope.data());
  }
  pull_back(seen, slope, slopes);
  return rest;
}

// The share between cut points a < b, with s(x) = 1 / (1 + e^-x), is
//   s(b - eta) - s(a - eta) = s(b - eta) s(eta - a) (1 - e^(a - b)),
// which loses no digits where both are near one. None is left between cut points that crossed.
void Ordinal::mean(double* eta) const noexcept {
  std::array<double, kMostPredictors> shares;
  double above = 1.0;  // s(eta - a), of no cut point 1
  for (std::size_t k = 0; k + 1 < classes_; ++k) {
    const double b = eta[k + 1];
    const double width = k == 0 ? 1.0 : std::max(0.0, -std::expm1(eta[k] - b));
    shares[k] = sigmoid(b - eta[0]) * above * width;
    above = sigmoid(eta[0] - b);
  }
  shares[classes_ - 1] = above;
  std::copy_n(shares.begin(), classes_, eta);
}

void Ordinal::means(DrawsView eta) const noexcept {
  std::array<double, kMostPredictors> one;
  for (Index s = 0; s < eta.rows(); ++s) {
    for (std::size_t k = 0; k < classes_; ++k) {
      one[k] = eta(s, static_cast<Index>(k));
    }
    mean(one.data());
    for (std::size_t k = 0; k < classes_; ++k) {
      eta(s, static_cast<Index>(k)) = one[k];
    }
  }
}

double Ordinal::sample(Stream& stream, double* eta, const Sampling& how) const noexcept {
  if (how.certain) {
    mean(eta);
    return static_cast<double>(std::max_element(eta, eta + classes_) - eta);
  }
  const double share = stream.uniform();
  std::size_t k = 0;
  while (k + 1 < classes_ && share > sigmoid(eta[k + 1] - eta[0])) {
    ++k;
  }
  return static_cast<double>(k);
}

}  // namespace flymc
