// Moments of a small posterior by Gauss-Legendre panels in each coordinate. A panel ends where a
// Laplace prior has its kink, so the integrand is smooth inside every panel.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "support/exact_reference.hpp"

namespace flymc::exact {

struct Node {
  double x;
  double weight;
};

// Nodes on (-1, 1): Newton's method on the Legendre polynomial.
inline std::vector<Node> legendre_nodes(int count) {
  std::vector<Node> nodes;
  for (int i = 0; i < count; ++i) {
    double x = std::cos(3.14159265358979323846 * (i + 0.75) / (count + 0.5));
    double derivative = 0.0;
    constexpr int kIterations = 20;
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      double value = x;
      double before = 1.0;
      for (int k = 2; k <= count; ++k) {
        before = std::exchange(value, ((2 * k - 1) * x * value - (k - 1) * before) / k);
      }
      derivative = count * (x * value - before) / (x * x - 1.0);
      x -= value / derivative;
    }
    nodes.push_back({x, 2.0 / ((1.0 - x * x) * derivative * derivative)});
  }
  return nodes;
}

// Nodes along one coordinate: six panels around the prior's location.
inline std::vector<Node> panel_nodes(const PriorTerm& term, int nodes_per_panel) {
  const std::vector<double> ends = term.kind == PriorKind::kNormal
                                       ? std::vector<double>{0.0, 2.0, 4.0, 7.5}
                                       : std::vector<double>{0.0, 2.5, 8.0, 24.0};
  std::vector<Node> nodes;
  for (std::size_t panel = 1; panel < ends.size(); ++panel) {
    const double half = 0.5 * (ends[panel] - ends[panel - 1]) * term.scale;
    const double middle = 0.5 * (ends[panel] + ends[panel - 1]) * term.scale;
    for (const Node& node : legendre_nodes(nodes_per_panel)) {
      nodes.push_back({term.location + middle + half * node.x, half * node.weight});
      nodes.push_back({term.location - middle - half * node.x, half * node.weight});
    }
  }
  return nodes;
}

struct PosteriorMoments {
  Vector mean;
  Vector second;         // E theta_j^2
  double product = 0.0;  // E of the product of the first and the last coordinate
  double bright = 0.0;   // E sum_n (1 - B_n / L_n)
};

template <class M>
class Quadrature {
 public:
  Quadrature(Reference<M>& reference, int nodes_per_panel) : reference_(reference) {
    for (const PriorTerm& term : reference.problem().prior.terms()) {
      nodes_.push_back(panel_nodes(term, nodes_per_panel));
    }
    const auto d = static_cast<Index>(nodes_.size());
    theta_ = Vector::Zero(d);
    sums_.mean = Vector::Zero(d);
    sums_.second = Vector::Zero(d);
  }

  [[nodiscard]] PosteriorMoments integrate() {
    add_from(0, 1.0);
    sums_.mean /= mass_;
    sums_.second /= mass_;
    sums_.product /= mass_;
    sums_.bright /= mass_;
    return sums_;
  }

 private:
  void add_from(std::size_t coordinate, double weight) {
    if (coordinate == nodes_.size()) {
      return add_node(weight);
    }
    for (const Node& node : nodes_[coordinate]) {
      theta_[static_cast<Index>(coordinate)] = node.x;
      add_from(coordinate + 1, weight * node.weight);
    }
  }

  void add_node(double weight) {
    const double density = weight * std::exp(reference_.log_posterior(theta_));
    constexpr double kNegligible = 1e-14;
    mass_ += density;
    sums_.mean += density * theta_;
    sums_.second += density * theta_.cwiseAbs2();
    sums_.product += density * theta_[0] * theta_[theta_.size() - 1];
    if (density > kNegligible * mass_) {
      sums_.bright += density * reference_.expected_bright(theta_);
    }
  }

  Reference<M>& reference_;
  std::vector<std::vector<Node>> nodes_;
  Vector theta_;
  double mass_ = 0.0;
  PosteriorMoments sums_;
};

template <class M>
PosteriorMoments integrate(Reference<M>& reference, int nodes_per_panel) {
  return Quadrature<M>(reference, nodes_per_panel).integrate();
}

}  // namespace flymc::exact
