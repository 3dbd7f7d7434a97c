// A regression with coefficients that vary by level, and how its rows are read.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

  [[nodiscard]] ArrowShape shape() const noexcept {
    return {grouping.levels(), grouping.size(), data.columns(), static_cast<Index>(model.shared())};
  }
};

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

  // x.beta + w.u of the row that was read.
  [[nodiscard]] double predict(const double* beta, const double* u) const noexcept {
    double sum = 0.0;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      sum += x_[j] * beta[j];
    }
    for (std::size_t j = 0; j < w_.size(); ++j) {
      sum += w_[j] * u[j];
    }
    return sum;
  }

 private:
  const Dataset& data_;
  const Grouping& grouping_;
  Buffer<double> raw_;
  Buffer<double> x_;
  Buffer<double> w_;
};

struct LevelRange {
  std::size_t first = 0;
  std::size_t last = 0;
};
// Levels in pieces of about as many rows: they depend on the table alone.
[[nodiscard]] std::vector<LevelRange> level_pieces(const Grouping& grouping);

}  // namespace flymc
