// The columns of a table as `inspect` shows them: range, distinct values, which explain which.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/inspect/inspect.hpp"
#include "flymc/dataset.hpp"

namespace flymc::cli {

// Different values in sort order and their rows, as long as they are few.
class Distinct {
 public:
  void add(double value, std::size_t rows = 1) {
    if (values_.size() > kMostDistinct) {
      return;
    }
    const auto at = std::lower_bound(values_.begin(), values_.end(), value);
    const auto i = at - values_.begin();
    if (at == values_.end() || *at != value) {
      values_.insert(at, value);
      rows_.insert(rows_.begin() + i, 0);
    }
    rows_[static_cast<std::size_t>(i)] += rows;
  }
  void add(const Distinct& other) {
    for (std::size_t i = 0; i < other.values_.size(); ++i) {
      add(other.values_[i], other.rows_[i]);
    }
  }
  [[nodiscard]] std::optional<std::size_t> count() const {
    return values_.size() > kMostDistinct ? std::nullopt : std::optional(values_.size());
  }
  [[nodiscard]] bool zero_one() const {
    return values_.size() == 2 && values_[0] == 0.0 && values_[1] == 1.0;
  }
  [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }
  [[nodiscard]] const std::vector<std::size_t>& rows() const noexcept { return rows_; }

 private:
  std::vector<double> values_;
  std::vector<std::size_t> rows_;
};

// Sets the range and the count of distinct values; returns the values.
Distinct describe(const std::vector<double>& values, ColumnFacts& facts);

[[nodiscard]] std::vector<ColumnFacts> describe_columns(const Table& table,
                                                        const ColumnMoments& moments,
                                                        const LoadSpec& spec);

// Columns equal to one before them, bit for bit but for the sign of 0. O(rows columns): one pass in
// order, and one more for each column that seems equal.
[[nodiscard]] std::vector<DependentColumn> equal_columns(const Table& table, unsigned threads);

// Adds columns that several before them explain to those that one does, in the order of the table.
// Returns why it did not look, or nothing. Takes the table with it. Constant columns do not count.
std::string add_dependent_columns(Table table, const ColumnMoments& moments,
                                  std::vector<DependentColumn>& dependent);

// Features whose correlation with a response of numbers or of two classes is nearly 1. A pass.
[[nodiscard]] std::vector<Leak> find_leaks(const Table& table, const ColumnMoments& moments);

}  // namespace flymc::cli
