// Chains with local bounds against quadrature: moments, the time spent outside the shells, and the
// coins. The bounds are written a second time: leverage by the inverse of the precision, curvature
// as the largest of 2 [phi(a) + phi'(a) u - phi(a + u)] / u^2 over a grid of the shell.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/exact_glm.hpp"
#include "support/exact_moments.hpp"

namespace flymc::exact {

// The shell of a position by its definition: |delta| in the anchor's precision, and the largest of
// |L^-1 delta_c|, c the coefficients that are predictors of all data and L L' their covariance.
class ShellReference {
 public:
  // Shells and anchor outlive it.
  ShellReference(const Shells& shells, const Anchor& anchor, const Dataset& data, int predictors)
      : shells_(shells), anchor_(anchor) {
    for (int k = 0; k < predictors; ++k) {
      if (data.is_shared(k)) {
        shared_.push_back(data.design().first(k));
      }
    }
    const Matrix covariance = anchor.precision.inverse();
    root_ = Matrix(covariance(shared_, shared_)).llt().matrixL();
  }

  [[nodiscard]] int of(const Vector& theta) const {
    const Vector delta = theta - anchor_.theta;
    const Vector w = root_.triangularView<Eigen::Lower>().solve(Vector(delta(shared_)));
    return shells_.of(std::sqrt(delta.dot(anchor_.precision * delta)),
                      w.size() > 0 ? w.cwiseAbs().maxCoeff() : 0.0);
  }

 private:
  const Shells& shells_;
  const Anchor& anchor_;
  std::vector<Index> shared_;
  Matrix root_;
};

template <class M>
class LocalReference {
 public:
  LocalReference(const Problem<M>& problem, const Bounds& bounds, const Anchor& anchor)
      : posterior_(problem),
        bounds_(bounds),
        anchor_(anchor),
        covariance_(inverse(anchor)),
        shells_(bounds.tangents.shells, anchor, problem.data, predictors_of(problem.model)) {
    for (int shell = 0; shell < bounds.tangents.shells.tangent_count(); ++shell) {
      for (std::size_t n = 0; n < problem.data.rows(); ++n) {
        curvatures_.push_back(curvature(n, shell));
      }
    }
  }

  [[nodiscard]] double log_posterior(const Vector& theta) {
    return posterior_.log_posterior(theta);
  }

  [[nodiscard]] int shell_of(const Vector& theta) const { return shells_.of(theta); }

  // sum over coins of 1 - B_n / L_n.
  [[nodiscard]] double expected_bright(const Vector& theta) {
    const int shell = shell_of(theta);
    double sum = 0.0;
    for (std::size_t n = 0; n < bounds_.coins.rates.rows(); ++n) {
      const auto datum = static_cast<Datum>(n);
      if (!bounds_.is_beacon(datum)) {
        const double tangent = bounds_.tangents.shells.is_exact(shell) ? 0.0 : gap(n, shell, theta);
        sum += 1.0 - std::exp(-tangent - bounds_.coins.slack(datum));
      }
    }
    return sum;
  }

 private:
  using Numbers = std::vector<double>;

  static Matrix inverse(const Anchor& anchor) { return anchor.precision.inverse(); }

  // w (log L - log of the tangent); the slope at the anchor by a central difference.
  [[nodiscard]] double gap(std::size_t n, int shell, const Vector& theta) {
    const M& model = posterior_.problem().model;
    const auto i = static_cast<Index>(n);
    const Predictors eta = posterior_.predictors(i, theta);
    const Numbers moved(eta, eta + bounds_.tangents.predictors);
    const Numbers touch = at_anchor(i);
    double tangent = log_likelihood_of(model, touch.data(), posterior_.response(i));
    Numbers u;
    Numbers product(touch.size(), 0.0);
    for (std::size_t k = 0; k < touch.size(); ++k) {
      u.push_back(moved[k] - touch[k]);
      tangent += slope(i, touch, k) * u[k];
    }
    const Numbers& bend =
        curvatures_[static_cast<std::size_t>(shell) * bounds_.coins.rates.rows() + n];
    tangent -= add_curvature(bounds_.tangents.form, bend.data(), u.data(),
                             bounds_.tangents.predictors, product.data());
    return posterior_.weight(i) *
           (log_likelihood_of(model, moved.data(), posterior_.response(i)) - tangent);
  }

  [[nodiscard]] Numbers at_anchor(Index n) {
    const Predictors eta = posterior_.predictors(n, anchor_.theta);
    return {eta, eta + bounds_.tangents.predictors};
  }

