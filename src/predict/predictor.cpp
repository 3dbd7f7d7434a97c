#include "predict/predictor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "core/parallel.hpp"
#include "diagnose/moments.hpp"
#include "diagnose/order_statistics.hpp"
#include "fit/prepare.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

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
  const double mean = mean_of(v);
  const double squares = (v - mean).square().sum();
  return {mean, std::sqrt(squares / static_cast<double>(v.size() - 1))};
}

// One column of draws as a family wants it.
DrawsView column_of(double* draws, Index count) {
  return {draws, count, 1, Eigen::OuterStride<>(count)};
}

// mean, sd and the ends of the interval of g(eta); eta is overwritten. g is monotone, so that its
// quantiles lie between g of the order statistics of eta, which look normal more often than those
// of g do.
Eigen::RowVector4d summarise(const Family& family, ArrayView eta, double tail, TailSearch& search) {
  const std::span<const double> sample(eta.data(), static_cast<std::size_t>(eta.size()));
  const Moments rough = moments_of({eta.data(), eta.size()});
  constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
  double low = kNoNumber;
  double high = kNoNumber;
  if (!std::isnan(rough.mean)) {
    const Neighbours at5 = search.find(sample, tail, rough.mean, rough.sd);
    const Neighbours at95 = search.find(sample, 1.0 - tail, rough.mean, rough.sd);
    std::array<double, 4> ends = {at5.below, at5.above, at95.below, at95.above};
    family.means(column_of(ends.data(), 4));
    low = Neighbours::interpolate(ends[0], ends[1], at5.fraction);
    high = Neighbours::interpolate(ends[2], ends[3], at95.fraction);
  }
  family.means(column_of(eta.data(), eta.size()));
  const Moments moments = moments_of({eta.data(), eta.size()});
  return {moments.mean, moments.sd, low, high};
}

// The same of means, which no one predictor orders, or of responses.
Eigen::RowVector4d summarise_sample(Eigen::Map<const Eigen::ArrayXd> values, double tail,
                                    TailSearch& search) {
  const Moments moments = moments_of(values);
  if (std::isnan(moments.mean)) {
    return Eigen::RowVector4d::Constant(moments.mean);
  }
  const std::span<const double> sample(values.data(), static_cast<std::size_t>(values.size()));
  const auto end = [&](double prob) {
    const Neighbours at = search.find(sample, prob, moments.mean, moments.sd);
    return Neighbours::interpolate(at.below, at.above, at.fraction);
  };
  return {moments.mean, moments.sd, end(tail), end(1.0 - tail)};
}

bool is_discrete(ResponseKind kind) {
  return kind == ResponseKind::kTwoClasses || kind == ResponseKind::kSuccesses ||
         kind == ResponseKind::kTallies || kind == ResponseKind::kCounts;
}

// The same of responses that are counts, as are their quantiles.
Eigen::RowVector4d summarise_counts(Eigen::Map<const Eigen::ArrayXd> values, double tail) {
  const Moments moments = moments_of(values);
  if (std::isnan(moments.mean)) {
    return Eigen::RowVector4d::Constant(moments.mean);
  }
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return {moments.mean, moments.sd, quantile_of_counts(sorted, tail),
          quantile_of_counts(sorted, 1.0 - tail)};
}

// How often each class was drawn, of all draws; NaN where none was.
Eigen::RowVectorXd class_shares(Eigen::Map<const Eigen::ArrayXd> codes, Index classes) {
  Eigen::RowVectorXd shares(classes);
  for (Index k = 0; k < classes; ++k) {
    const auto drawn = static_cast<double>((codes == static_cast<double>(k)).count());
    shares[k] = std::isnan(codes[0]) ? codes[0] : drawn / static_cast<double>(codes.size());
  }
  return shares;
}

// One row's predictors under every draw; those of predictor k start at column k * rows.
DrawsView draws_of(Matrix& eta, Index row, Index rows) {
  return {eta.col(row).data(), eta.rows(), eta.cols() / rows,
          Eigen::OuterStride<>(rows * eta.rows())};
}

// The observation of one row.
struct Observed {
  double response;
  double trials;
};

Observed observed(const Table& table, std::size_t n) {
  return {table.response.values[n], table.weights.empty() ? 1.0 : table.weights[n]};
}

// log p(y | data), the draws averaged.
double log_predictive(const Family& family, const DrawsView& eta, Observed at,
                      std::vector<double>& scratch) {
  scratch.resize(static_cast<std::size_t>(eta.rows()));
  family.log_likelihoods(eta, at.response, at.trials, scratch);
  return log_mean_exp(scratch) + family.log_constant(at.response, at.trials);
}

// A response for every draw.
std::vector<double> sample_responses(const Family& family, const DrawsView& eta, double trials,
                                     Stream stream) {
  std::vector<double> responses;
  std::vector<double> predictors(static_cast<std::size_t>(eta.cols()));
  for (Index s = 0; s < eta.rows(); ++s) {
    for (Index k = 0; k < eta.cols(); ++k) {
      predictors[static_cast<std::size_t>(k)] = eta(s, k);
    }
    responses.push_back(family.sample(stream, predictors, {.trials = trials}));
  }
  return responses;
}

