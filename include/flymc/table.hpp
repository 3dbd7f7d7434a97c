// A table as it was read: numeric features in row-major order, one response, nothing transformed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/data/table/row_gaps.hpp"
#include "flymc/detail/data/table/row_source.hpp"
#include "flymc/detail/ranks/shard.hpp"

namespace flymc {

// The observed values. Where the file holds text, `labels` are its distinct values in sort order
// and `values[n]` is the index of row n's label; where it holds numbers, `labels` is empty.
struct Response {
  std::string name{};
  std::vector<double> values{};
  std::vector<std::string> labels{};
};

// The levels of categorical columns by the name of the column, in sort order but for a reference
// level that was asked for, which is the first. The first has no indicator unless a formula needs
// one.
using Levels = std::map<std::string, std::vector<std::string>>;

// How a row belongs to a level: that which the values of these columns name together, its
// coefficients taken with this sign.
struct GroupMember {
  std::vector<std::string> columns{};
  double sign = 1.0;

  bool operator==(const GroupMember&) const = default;
};

// `(1 + x | g)` of a formula: what varies, and by which factor. Of `s(x, k)`, a penalised spline,
// it is what columns add to a straight line: their coefficients scatter as levels do, and no row
// belongs to one of them alone.
struct GroupTerm {
  std::string factor{};                // its name: that of a column, or a:b, a-b, a+b of several
  std::vector<GroupMember> members{};  // of one set of levels; none: the column of that name
  bool intercept = true;
  std::vector<std::string> slopes{};  // columns of the table
  bool correlated = true;
  std::vector<std::string> splines{};  // columns of the table, one after the other; no factor

  [[nodiscard]] bool is_smooth() const noexcept { return !splines.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return slopes.size() + (intercept ? 1 : 0); }
  // One factor of a table each.
  [[nodiscard]] std::vector<GroupMember> all_members() const {
    return members.empty() && !is_smooth() ? std::vector<GroupMember>{{{factor}}} : members;
  }
  bool operator==(const GroupTerm&) const = default;
};

// A column whose values name levels that have coefficients of their own: a number a row.
struct Factor {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};  // the code of a missing value

  std::string name{};
  std::vector<std::string> labels{};   // distinct, in sort order
  std::vector<std::uint32_t> codes{};  // of each row, a position among the labels
};
// Numbers that all rows decide, by the name of the column that is made with them: mean and standard
// deviation of scale(a), the polynomials of poly(a, k), the mean in the place of missing values
// (a_missing), the first day of a date (date(a)).
using Constants = std::map<std::string, std::vector<double>>;

// REQUIRES: x.size() == rows * columns.size(), or x empty and `source` of that shape; every number
// finite; weights, offset and trials empty or of length rows; weights >= 0.
struct Table {
  std::size_t rows = 0;                // held here
  std::vector<std::string> columns{};  // names of the features
  Buffer<double> x{};                  // row-major, rows x columns
  RowSource source{};                  // the rows instead, where they are not the table's own
  Response response{};
  std::vector<double> weights{};
  std::vector<double> offset{};
  std::vector<double> trials{};  // of a binomial response, as read; of times 1 for a censored one
  std::string trials_name = "trials";
  std::size_t left_out = 0;   // rows of the file that are not here
  RowGaps gaps{};             // which; nothing where ranks share the rows
  std::size_t first_row = 0;  // of a block: where it starts in its table
  Levels levels{};            // of the columns that became indicators
  Constants constants{};
  std::vector<Factor> factors{};  // that group effects are of
  Shard shard{};                  // where other ranks hold more, or rows were merged; else empty

  // Which rows of all these are; the table's own numbers start at 0.
  [[nodiscard]] Shard sharding() const { return shard.rows() > 0 ? shard : Shard(rows); }

  // Features of some rows, row after row, wherever they lie; `scratch` holds that many numbers and
  // is written where they have to be put together. Free where the table owns its rows.
  [[nodiscard]] const double* block(RowRange range, double* scratch) const noexcept {
    return source.empty() ? x.data() + range.first * columns.size() : source.block(range, scratch);
  }
  [[nodiscard]] const double* row(std::size_t n, double* scratch) const noexcept {
    return block({n, n + 1}, scratch);
  }
};

}  // namespace flymc
