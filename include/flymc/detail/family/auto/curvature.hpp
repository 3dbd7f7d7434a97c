// Curvatures of tangents that lie below a density in a region, derived from its expression alone:
//     phi(a + u) >= phi(a) + phi'(a) u - u' W u / 2  for every u of the region,
// with W = -phi''(a) + O(region). Third derivatives are taken at the anchor, exactly; intervals
// stand for what is left of fourth order. See docs/method/automatic.md, The bound: Theorems 2 to 4.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/family/auto/dual.hpp"
#include "flymc/detail/family/auto/remainder.hpp"
#include "flymc/detail/family/auto/slope.hpp"
#include "flymc/family/likelihood.hpp"

namespace flymc::smooth {

// A radius below which nothing changes but the risk of underflow; a larger one is always safe.
inline constexpr double kLeastRadius = 1e-60;

namespace detail {

struct Bend {
  double curvature;  // infinite where there is no bound
  bool tight;        // hardly more than what the region asks for
};

// Theorem 2, one predictor: phi(a + r v) - phi - phi' r v - c_2 v^2 = c_3 v^3 + s_4 v^4
// >= v^2 (c_3 v + q v^2) for |v| <= 1, q the lower end of s_4, and the bracket is at least -b/2,
//     b = max over |v| <= 1 of 2 (-c_3 v - q v^2).
template <class Density>
[[nodiscard]] Bend bend_around(const Density& density, double anchor, double r) noexcept {
  const Slope<1, 4> phi = density(Slope<1, 4>::variable(anchor, {r}));
  const double cubic = std::abs(phi.c[3]);
  const double quartic = phi.top[0].lo;
  if (!std::isfinite(cubic - quartic)) {  // a maximum would drop a NaN
    return {std::numeric_limits<double>::infinity(), false};
  }
  double bend = std::max(0.0, 2.0 * (cubic - quartic));
  if (quartic > 0.0 && cubic < 2.0 * quartic) {
    bend = std::max(bend, cubic * cubic / (2.0 * quartic));  // inside the region, at c_3 / (2 q)
  }
  const double information = -2.0 * phi.c[2];
  const double curvature =
      (information + bend + kCurvatureMargin * (std::abs(information) + bend)) / (r * r);
  constexpr double kLoose = 0.02;
  return {std::isfinite(curvature) ? curvature : std::numeric_limits<double>::infinity(),
          2.0 * (phi.top[0].hi - quartic) <= kLoose * (std::abs(information) + 2.0 * cubic)};
}

// The curvature that u between r/2 and r asks for, on the side of its sign. Around the middle c of
// these, u = c + h v: phi(a + u) - phi - phi' u >= N(v) = rho + rho' h v + c_2 v^2 - e, where rho
// and rho' are the remainder at c and its slope and e = |c_3| + max(0, -q). The ratio -2 N(v) / (c
// + h v)^2 is largest at an end, or at the one place where its derivative is zero.
template <class Density>
[[nodiscard]] double bend_beside(const Density& density, double anchor, double r) noexcept {
  const double c = 0.75 * r;
  const double h = 0.25 * r;
  const Slope<1, 4> phi = density(Slope<1, 4>::variable(anchor + c, {std::abs(h)}));
  const Remainder<1> moved = density(Remainder<1>::variable(anchor, c, 0));
  const double alpha = -2.0 * (moved.rest - std::abs(phi.c[3]) - std::max(0.0, -phi.top[0].lo));
  const double beta = -2.0 * moved.slope_change[0] * h;
  const double gamma = -2.0 * phi.c[2];
  const auto ratio = [&](double v) {
    const double u = c + h * v;
    return (alpha + v * (beta + v * gamma)) / (u * u);
  };
  const double turn = (2.0 * h * alpha - beta * c) / (2.0 * gamma * c - beta * h);
  const double most =
      std::max({ratio(-1.0), ratio(1.0), std::abs(turn) < 1.0 ? ratio(turn) : ratio(1.0)});
  const double size = (std::abs(alpha) + std::abs(beta) + std::abs(gamma)) / (c * c);
  return std::isfinite(size) && std::isfinite(most) ? most + kCurvatureMargin * size
                                                    : std::numeric_limits<double>::infinity();
}

}  // namespace detail

// A tangent's curvature for |u| <= radius. `density` takes a scalar of any type. Where the region
// is so wide that fourth derivatives vary much in it, it is cut in halves: what lies outside is
// asked by itself. Infinite where there is no bound. `any`: the first one that holds will do.
template <class Density>
[[nodiscard]] double local_curvature(const Density& density, double anchor, double radius,
                                     bool any = false) noexcept {
  double r = std::max(radius, kLeastRadius);
  double outside = -std::numeric_limits<double>::infinity();  // asked for beyond r
  double least = std::numeric_limits<double>::infinity();
  constexpr int kMostHalvings = 6;
  for (int halvings = 0; halvings <= kMostHalvings; ++halvings) {
    const detail::Bend within = detail::bend_around(density, anchor, r);
    least = std::min(least, std::max(outside, within.curvature));
    if (within.tight || (any && std::isfinite(least))) {
      break;
    }
    outside = std::max({outside, detail::bend_beside(density, anchor, r),
                        detail::bend_beside(density, anchor, -r)});
    if (outside >= least) {
      break;
    }
    r *= 0.5;
  }
  return least;
}

// Where several predictors may go. With V = A H^-1 A', the covariance of the predictors u = A delta
// in the metric H, and L L' = V, w = L^-1 u: |delta|_H <= radius makes |w| <= radius. A shared
// predictor, one that is the same combination of parameters in every row, may have a radius of its
// own: w_c of these, which come first in L, is the same number for all rows.
template <int P>
struct Region {
  Packed<P> covariance{};
  double radius = 0.0;
  std::array<bool, P> shared{};
  double shared_radius = std::numeric_limits<double>::infinity();