// As read, or as encode_response() leaves them.
double trials_of(const Table& table, std::size_t n, ResponseKind kind) {
  if (kind == ResponseKind::kSuccesses && !table.weights.empty()) {
    return table.weights[n];
  }
  if (kind == ResponseKind::kTallies && table.trials.empty() && !table.response.values.empty()) {
    return Tally::of(table.response.values[n]).trials;
  }
  return table.trials.empty() ? 1.0 : table.trials[n];
}

constexpr std::size_t kFewestColumns = 24;  // of a product that Eigen does not call small

// a b, whose columns have the same digits wherever they stand: columns that fill no panel of
// Eigen's product go another way, as small products do.
Matrix product_by_panels(const Matrix& a, const Eigen::Map<const Matrix>& b) {
  constexpr Index kPanel = 8;
  const Index columns = std::max<Index>(kFewestColumns, (b.cols() + kPanel - 1) / kPanel * kPanel);
  Matrix padded = Matrix::Zero(b.rows(), columns);
  padded.leftCols(b.cols()) = b;
  return a * padded;
}

}  // namespace

bool Predictor::takes_offset(Index predictor) const noexcept {
  const std::size_t auxiliaries = draws_.family->type().auxiliaries.size();
  return predictor < draws_.constants.cols() - static_cast<Index>(auxiliaries);
}

std::size_t Predictor::block_rows() const noexcept {
  constexpr std::size_t kBlockNumbers = std::size_t{1} << 18;  // 2 MiB
  constexpr std::size_t kMostRows = 1024;
  return std::clamp<std::size_t>(kBlockNumbers / (draws_.draws() * draws_.predictors() + 1),
                                 kFewestColumns, kMostRows);
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
      const double offset = table.offset.empty() || !takes_offset(k) ? 0.0 : table.offset[n];
      block.col(i) = (draws_.constants.col(k).array() + offset).matrix();
    }
    const Matrix& slopes = draws_.slopes[static_cast<std::size_t>(k)];
    if (slopes.cols() > 0) {
      block += product_by_panels(slopes, x).leftCols(rows);
    }
  }
  if (draws_.groups) {
    for (Index i = 0; i < rows; ++i) {
      draws_.groups->add(table.factors, range.first + static_cast<std::size_t>(i), x.col(i).data(),
                         eta.col(i).data());
    }
  }
  return eta;
}

Matrix Predictor::means(const Table& table, RowRange range) const {
  Matrix eta = predictors(table, range);
  if (draws_.predictors() == 1) {
    draws_.family->means(column_of(eta.data(), eta.size()));
    return eta;
  }
  const auto rows = static_cast<Index>(range.size());
  for (Index i = 0; i < rows; ++i) {
    draws_.family->means(draws_of(eta, i, rows));
  }
  if (!draws_.family->type().has_probabilities()) {
    return eta.leftCols(rows);
  }
  return eta;
}

// A new response for every draw; NaN where one of its predictors is none.
std::vector<double> Predictor::responses_of(const Table& table, std::size_t row,
                                            const DrawsView& draws, std::size_t first_row) const {
  if (std::isnan(draws.sum())) {
    return std::vector<double>(draws_.draws(), std::numeric_limits<double>::quiet_NaN());
  }
  return sample_responses(*draws_.family, draws,
                          trials_of(table, row, draws_.family->type().response),
                          row_stream(first_row + row));
}

Matrix Predictor::responses(const Table& table, RowRange range, std::size_t first_row) const {
  Matrix eta = predictors(table, range);
  const auto rows = static_cast<Index>(range.size());
  Matrix result(eta.rows(), rows);
  for (Index i = 0; i < rows; ++i) {
    const std::size_t n = range.first + static_cast<std::size_t>(i);
    const std::vector<double> drawn = responses_of(table, n, draws_of(eta, i, rows), first_row);
    result.col(i) = Eigen::Map<const Vector>(drawn.data(), result.rows());
  }
  return result;
}

// `trials` of a row by its number.
template <class Trials>
Matrix Predictor::log_densities_in(const Table& table, RowRange range, const Trials& trials) const {
  Matrix eta = predictors(table, range);
  const auto rows = static_cast<Index>(range.size());
  Matrix result(eta.rows(), rows);
  for (Index i = 0; i < rows; ++i) {
    const std::size_t n = range.first + static_cast<std::size_t>(i);
    const Observed at{table.response.values[n], trials(n)};
    draws_.family->log_likelihoods(draws_of(eta, i, rows), at.response, at.trials,
                                   {result.col(i).data(), draws_.draws()});
    result.col(i).array() += draws_.family->log_constant(at.response, at.trials);
  }
  return result;
}

Matrix Predictor::log_densities(const Table& table, RowRange range) const {
  return log_densities_in(table, range, [](std::size_t) { return 1.0; });
}

