#include "compare/row_density.hpp"

#include <algorithm>
#include <numeric>

#include "core/parallel.hpp"

namespace flymc {
namespace {

constexpr std::size_t kBlockNumbers = std::size_t{1} << 17;  // of predictors: 1 MiB

// Trials are kept as weights; of other rows a weight multiplies the whole log density.
struct Observation {
  double response;
  double trials;
  double weight;
};

Observation observation(const Problem& problem, std::size_t row) {
  const double weight = problem.data.weight(row);
  const bool trials = problem.family->type().response == ResponseKind::kSuccesses;
  return {problem.data.response(row), trials ? weight : 1.0, trials ? 1.0 : weight};
}

// Points about a centre, one row each: the centre, +-h_i e_i, +-(h_i e_i + h_j e_j); from the
// values of a function there come its second derivatives.
class Differences {
 public:
  explicit Differences(Index dimensions)
      : k_(dimensions), points_(1 + 2 * k_ + k_ * (k_ - 1), k_), values_(points_.rows()) {}

  void place(const Eigen::RowVectorXd& centre, const Eigen::RowVectorXd& step) {
    step_ = step;
    points_.rowwise() = centre;
    Index row = 1;
    for (Index i = 0; i < k_; ++i) {
      points_(row++, i) += step[i];
      points_(row++, i) -= step[i];
    }
    for (Index i = 0; i < k_; ++i) {
      for (Index j = 0; j < i; ++j) {
        for (const double sign : {1.0, -1.0}) {
          points_(row, i) += sign * step[i];
          points_(row++, j) += sign * step[j];
        }
      }
    }
  }
  [[nodiscard]] DrawsView points() {
    return {points_.data(), points_.rows(), k_, Eigen::OuterStride<>(points_.rows())};
  }
  [[nodiscard]] std::span<double> values() {
    return {values_.data(), static_cast<std::size_t>(values_.size())};
  }
  // j <= i.
  [[nodiscard]] double second(Index i, Index j) const {
    const auto along = [&](Index a) { return values_[1 + 2 * a] + values_[2 + 2 * a]; };
    if (i == j) {
      return (along(i) - 2.0 * values_[0]) / (step_[i] * step_[i]);
    }
    const Index row = 1 + 2 * k_ + 2 * (i * (i - 1) / 2 + j);
    const double both = values_[row] + values_[row + 1];
    return (both - along(i) - along(j) + 2.0 * values_[0]) / (2.0 * step_[i] * step_[j]);
  }

 private:
  Index k_;
  Matrix points_;
  Vector values_;
  Eigen::RowVectorXd step_;
};

// -d^2 log p(y_n) / d eta_i d eta_j of some rows, a column for each pair j <= i.
Matrix row_information(const Problem& problem, std::span<const std::size_t> rows, Matrix& eta) {
  const Index k = problem.predictors();
  Matrix weights(static_cast<Index>(rows.size()), k * (k + 1) / 2);
  Differences differences(k);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const DrawsView at = predictors_of(eta, n, rows.size());
    const Eigen::RowVectorXd mean = at.matrix().colwise().mean();
    const Eigen::RowVectorXd spread =
        ((at.matrix().rowwise() - mean).colwise().squaredNorm() / static_cast<double>(at.rows()))
            .cwiseSqrt();
    // So wide that rounding leaves digits.
    differences.place(mean, spread.cwiseMax((1e-5 * (1.0 + mean.array().abs())).matrix()));
    log_densities(problem, rows[n], differences.points(), differences.values());
    for (Index i = 0; i < k; ++i) {
      for (Index j = 0; j <= i; ++j) {
        weights(static_cast<Index>(n), i * (i + 1) / 2 + j) = -differences.second(i, j);
      }
    }
  }
  return weights;
}

// The share of some rows in information().
void add_information(const Problem& problem, std::span<const std::size_t> rows,
                     const LinearDraws& draws, Matrix& sum) {
  const Design& design = problem.data.design();
  const RowMatrix x = standardised(problem.data, rows);
  const ConstRowMatrixView all(x.data(), x.rows(), x.cols());
  Matrix eta = predictors(problem, rows, x, draws);
  const Matrix weights = row_information(problem, rows, eta);
  RowMatrix left;
  RowMatrix right;
  for (int i = 0; i < problem.predictors(); ++i) {
    for (int j = 0; j <= i; ++j) {
      const Matrix gram = design.columns_of(i, all, left).transpose() *
                          weights.col(i * (i + 1) / 2 + j).asDiagonal() *
                          design.columns_of(j, all, right);
      sum.block(design.first(i), design.first(j), gram.rows(), gram.cols()) += gram;
      if (i != j) {
        sum.block(design.first(j), design.first(i), gram.cols(), gram.rows()) += gram.transpose();
      }
    }
  }
}

}  // namespace

RowMatrix standardised(const Dataset& data, std::span<const std::size_t> rows) {
  RowMatrix x(static_cast<Index>(rows.size()), data.columns());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    data.copy_row(rows[i], x.row(static_cast<Index>(i)).data());
  }
  return x;
}

