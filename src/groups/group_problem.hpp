// A regression with coefficients that vary by level, and how its rows are read.
#pragma once

#include <cstddef>
#include <span>

#include "groups/arrow.hpp"
#include "groups/grouping.hpp"
#include "groups/row_model.hpp"

namespace flymc {

// All of these outlive what is made of them.
struct GroupProblem {
  const Dataset& data;
  const Grouping& grouping;
  const RowModel& model;
  const FixedPrior& prior;
  const GroupScales& scales;

  [[nodiscard]] std::size_t rows() const noexcept { return grouping.numbers().rows(); }  // of all
  [[nodiscard]] ArrowShape shape() const noexcept {
    return {grouping.levels(), grouping.size(), data.columns(), static_cast<Index>(model.shared())};
  }
};

// x.beta + w.u.
[[nodiscard]] inline double predict_row(std::span<const double> x, std::span<const double> w,
                                        const double* beta, const double* u) noexcept {
  double sum = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    sum += x[j] * beta[j];
  }
  for (std::size_t j = 0; j < w.size(); ++j) {
    sum += w[j] * u[j];
  }
  return sum;
}

// One row at a time, for one thread: x standardised, with its intercept, and w.
class GroupReader {
 public:
  GroupReader(const Dataset& data, const Grouping& grouping)
      : data_(data),
        grouping_(grouping),
        raw_(static_cast<std::size_t>(data.columns())),
        x_(static_cast<std::size_t>(data.columns())),
        w_(static_cast<std::size_t>(grouping.size())) {}

  void read(std::size_t n) noexcept {
    const double* const raw = data_.row(n, raw_.data()).raw;
    data_.standardise(raw, x_.data());
    grouping_.copy(raw, w_.data());
  }
  [[nodiscard]] std::span<const double> x() const noexcept { return x_; }
  [[nodiscard]] std::span<const double> w() const noexcept { return w_; }

  // Of the row that was read.
  [[nodiscard]] double predict(const double* beta, const double* u) const noexcept {
    return predict_row(x_, w_, beta, u);
  }

 private:
  const Dataset& data_;
  const Grouping& grouping_;
  Buffer<double> raw_;
  Buffer<double> x_;
  Buffer<double> w_;
};

}  // namespace flymc
