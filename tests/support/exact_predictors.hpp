// Small posteriors of likelihoods whose predictors have columns of their own, one coefficient each.
// Their log densities are written a second time, in textbook form.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "flymc/family/automatic.hpp"
#include "support/densities.hpp"
#include "support/exact_problem.hpp"

namespace flymc::unit {

inline double textbook(const NormalDensity& /*density*/, const double* eta, double y) {
  const double sigma = std::exp(eta[1]);
  return -std::log(sigma) - (y - eta[0]) * (y - eta[0]) / (2.0 * sigma * sigma);
}
inline double textbook(const NegativeBinomialSizeDensity& /*density*/, const double* eta,
                       double y) {
  const double mean = std::exp(eta[0]);
  const double size = std::exp(eta[1]);
  return std::lgamma(y + size) - std::lgamma(size) + size * std::log(size / (size + mean)) +
         y * std::log(mean / (size + mean));
}
inline double textbook(const StudentScaleDensity& /*density*/, const double* eta, double y) {
  const double t = (y - eta[0]) / std::exp(eta[1]);
  return -2.5 * std::log(1.0 + t * t / 4.0) - eta[1];
}
inline double textbook(const GammaDensity& /*density*/, const double* eta, double y) {
  const double shape = std::exp(eta[1]);
  const double rate = shape / std::exp(eta[0]);
  return shape * std::log(rate) - std::lgamma(shape) + shape * std::log(y) - rate * y;
}
// log B(s + a, m - s + b) - log B(a, b).
inline double textbook(const BetaBinomialDensity& /*density*/, const double* eta, double y) {
  const double m = std::floor(y / 67108864.0);
  const double s = y - 67108864.0 * m;
  const double precision = std::exp(eta[1]);
  const double a = precision / (1.0 + std::exp(-eta[0]));
  const double b = precision - a;
  const auto log_beta = [](double p, double q) {
    return std::lgamma(p) + std::lgamma(q) - std::lgamma(p + q);
  };
  return log_beta(s + a, m - s + b) - log_beta(a, b);
}
inline double textbook(const ZeroInflatedDensity& /*density*/, const double* eta, double y) {
  const double mean = std::exp(eta[0]);
  const double zero = 1.0 / (1.0 + std::exp(-eta[1]));
  return y > 0.5 ? std::log(1.0 - zero) + y * std::log(mean) - mean
                 : std::log(zero + (1.0 - zero) * std::exp(-mean));
}

// Found by the namespace of the density.
inline double log_likelihood_of(const Automatic<TwoPredictorDensity>& model, const double* eta,
                                double response) {
  return std::visit([&](const auto& one) { return textbook(one, eta, response); },
                    model.density().choice);
}
inline double log_likelihood_of(const Automatic<StudentScaleShapeDensity>& /*model*/,
                                const double* eta, double response) {
  const double nu = std::exp(eta[2]);
  const double t = (response - eta[0]) / std::exp(eta[1]);
  return std::lgamma((nu + 1.0) / 2.0) - std::lgamma(nu / 2.0) - std::log(nu) / 2.0 - eta[1] -
         (nu + 1.0) / 2.0 * std::log(1.0 + t * t / nu);
}

}  // namespace flymc::unit

namespace flymc::exact {

// Columns 0, the intercept, or 1: one a predictor. Rows have weights, and offsets in the first
// predictor.
template <class Density>
[[nodiscard]] Problem<Automatic<Density>> predictors_problem(const Density& density,
                                                             const std::vector<Index>& columns,
                                                             const std::vector<double>& truth,
                                                             std::size_t rows,
                                                             double prior_scale = 0.6) {
  Stream stream(62, 0, Purpose::kTest, rows);
  std::vector<double> x;
  std::vector<double> response;
  std::vector<double> weights;
  std::vector<double> offset;
  for (std::size_t n = 0; n < rows; ++n) {
    x.push_back(stream.normal());
    offset.push_back(0.2 * stream.normal());
    weights.push_back(0.5 + stream.uniform());
    std::array<double, Density::kPredictors> eta{};
    for (std::size_t k = 0; k < eta.size(); ++k) {
      eta[k] = truth[k] * (columns[k] == 0 ? 1.0 : x.back()) + (k == 0 ? offset.back() : 0.0);
    }
    response.push_back(density.draw(stream, eta));
  }
  Table table = table_of(x, response);
  table.weights = weights;
  table.offset.assign(offset.begin(), offset.end());
  Dataset::Options options;
  std::vector<PriorTerm> terms;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    options.predictors.push_back({columns[k]});
    terms.push_back({PriorKind::kNormal, truth[k] + 0.1, prior_scale});
  }
  return {Automatic<Density>(density), Prior(std::move(terms)), Dataset(std::move(table), options),
          0.0};
}

}  // namespace flymc::exact
