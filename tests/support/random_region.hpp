// Regions of predictors at random, points of them, and the parabola of a curvature.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "flymc/detail/family/auto/curvature.hpp"
#include "flymc/random.hpp"

namespace flymc::unit {

using smooth::Packed;
using smooth::packed;
using smooth::Region;

// Of [-1, 1], with the ends often.
[[nodiscard]] inline double share_of_region(Stream& stream) {
  return std::min(1.0, std::max(-1.0, 2.6 * stream.uniform() - 1.3));
}

// A region of several predictors that may be correlated, and points of it.
template <int P>
struct RandomRegion {
  Region<P> region;
  std::array<std::array<double, P>, P> root{};  // of the covariance, shared predictors first
  std::array<std::size_t, P> order{};

  RandomRegion(Stream& stream, double scale) {
    std::array<std::array<double, P>, P> a;
    for (auto& row : a) {
      const double size = scale * std::exp(0.7 * stream.normal());
      for (double& entry : row) {
        entry = size * stream.normal();
      }
    }
    for (std::size_t i = 0; i < P; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        for (std::size_t l = 0; l < P; ++l) {
          region.covariance[packed(i, j)] += a[i][l] * a[j][l];
        }
      }
    }
    region.radius = 3.0 + 5.0 * stream.uniform();
    region.shared_radius = 1.0 + 4.0 * stream.uniform();
    std::size_t next = 0;
    for (std::size_t k = 0; k < P; ++k) {
      region.shared[k] = stream.uniform() < 0.4;
    }
    for (const bool shared : {true, false}) {
      for (std::size_t k = 0; k < P; ++k) {
        if (region.shared[k] == shared) {
          order[next++] = k;
        }
      }
    }
    for (std::size_t i = 0; i < P; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const std::size_t k = std::max(order[i], order[j]);
        const std::size_t l = std::min(order[i], order[j]);
        double rest = region.covariance[packed(k, l)];
        for (std::size_t m = 0; m < j; ++m) {
          rest -= root[i][m] * root[j][m];
        }
        root[i][j] = i == j ? std::sqrt(std::max(rest, 0.0)) : rest / root[j][j];
      }
    }
  }

  // |w| <= radius and |w_c| <= shared_radius, on these faces often.
  [[nodiscard]] std::array<double, P> point(Stream& stream) const {
    std::array<double, P> w;
    double norm = 0.0;
    for (double& one : w) {
      one = stream.normal();
      norm += one * one;
    }
    const double length = region.radius * std::min(1.0, 1.5 * stream.uniform()) / std::sqrt(norm);
    for (std::size_t c = 0; c < P; ++c) {
      w[c] *= length;
      if (region.shared[order[c]]) {
        w[c] = std::clamp(w[c], -region.shared_radius, region.shared_radius);
      }
    }
    std::array<double, P> u{};
    for (std::size_t i = 0; i < P; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        u[order[i]] += root[i][j] * w[j];
      }
    }
    return u;
  }
};

template <int P>
[[nodiscard]] double parabola(const Packed<P>& w, const std::array<double, P>& u) {
  double sum = 0.0;
  for (std::size_t i = 0; i < P; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      sum += (i == j ? 0.5 : 1.0) * w[packed(i, j)] * u[i] * u[j];
    }
  }
  return sum;
}

template <int P, class T, class Make>
[[nodiscard]] std::array<T, P> each(Make make) {
  std::array<T, P> all;
  for (std::size_t k = 0; k < P; ++k) {
    all[k] = make(k);
  }
  return all;
}

}  // namespace flymc::unit