  [[nodiscard]] double radius_of(std::size_t k) const noexcept {
    return shared[k] ? std::min(radius, shared_radius) : radius;
  }
};

namespace detail {

template <int P>
using Form = Eigen::Matrix<double, P, P>;  // a quadratic one

// |B|, with the absolute values of the eigenvalues: |B| >= B and |B| >= -B.
template <int P>
[[nodiscard]] Form<P> absolute(const Form<P>& b) {
  if constexpr (P == 2) {
    const double middle = 0.5 * (b(0, 0) + b(1, 1));
    const double half = std::hypot(0.5 * (b(0, 0) - b(1, 1)), b(0, 1));
    if (std::abs(middle) >= half) {
      return middle < 0.0 ? Form<P>(-b) : b;
    }
    // Eigenvalues middle +- half of both signs: |B| = (middle B + (half^2 - middle^2) I) / half.
    return (middle / half) * b + ((half - middle) * (half + middle) / half) * Form<P>::Identity();
  } else {
    const Eigen::SelfAdjointEigenSolver<Form<P>> eigen(b);
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseAbs().asDiagonal() *
           eigen.eigenvectors().transpose();
  }
}

// w coordinates of a region: u in this order is `root` times w, and |w_c| <= reach_c.
template <int P>
struct Whitened {
  std::array<std::size_t, P> order{};  // shared predictors first
  Form<P> root = Form<P>::Zero();
  std::array<double, P> reach{};

  explicit Whitened(const Region<P>& region) {
    std::size_t next = 0;
    for (const bool shared : {true, false}) {
      for (std::size_t k = 0; k < P; ++k) {
        if (region.shared[k] == shared) {
          // Raised against rounding in V and its root, as Leverage raises its numbers.
          constexpr double kRaised = 1.0 + 1e-6;
          reach[next] = kRaised * region.radius_of(k);
          order[next++] = k;
        }
      }
    }
    for (Index i = 0; i < P; ++i) {
      for (Index j = 0; j <= i; ++j) {
        const double v = at(region.covariance, i, j);
        const double rest = v - root.row(i).head(j).dot(root.row(j).head(j));
        // A larger pivot is a larger region: what is left of a variance has lost more digits than
        // are raised where it is less than 1e-9 of it. A predictor that does not move has none.
        root(i, j) = i > j ? rest / root(j, j)
                           : std::sqrt(std::max(rest, 1e-9 * v) + kLeastRadius * kLeastRadius);
      }
    }
  }