Matrix Predictor::log_likelihoods(const Table& table, RowRange range) const {
  return log_densities_in(table, range, [&](std::size_t n) { return observed(table, n).trials; });
}

Stream Predictor::row_stream(std::size_t row) const noexcept {
  return {draws_.run.options.seed, 1, Purpose::kSimulate, row};
}

std::size_t Predictor::width(const PredictHow& how) const noexcept {
  if (!draws_.family->type().has_probabilities()) {
    return kPredictedColumns.size();
  }
  return (how.class_intervals && !how.predictive ? 3 : 1) * draws_.predictors();
}

// Of one row, whose predictors are overwritten: mean probabilities, with ends where asked.
Eigen::RowVectorXd Predictor::class_numbers(const DrawsView& draws, const PredictHow& how,
                                            TailSearch& search) const {
  draws_.family->means(draws);
  Eigen::RowVectorXd numbers(static_cast<Index>(width(how)));
  const Index each = numbers.size() / draws.cols();
  for (Index k = 0; k < draws.cols(); ++k) {
    numbers[each * k] = mean_of(draws.col(k));
    if (how.class_intervals) {
      numbers.segment(each * k + 1, 2) =
          summarise_sample({draws.col(k).data(), draws.rows()}, how.tail, search).tail(2);
    }
  }
  return numbers;
}

PredictedRows Predictor::predict(const Table& table, RowRange range, const PredictHow& how) const {
  const Family& family = *draws_.family;
  const bool classes = family.type().has_probabilities();
  const auto rows = static_cast<Index>(range.size());
  Matrix eta = predictors(table, range);
  PredictedRows result{RowMatrix(rows, static_cast<Index>(width(how))), {}};
  result.responses.resize(how.keeps_responses ? rows : 0, eta.rows());
  TailSearch search;
  std::vector<double> scratch;
  for (Index i = 0; i < rows; ++i) {
    const std::size_t n = range.first + static_cast<std::size_t>(i);
    const DrawsView draws = draws_of(eta, i, rows);
    if (how.log_density) {
      result.log_density.push_back(log_predictive(family, draws, observed(table, n), scratch));
    }
    auto numbers = result.values.row(i);
    if (how.predictive) {
      const std::vector<double> drawn = responses_of(table, n, draws, how.first_row);
      const Eigen::Map<const Eigen::ArrayXd> sample(drawn.data(), draws.rows());
      numbers = classes ? class_shares(sample, numbers.size())
                : is_discrete(family.type().response)
                    ? Eigen::RowVectorXd(summarise_counts(sample, how.tail))
                    : Eigen::RowVectorXd(summarise_sample(sample, how.tail, search));
      if (how.keeps_responses) {
        result.responses.row(i) = sample.matrix().transpose();
      }
    } else if (classes) {
      numbers = class_numbers(draws, how, search);
    } else if (family.predictors() > 1) {
      family.means(draws);
      numbers = summarise_sample({eta.col(i).data(), eta.rows()}, how.tail, search);
    } else {
      numbers = summarise(family, {eta.col(i).data(), eta.rows()}, how.tail, search);
    }
  }
  return result;
}

PredictedRows Predictor::predict(const Table& table, unsigned threads,
                                 const PredictHow& how) const {
  PredictedRows all{RowMatrix(static_cast<Index>(table.rows), static_cast<Index>(width(how))), {}};
  const std::size_t step = block_rows();
  parallel_for((table.rows + step - 1) / step, threads, [&](std::size_t i) {
    const RowRange range{i * step, std::min(table.rows, (i + 1) * step)};
    all.values.middleRows(static_cast<Index>(range.first), static_cast<Index>(range.size())) =
        predict(table, range, how).values;
  });
  return all;
}

PredictedRows predict(const Fit& fit, const Table& rows, unsigned threads) {
  const Problem& problem = fit.problem();
  const std::vector<std::string>& features = problem.data.names();
  if (rows.columns != features) {
    const auto [ours, theirs] =
        std::mismatch(features.begin(), features.end(), rows.columns.begin(), rows.columns.end());
    throw Error(ErrorKind::kData,
                ours == features.end()
                    ? fmt::format("the rows have a column '{}' that the fit has not", *theirs)
                    : fmt::format("the rows have no column '{}' where the fit has it", *ours),
                "predict takes the columns of the fit, in their order.");
  }
  return Predictor(draws_of(fit, {})).predict(rows, threads);
}

RunDraws draws_of(const Fit& fit, const RunSettings& asked, std::size_t at_most) {
  const Problem& problem = fit.problem();
  StoredRun run;
  run.options = RunOptions{fit.settings(), asked};
  run.options.columns = problem.columns;
  run.classes = problem.classes;
  run.levels = problem.levels;
  run.constants = problem.constants;
  run.chosen = problem.family->settings();
  for (const ParameterName& parameter : problem.parameters) {
    run.labels.push_back(parameter.label);
  }
  return arrange_draws(std::move(run), problem.data.names(), fit.chains(), at_most);
}

}  // namespace flymc
