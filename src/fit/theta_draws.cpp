#include "fit/theta_draws.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace flymc {
namespace {

// The parameters of a chain, in the order of their places.
std::vector<std::span<const double>> columns_of(const Problem& problem, const ChainDraws& chain) {
  std::vector<std::span<const double>> columns;
  for (const ParameterPlace& place : problem.places) {
    columns.push_back(chain.column(place.name.column));
  }
  return columns;
}

// Coefficients of the raw columns of one draw, one column a predictor; the constant last.
void fill_folded(const Problem& problem, std::span<const std::span<const double>> columns,
                 std::size_t draw, Matrix& folded) {
  for (std::size_t i = 0; i < problem.places.size(); ++i) {
    const ParameterPlace& place = problem.places[i];
    const Index row = place.column == ParameterPlace::kConstant ? folded.rows() - 1 : place.column;
    folded(row, place.predictor) = to_predictor(place.natural, columns[i][draw]);
  }
}

// The inverse of Dataset::fold(): raw x becomes (x - center) / scale, and what the constant lost to
// the centres goes back to it.
class Unfold {
 public:
  explicit Unfold(const Dataset& data, int predictors)
      : data_(data), first_(data.intercept() ? 1 : 0), origin_(data.columns()) {
    const Vector zeros = Vector::Zero(data.raw_columns());
    data.standardise(zeros.data(), origin_.data());
    inverse_scale_.resize(data.folded_rows(), predictors);
    data.fold(Vector::Ones(data.design().parameters(predictors)), inverse_scale_);
  }

  void operator()(const Matrix& folded, Eigen::Ref<Vector> theta) const {
    const Design& design = data_.design();
    double lost = 0.0;  // by a first predictor without an intercept, to cut points
    for (int k = 0; k < static_cast<int>(folded.cols()); ++k) {
      double constant = folded(folded.rows() - 1, k) - lost;
      for (Index c = design.size(k); c-- > 0;) {
        const Index column = design.column(k, c);
        double& coefficient = theta[design.first(k) + c];
        if (column < first_) {
          coefficient = constant;  // the first column: all others are in it by now
        } else {
          const Index raw = column - first_;
          coefficient = folded(raw, k) / inverse_scale_(raw, k);
          constant -= coefficient * origin_[column];
        }
      }
      lost = k == 0 && !data_.has_intercept(0) ? constant : lost;
    }
  }

 private:
  const Dataset& data_;
  Index first_;
  Vector origin_;         // a raw row of zeros, standardised
  Matrix inverse_scale_;  // of each predictor's columns
};

}  // namespace

std::vector<std::size_t> spaced_draws(const RunChains& run, std::size_t at_most) {
  const std::size_t each = run.chains.front().draws();
  const std::size_t kept = std::min(
      each, std::max<std::size_t>(1, at_most / std::max<std::size_t>(1, run.chains.size())));
  std::vector<std::size_t> spaced;
  for (std::size_t chain = 0; chain < run.chains.size(); ++chain) {
    for (std::size_t i = 0; i < kept; ++i) {
      spaced.push_back(chain * each + i * each / kept);
    }
  }
  return spaced;
}

ThetaDraws theta_draws(const Problem& problem, const RunChains& run, std::size_t at_most) {
  const std::vector<std::size_t> spaced = spaced_draws(run, at_most);
  const std::size_t each = run.chains.front().draws();
  const int predictors = problem.predictors();
  const Unfold unfold(problem.data, predictors);
  ThetaDraws draws{
      Matrix(problem.data.design().parameters(predictors), static_cast<Index>(spaced.size())),
      run.chains.size()};
  Matrix folded = Matrix::Zero(problem.data.folded_rows(), predictors);
  for (std::size_t i = 0; i < spaced.size();) {
    const std::size_t chain = spaced[i] / each;
    const auto columns = columns_of(problem, run.chains[chain]);
    for (; i < spaced.size() && spaced[i] / each == chain; ++i) {
      fill_folded(problem, columns, spaced[i] % each, folded);
      unfold(folded, draws.theta.col(static_cast<Index>(i)));
    }
  }
  return draws;
}

}  // namespace flymc