  [[nodiscard]] double slope(Index n, Numbers at, std::size_t k) const {
    constexpr double kStep = 1e-4;
    const M& model = posterior_.problem().model;
    const auto phi = [&](double shift) {
      Numbers moved = at;
      moved[k] += shift;
      return log_likelihood_of(model, moved.data(), posterior_.response(n));
    };
    return (8.0 * (phi(kStep) - phi(-kStep)) - (phi(2 * kStep) - phi(-2 * kStep))) / (12.0 * kStep);
  }

  // Of several predictors, and beyond the last shell, the engine's own: tests/family has those.
  [[nodiscard]] Numbers curvature(std::size_t n, int shell) {
    const auto i = static_cast<Index>(n);
    if (bounds_.tangents.predictors > 1 || shell == bounds_.tangents.shells.outermost()) {
      const auto pairs = static_cast<std::size_t>(bounds_.tangents.pairs);
      Numbers scratch(pairs);
      Numbers out(pairs);
      shell_curvature(posterior_.problem().model, bounds_.tangents,
                      bounds_.tangents.touch(n, posterior_.response(i)), shell, scratch.data(),
                      out.data());
      return out;
    }
    const Vector x = posterior_.row(i).transpose();
    return {supremum(i, bounds_.tangents.shells.radii[static_cast<std::size_t>(shell)] *
                            std::sqrt(x.dot(covariance_ * x)))};
  }

  [[nodiscard]] double supremum(Index n, double radius) {
    const M& model = posterior_.problem().model;
    const Numbers touch = at_anchor(n);
    const double response = posterior_.response(n);
    const double value = log_likelihood_of(model, touch.data(), response);
    const double first = slope(n, touch, 0);
    double largest = -HUGE_VAL;
    constexpr int kCells = 3'000;
    for (int i = 1; i <= kCells; ++i) {
      for (const double sign : {-1.0, 1.0}) {
        const double u = sign * radius * i / kCells;
        const double moved = touch[0] + u;
        const double at = log_likelihood_of(model, &moved, response);
        if (std::abs(u) > 1e-3 && std::isfinite(at)) {
          largest = std::max(largest, 2.0 * (value + first * u - at) / (u * u));
        }
      }
    }
    return largest;
  }

  Reference<M> posterior_;
  const Bounds& bounds_;
  const Anchor& anchor_;
  Matrix covariance_;
  ShellReference shells_;
  std::vector<Numbers> curvatures_;  // by shell, then row
};

struct LocalMoments {
  Vector mean;
  Vector second;
  double product = 0.0;
  double outside_first = 0.0;  // P(beyond the innermost shell)
  double outside_all = 0.0;    // P(beyond the last)
};

// Shares the nodes of the other quadrature. A shell's edge runs between nodes, so probabilities of
// shells need many of them.
template <class M>
LocalMoments integrate_local(const Problem<M>& problem, LocalReference<M>& reference,
                             const Bounds& bounds, int nodes_per_panel) {
  std::vector<std::vector<Node>> nodes;
  for (const PriorTerm& term : problem.prior.terms()) {
    nodes.push_back(panel_nodes(term, nodes_per_panel));
  }
  const auto d = static_cast<Index>(nodes.size());
  LocalMoments sums{Vector::Zero(d), Vector::Zero(d)};
  double mass = 0.0;
  Vector theta(d);
  std::vector<std::size_t> at(nodes.size(), 0);
  for (std::size_t j = 0; j < nodes.size();) {
    double density = 1.0;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      theta[static_cast<Index>(k)] = nodes[k][at[k]].x;
      density *= nodes[k][at[k]].weight;
    }
    density *= std::exp(reference.log_posterior(theta));
    const int shell = reference.shell_of(theta);
    mass += density;
    sums.mean += density * theta;
    sums.second += density * theta.cwiseAbs2();
    sums.product += density * theta[0] * theta[d - 1];
    sums.outside_first += shell > 0 ? density : 0.0;
    sums.outside_all += shell == bounds.tangents.shells.outermost() ? density : 0.0;
    for (j = 0; j < nodes.size() && ++at[j] == nodes[j].size(); ++j) {
      at[j] = 0;
    }
  }
  sums.mean /= mass;
  sums.second /= mass;
  sums.product /= mass;
  sums.outside_first /= mass;
  sums.outside_all /= mass;
  return sums;
}

}  // namespace flymc::exact
