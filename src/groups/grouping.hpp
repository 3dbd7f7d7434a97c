// One factor of a table: the level of each row, and the columns whose coefficients vary by level.
//
//   eta_i = offset_i + x_i.beta + w_i.u_g(i),   w_i = (1, some columns as they were read)
//
// Rows are visited level by level: what belongs to a level is summed by one thread, in one order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "flymc/dataset.hpp"
#include "groups/level_shard.hpp"
#include "groups/row_numbers.hpp"

namespace flymc {

inline constexpr std::size_t kMostVarying = 10;  // coefficients a level

// THROWS Error(kUsage) where too many vary.
void require_few_varying(const GroupTerm& term);

// The column of the table that a slope is of. THROWS Error(kUsage) where there is none.
[[nodiscard]] std::ptrdiff_t slope_column(const Dataset& data, const GroupTerm& term,
                                          const std::string& slope);

// How many rows each level has.
[[nodiscard]] std::vector<std::uint64_t> rows_of_levels(const Factor& factor);

// Immutable.
class Grouping {
 public:
  // THROWS Error(kUsage) where the table lacks a column of the term, or too many vary.
  Grouping(const Dataset& data, const Factor& factor, const GroupTerm& term);
  // Of the rows that this rank holds; the factor has the levels of all.
  Grouping(const Dataset& data, const Factor& factor, const GroupTerm& term, LevelShard shard,
           RowNumbers numbers);

  [[nodiscard]] const LevelShard& shard() const noexcept { return shard_; }
  [[nodiscard]] const RowNumbers& numbers() const noexcept { return numbers_; }

  [[nodiscard]] std::size_t levels() const noexcept { return first_.size() - 1; }
  [[nodiscard]] Index size() const noexcept { return static_cast<Index>(columns_.size()); }
  [[nodiscard]] bool is_intercept() const noexcept {
    return columns_.size() == 1 && columns_.front() == kIntercept;
  }
  [[nodiscard]] std::size_t level(std::size_t row) const noexcept { return codes_[row]; }
  // Rows of a level that lie here, ascending; those of all levels one after the other.
  [[nodiscard]] std::span<const std::uint32_t> rows(std::size_t level) const noexcept {
    return {rows_.data() + first_[level], first_[level + 1] - first_[level]};
  }

  // w of a row as it was read.
  void copy(const double* raw_row, double* out) const noexcept {
    for (const std::ptrdiff_t column : columns_) {
      *out++ = column == kIntercept ? 1.0 : raw_row[column];
    }
  }

 private:
  static constexpr std::ptrdiff_t kIntercept = -1;

  LevelShard shard_;
  RowNumbers numbers_;
  std::span<const std::uint32_t> codes_;
  std::vector<std::ptrdiff_t> columns_;
  std::vector<std::size_t> first_;  // of each level, in rows_; one more at the end
  Buffer<std::uint32_t> rows_;
};

}  // namespace flymc
