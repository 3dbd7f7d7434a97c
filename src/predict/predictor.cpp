#include "predict/predictor.hpp"

#include <math.h>  // lgamma_r: std::lgamma writes a global

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <variant>

#include "diagnose/order_statistics.hpp"

namespace flymc {
namespace {

using Values = Eigen::Map<Eigen::ArrayXd>;

// eta becomes E[y | eta], in place.
void apply_link(const Logistic& /*model*/, Values v) { v = ((-v).exp() + 1.0).inverse(); }
void apply_link(const Binomial& /*model*/, Values v) { apply_link(Logistic{}, v); }
void apply_link(const Probit& /*model*/, Values v) {
  v = v.unaryExpr([](double eta) { return 0.5 * std::erfc(-eta * 0.70710678118654752440); });
}
void apply_link(const StudentT& /*model*/, Values /*v*/) {}
void apply_link(const Poisson& /*model*/, Values v) {
  v = v.unaryExpr([](double eta) { return std::exp(eta); });  // inf where it overflows
}
void apply_link(const NegativeBinomial& /*model*/, Values v) { apply_link(Poisson{}, v); }

double log_gamma(double x) noexcept {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

// What the likelihoods leave out: the terms of log p(y | eta) without eta.
template <class Model>
double log_constant(const Model& /*model*/, double /*response*/, double /*trials*/) {
  return 0.0;
}
double log_constant(const Poisson& /*model*/, double response, double /*trials*/) {
  return -log_gamma(response + 1.0);
}
double log_constant(const NegativeBinomial& model, double response, double /*trials*/) {
  return log_gamma(response + model.size()) - log_gamma(model.size()) - log_gamma(response + 1.0);
}
double log_constant(const Binomial& /*model*/, double response, double trials) {
  const double successes = std::round(response * trials);
  return log_gamma(trials + 1.0) - log_gamma(successes + 1.0) - log_gamma(trials - successes + 1.0);
}

double log_mean_exp(std::span<const double> values) noexcept {
  const double top = *std::max_element(values.begin(), values.end());
  if (!std::isfinite(top)) {
    return top;
  }
  double sum = 0.0;
  for (const double value : values) {
    sum += std::exp(value - top);
  }
  return top + std::log(sum / static_cast<double>(values.size()));
}

struct Moments {
  double mean;
  double sd;  // NaN for one draw
};

Moments moments_of(Eigen::Map<const Eigen::ArrayXd> v) {
  const double mean = v.mean();
  const double squares = (v - mean).square().sum();
  return {mean, std::sqrt(squares / static_cast<double>(v.size() - 1))};
}

// mean, sd, 5 %, 95 % of g(eta); eta is overwritten. g is monotone, so that its quantiles lie
// between g of the order statistics of eta, which look normal more often than those of g do.
template <class Model>
Eigen::RowVector4d summarise(const Model& model, Values eta, TailSearch& search) {
  const std::span<const double> sample(eta.data(), static_cast<std::size_t>(eta.size()));
  const Moments rough = moments_of({eta.data(), eta.size()});
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  double low = kNan;
  double high = kNan;
  if (!std::isnan(rough.mean)) {
    const Neighbours at5 = search.find(sample, 0.05, rough.mean, rough.sd);
    const Neighbours at95 = search.find(sample, 0.95, rough.mean, rough.sd);
    std::array<double, 4> ends = {at5.below, at5.above, at95.below, at95.above};
    apply_link(model, Values(ends.data(), 4));
    low = Neighbours::interpolate(ends[0], ends[1], at5.fraction);
    high = Neighbours::interpolate(ends[2], ends[3], at95.fraction);
  }
  apply_link(model, eta);
  const Moments moments = moments_of({eta.data(), eta.size()});
  return {moments.mean, moments.sd, low, high};
}

// One row's predictors of all draws and classes become probabilities. The columns of class k
// start at column k * rows.
void normalise(Matrix& eta, Index row, Index rows, Index classes) {
  Eigen::ArrayXd top = eta.col(row).array();
  for (Index k = 1; k < classes; ++k) {
    top = top.max(eta.col(k * rows + row).array());
  }
  Eigen::ArrayXd sum = Eigen::ArrayXd::Zero(eta.rows());
  for (Index k = 0; k < classes; ++k) {
    auto column = eta.col(k * rows + row).array();
    column = (column - top).exp();
    sum += column;
  }
  sum = sum.inverse();
  for (Index k = 0; k < classes; ++k) {
    eta.col(k * rows + row).array() *= sum;
  }
}

// The observation of one row.
struct Observed {
  double response;
  double trials;
};

Observed observed(const Table& table, std::size_t n) {
  return {table.response.values[n], table.weights.empty() ? 1.0 : table.weights[n]};
}

template <class Model>
double log_density(const Model& model, Eigen::Map<const Eigen::ArrayXd> eta, Observed at,
                   std::vector<double>& scratch) {
  scratch.resize(static_cast<std::size_t>(eta.size()));
  for (Index s = 0; s < eta.size(); ++s) {
    scratch[static_cast<std::size_t>(s)] = at.trials * model.log_likelihood(eta[s], at.response);
  }
  return log_mean_exp(scratch) + log_constant(model, at.response, at.trials);
}

// REQUIRES: eta holds predictors, draws x rows.
template <class Model>
PredictedRows predict_scalar(const Model& model, Matrix& eta, const Table& table, RowRange range,
                             bool with_density) {
  PredictedRows rows{RowMatrix(eta.cols(), 4), {}};
  TailSearch search;
  std::vector<double> scratch;
  for (Index i = 0; i < eta.cols(); ++i) {
    double* const column = eta.col(i).data();
    if (with_density) {
      const Observed at = observed(table, range.first + static_cast<std::size_t>(i));
      rows.log_density.push_back(log_density(model, {column, eta.rows()}, at, scratch));
    }
    rows.values.row(i) = summarise(model, Values(column, eta.rows()), search);
  }
  return rows;
}

// The probability of a class, averaged over the draws, is its predictive density.
PredictedRows predict_classes(const Softmax& model, Matrix& eta, const Table& table, RowRange range,
                              bool with_density) {
  const auto count = static_cast<Index>(range.size());
  PredictedRows rows{RowMatrix(count, model.predictors()), {}};
  std::vector<double> scratch(static_cast<std::size_t>(eta.rows()));
  for (Index i = 0; i < count; ++i) {
    if (with_density) {
      const std::size_t n = range.first + static_cast<std::size_t>(i);
      Vector of_draw(model.predictors());
      for (Index s = 0; s < eta.rows(); ++s) {
        for (Index k = 0; k < of_draw.size(); ++k) {
          of_draw[k] = eta(s, k * count + i);
        }
        scratch[static_cast<std::size_t>(s)] =
            model.log_likelihood(of_draw.data(), table.response.values[n], nullptr);
      }
      rows.log_density.push_back(log_mean_exp(scratch));
    }
    normalise(eta, i, count, model.predictors());
    for (Index k = 0; k < model.predictors(); ++k) {
      rows.values(i, k) = eta.col(k * count + i).mean();
    }
  }
  return rows;
}

}  // namespace

std::size_t Predictor::block_rows() const noexcept {
  constexpr std::size_t kBlockNumbers = std::size_t{1} << 18;  // 2 MiB
  constexpr std::size_t kMostRows = 1024;
  return std::clamp<std::size_t>(kBlockNumbers / (draws_.draws() * draws_.predictors() + 1), 1,
                                 kMostRows);
}

Matrix Predictor::predictors(const Table& table, RowRange range) const {
  const auto rows = static_cast<Index>(range.size());
  const auto width = static_cast<Index>(draws_.features.size());
  Buffer<double> scratch(table.source.empty() ? 0 : range.size() * draws_.features.size());
  const Eigen::Map<const Matrix> x(table.block(range, scratch.data()), width, rows);
  Matrix eta(draws_.constants.rows(), rows * static_cast<Index>(draws_.predictors()));
  for (Index k = 0; k < draws_.constants.cols(); ++k) {
    auto block = eta.middleCols(k * rows, rows);
    for (Index i = 0; i < rows; ++i) {
      const std::size_t n = range.first + static_cast<std::size_t>(i);
      const double offset = table.offset.empty() ? 0.0 : table.offset[n];
      block.col(i) = (draws_.constants.col(k).array() + offset).matrix();
    }
    if (width > 0) {
      block.noalias() += draws_.slopes[static_cast<std::size_t>(k)] * x;
    }
  }
  return eta;
}

Matrix Predictor::means(const Table& table, RowRange range) const {
  Matrix eta = predictors(table, range);
  if (const auto* softmax = std::get_if<Softmax>(&draws_.model)) {
    const auto rows = static_cast<Index>(range.size());
    for (Index i = 0; i < rows; ++i) {
      normalise(eta, i, rows, softmax->predictors());
    }
    return eta;
  }
  std::visit(
      [&](const auto& model) {
        if constexpr (ScalarLikelihood<std::decay_t<decltype(model)>>) {
          apply_link(model, Values(eta.data(), eta.size()));
        }
      },
      draws_.model);
  return eta;
}

PredictedRows Predictor::predict(const Table& table, RowRange range, bool log_density) const {
  Matrix eta = predictors(table, range);
  return std::visit(
      [&](const auto& model) {
        if constexpr (ScalarLikelihood<std::decay_t<decltype(model)>>) {
          return predict_scalar(model, eta, table, range, log_density);
        } else {
          return predict_classes(model, eta, table, range, log_density);
        }
      },
      draws_.model);
}

}  // namespace flymc
