// Normal regression with a known scale and a normal prior: the one model whose posterior, evidence
// and leave-one-out predictive are known in closed form.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

#include "fit/prepare.hpp"
#include "fit/theta_draws.hpp"
#include "flymc/random.hpp"

namespace flymc::testing {

inline double log_normal_density(double x, double mean, double variance) {
  return -0.5 * (x - mean) * (x - mean) / variance -
         0.5 * std::log(2.0 * std::numbers::pi * variance);
}

// `columns` slopes of which the first is 1, the others 0, and an intercept.
struct Conjugate {
  static constexpr double kSigma = 1.5;
  static constexpr double kPriorSd = 2.0;

  Conjugate(std::size_t rows, std::size_t columns, std::uint64_t seed)
      : x(static_cast<Index>(rows), static_cast<Index>(columns) + 1), y(static_cast<Index>(rows)) {
    Stream stream(seed, 0, Purpose::kTest, rows);
    for (Index n = 0; n < x.rows(); ++n) {
      x(n, 0) = 1.0;
      for (Index j = 1; j < x.cols(); ++j) {
        x(n, j) = stream.normal();
      }
      y[n] = x(n, 1) + kSigma * stream.normal();
    }
    factor_posterior();
  }

  // With its first slopes only.
  [[nodiscard]] Problem problem(std::size_t columns) const {
    Table table;
    table.rows = static_cast<std::size_t>(x.rows());
    for (std::size_t j = 0; j < columns; ++j) {
      table.columns.push_back("x" + std::to_string(j + 1));
    }
    table.x.resize(table.rows * columns);
    table.response.name = "y";
    for (std::size_t n = 0; n < table.rows; ++n) {
      table.response.values.push_back(y[static_cast<Index>(n)]);
      for (std::size_t j = 0; j < columns; ++j) {
        table.x.data()[n * columns + j] = x(static_cast<Index>(n), static_cast<Index>(j) + 1);
      }
    }
    FitSettings settings;
    settings.family = "normal";
    settings.own = {{"sigma", kSigma}};
    settings.prior = {.automatic = false, .kind = PriorKind::kNormal, .scale = kPriorSd};
    settings.engine = EngineKind::kRegular;
    return prepare(std::move(table), settings);
  }

  // Independent draws of the posterior.
  [[nodiscard]] ThetaDraws draws(std::size_t count, std::uint64_t seed) const {
    Stream stream(seed, 1, Purpose::kTest, count);
    Matrix unit(mean.size(), static_cast<Index>(count));
    for (double& value : unit.reshaped()) {
      value = stream.normal();
    }
    return {precision.matrixU().solve(unit).colwise() + mean, 4};
  }

  // y ~ N(0, sigma^2 I + s^2 X X').
  [[nodiscard]] double log_evidence() const {
    const Matrix covariance = kSigma * kSigma * Matrix::Identity(x.rows(), x.rows()) +
                              kPriorSd * kPriorSd * x * x.transpose();
    const Eigen::LLT<Matrix> factor(covariance);
    return -0.5 * y.dot(factor.solve(y)) - factor.matrixLLT().diagonal().array().log().sum() -
           0.5 * static_cast<double>(y.size()) * std::log(2.0 * std::numbers::pi);
  }

  // log p(y_n | y_-n) of every row.
  [[nodiscard]] std::vector<double> elpd() const {
    std::vector<double> values;
    const Matrix all = precision.reconstructedMatrix();
    for (Index n = 0; n < y.size(); ++n) {
      const Vector row = x.row(n).transpose() / kSigma;
      const Eigen::LLT<Matrix> without(all - row * row.transpose());
      const Vector slopes = without.solve(all * mean - row * y[n] / kSigma);
      const double variance = kSigma * kSigma * (1.0 + row.dot(without.solve(row)));
      values.push_back(log_normal_density(y[n], x.row(n).dot(slopes), variance));
    }
    return values;
  }

  Matrix x;
  Vector y;
  Vector mean;  // of the posterior
  Eigen::LLT<Matrix> precision;

 private:
  void factor_posterior() {
    precision.compute(x.transpose() * x / (kSigma * kSigma) +
                      Matrix::Identity(x.cols(), x.cols()) / (kPriorSd * kPriorSd));
    mean = precision.solve(x.transpose() * y / (kSigma * kSigma));
  }
};

}  // namespace flymc::testing
