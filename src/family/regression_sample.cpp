#include "family/regression_sample.hpp"

#include <vector>

namespace flymc {

RegressionSample regression_sample(const Dataset& data, std::span<const std::size_t> numbers) {
  const auto count = static_cast<Index>(numbers.size());
  RegressionSample sample{RowMatrix(count, data.columns()), Vector(count), Vector(count)};
  Buffer<double> records;
  const std::vector<Dataset::Row> rows = data.fetch(numbers, records);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<Index>(i);
    data.standardise(rows[i].raw, sample.x.row(row).data());
    sample.y[row] = rows[i].response - rows[i].offset;
    sample.weight[row] = rows[i].weight;
  }
  return sample;
}

Vector weighted_least_squares(const RegressionSample& sample, const Vector& weight) {
  Matrix gram = sample.x.transpose() * weight.asDiagonal() * sample.x;
  gram.diagonal() *= 1.0 + 1e-9;
  gram.diagonal().array() += 1e-12 * gram.diagonal().maxCoeff();
  return gram.ldlt().solve(sample.x.transpose() * weight.cwiseProduct(sample.y));
}

}  // namespace flymc