  // An entry of a packed matrix, in this order.
  [[nodiscard]] double at(const Packed<P>& matrix, Index i, Index j) const noexcept {
    return matrix[index(i, j)];
  }
  [[nodiscard]] std::size_t index(Index i, Index j) const noexcept {
    const std::size_t k = order[static_cast<std::size_t>(i)];
    const std::size_t l = order[static_cast<std::size_t>(j)];
    return packed(std::max(k, l), std::min(k, l));
  }
};

// K of Theorem 3. The cubic part is sum_c v_c v'B_c v, B_c of all monomials whose first variable is
// c, and |v_c| <= 1: it is at least -sum_c v'|B_c|v, with the absolute value taken in w.
template <int P>
void add_cubic(const Slope<P, 4>& phi, const std::array<double, P>& reach, Form<P>& sum) {
  using S = Slope<P, 4>;
  std::array<Form<P>, P> slices;
  slices.fill(Form<P>::Zero());
  for (std::size_t i = 0; i < S::kLower; ++i) {
    if (S::kTable.degree[i] != 3) {
      continue;
    }
    std::array<std::size_t, 3> factors{};
    std::size_t n = 0;
    for (std::size_t l = 0; l < P; ++l) {
      for (int k = 0; k < S::kTable.exponents[i][l]; ++k) {
        factors[n++] = l;
      }
    }
    const auto [c, j, k] = factors;
    const double half = 0.5 * phi.c[i] / (reach[j] * reach[k]);
    slices[c](static_cast<Index>(j), static_cast<Index>(k)) += half;
    slices[c](static_cast<Index>(k), static_cast<Index>(j)) += half;
  }
  for (const Form<P>& slice : slices) {
    sum += 2.0 * absolute<P>(slice);
  }
}

// E of Theorem 3. |v^alpha| <= |v_j v_k| <= (t v_j^2 + v_k^2 / t) / 2 for two factors of alpha; in
// w the least is paid for the two of the largest reach, with t the ratio of these.
template <int P>
void add_quartic(const Slope<P, 4>& phi, const std::array<double, P>& reach, Form<P>& sum) {
  using S = Slope<P, 4>;
  for (std::size_t i = S::kLower; i < S::kCount; ++i) {
    const auto& exponents = S::kTable.exponents[i];
    const Interval top = phi.top[i - S::kLower];
    const bool even = std::all_of(exponents.begin(), exponents.end(),
                                  [](int exponent) { return exponent % 2 == 0; });
    const double size = even ? std::max(0.0, -top.lo) : top.magnitude();
    std::array<std::size_t, 4> factors{};
    std::size_t n = 0;
    for (std::size_t l = 0; l < P; ++l) {
      for (int k = 0; k < exponents[l]; ++k) {
        factors[n++] = l;
      }
    }
    std::sort(factors.begin(), factors.end(), [&](std::size_t a, std::size_t b) {
      return reach[a] != reach[b] ? reach[a] > reach[b] : a < b;
    });
    const double each = size / (reach[factors[0]] * reach[factors[1]]);
    sum(static_cast<Index>(factors[0]), static_cast<Index>(factors[0])) += each;
    sum(static_cast<Index>(factors[1]), static_cast<Index>(factors[1])) += each;
  }
}

}  // namespace detail

// Theorem 3, several predictors: W = -phi''(a) + L^-T (K + E) L^-1, packed. `density` takes an
// array of P scalars of any type. False where there is no bound.
template <int P, class Density>
[[nodiscard]] bool local_curvature(const Density& density, const std::array<double, P>& anchor,
                                   const Region<P>& region, Packed<P>& out) {
  static_assert(P >= 2);
  const detail::Whitened<P> whitened(region);
  std::array<Slope<P, 4>, P> inputs;
  std::array<Jet2<P>, P> jets;
  for (std::size_t i = 0; i < P; ++i) {
    const std::size_t k = whitened.order[i];
    std::array<double, P> steps;
    for (std::size_t l = 0; l < P; ++l) {
      steps[l] = whitened.root(static_cast<Index>(i), static_cast<Index>(l)) * whitened.reach[l];
    }
    inputs[k] = Slope<P, 4>::variable(anchor[k], steps);
    jets[k] = Jet2<P>::variable(anchor[k], k);
  }
  const Slope<P, 4> phi = density(inputs);
  const Jet2<P> jet = density(jets);
  detail::Form<P> added = detail::Form<P>::Zero();
  detail::add_cubic<P>(phi, whitened.reach, added);
  detail::add_quartic<P>(phi, whitened.reach, added);
  detail::Form<P> hessian;
  for (Index i = 0; i < P; ++i) {
    for (Index j = 0; j < P; ++j) {
      hessian(i, j) = whitened.at(jet.second, i, j);
    }
  }
  // The margin is a share of the largest bend over the region, alike in every direction.
  const detail::Form<P> bent = whitened.root.transpose() * hessian * whitened.root;
  const Eigen::Map<const Eigen::Array<double, P, 1>> reach(whitened.reach.data());
  const double largest =
      ((bent.diagonal().cwiseAbs() + added.diagonal()).array() * reach.square()).maxCoeff();
  added.diagonal().array() += kCurvatureMargin * largest / reach.square();
  const detail::Form<P> half =
      whitened.root.transpose().template triangularView<Eigen::Upper>().solve(added);
  const detail::Form<P> whole =
      whitened.root.transpose().template triangularView<Eigen::Upper>().solve(half.transpose());
  bool finite = true;
  for (Index i = 0; i < P; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const double w = 0.5 * (whole(i, j) + whole(j, i)) - hessian(i, j);
      out[whitened.index(i, j)] = w;
      finite = finite && std::isfinite(w);
    }
  }
  return finite;
}

}  // namespace flymc::smooth