LinearDraws linear_draws(const Problem& problem, const RunChains& run, std::size_t at_most) {
  LinearDraws draws{theta_draws(problem, run, at_most)};
  draws.levels = arrange_groups(problem, run, spaced_draws(run, at_most));
  return draws;
}

Matrix linear_parts(const Problem& problem, std::span<const std::size_t> rows, const RowMatrix& x,
                    const LinearDraws& draws) {
  const Design& design = problem.data.design();
  const auto count = static_cast<Index>(rows.size());
  Matrix parts(draws.theta.cols(), count * problem.predictors());
  RowMatrix scratch;
  for (int k = 0; k < problem.predictors(); ++k) {
    const ConstRowMatrixView columns =
        design.columns_of(k, {x.data(), x.rows(), x.cols()}, scratch);
    parts.middleCols(k * count, count).noalias() =
        draws.theta.middleRows(design.first(k), design.size(k)).transpose() * columns.transpose();
  }
  Vector raw(problem.data.columns());
  for (Index i = 0; i < count && draws.levels; ++i) {  // the first predictor alone has them
    const std::size_t row = rows[static_cast<std::size_t>(i)];
    draws.levels->add(problem.data.factors(), row, problem.data.row(row, raw.data()).raw,
                      parts.col(i).data());
  }
  return parts;
}

Matrix predictors(const Problem& problem, std::span<const std::size_t> rows, const RowMatrix& x,
                  const LinearDraws& draws) {
  Matrix eta = linear_parts(problem, rows, x, draws);
  const auto count = static_cast<Index>(rows.size());
  Vector raw(problem.data.columns());
  for (int k = 0; k < problem.predictors(); ++k) {
    for (Index i = 0; i < count; ++i) {
      const std::size_t row = rows[static_cast<std::size_t>(i)];
      eta.col(k * count + i).array() += problem.data.offset(problem.data.row(row, raw.data()), k);
    }
  }
  return eta;
}

DrawsView predictors_of(Matrix& eta, std::size_t row, std::size_t rows) {
  const auto count = static_cast<Index>(rows);
  return {eta.col(static_cast<Index>(row)).data(), eta.rows(), eta.cols() / count,
          Eigen::OuterStride<>(count * eta.rows())};
}

void log_densities(const Problem& problem, std::size_t row, const DrawsView& eta,
                   std::span<double> out) {
  const Observation at = observation(problem, row);
  problem.family->log_likelihoods(eta, at.response, at.trials, out);
  const double constant = problem.family->log_constant(at.response, at.trials);
  for (double& value : out) {
    value = at.weight * (value + constant);
  }
}

double log_constants(const Problem& problem) {
  double sum = 0.0;
  for (std::size_t n = 0; n < problem.data.rows(); ++n) {
    const Observation at = observation(problem, n);
    sum += at.weight * problem.family->log_constant(at.response, at.trials);
  }
  return sum;
}

Vector log_likelihoods(const Problem& problem, const Matrix& theta, unsigned threads) {
  const SequentialRead in_order = problem.data.streaming();
  const LinearDraws draws{{theta}};
  const auto count = static_cast<std::size_t>(theta.cols());
  const auto chunks = row_chunks(problem.data.rows(), count * sizeof(double));
  const std::size_t step = std::clamp<std::size_t>(
      kBlockNumbers / (count * static_cast<std::size_t>(problem.predictors()) + 1), 8, 1024);
  std::vector<Vector> sums(chunks.size());
  parallel_for(chunks.size(), threads, [&](std::size_t c) {
    Vector sum = Vector::Zero(theta.cols());
    Vector one(theta.cols());
    for (std::size_t first = chunks[c].first; first < chunks[c].last; first += step) {
      std::vector<std::size_t> rows(std::min(step, chunks[c].last - first));
      std::iota(rows.begin(), rows.end(), first);
      Matrix eta = predictors(problem, rows, standardised(problem.data, rows), draws);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        log_densities(problem, rows[i], predictors_of(eta, i, rows.size()), {one.data(), count});
        sum += one;
      }
    }
    sums[c] = std::move(sum);
  });
  Vector total = Vector::Zero(theta.cols());
  for (const Vector& sum : sums) {
    total += sum;
  }
  return total;
}

Matrix information(const Problem& problem, const Matrix& draws) {
  const SequentialRead in_order = problem.data.streaming();
  const auto bytes = static_cast<std::size_t>(draws.rows() * draws.rows()) * sizeof(double);
  const auto chunks = row_chunks(problem.data.rows(), bytes);
  constexpr std::size_t kStep = 256;
  const LinearDraws at{{draws}};
  std::vector<Matrix> sums(chunks.size());
  parallel_for(chunks.size(), 0, [&](std::size_t c) {
    sums[c] = Matrix::Zero(draws.rows(), draws.rows());
    std::vector<std::size_t> rows;
    for (std::size_t first = chunks[c].first; first < chunks[c].last; first += kStep) {
      rows.resize(std::min(kStep, chunks[c].last - first));
      std::iota(rows.begin(), rows.end(), first);
      add_information(problem, rows, at, sums[c]);
    }
  });
  Matrix total = Matrix::Zero(draws.rows(), draws.rows());
  for (const Matrix& sum : sums) {
    total += sum;
  }
  return total;
}

}  // namespace flymc
