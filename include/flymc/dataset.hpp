// The rows as the engine sees them: x_n = [1, (raw - center) / scale], response, weight, offset.
// They are numbered over all ranks (shard.hpp); what is asked of a row by its number is asked of
// the rank that holds it.
//
// The raw numbers are never copied or changed; standardising is folded into the coefficients for
// predictors (one dot product on the raw row) and applied row by row where a row itself is needed.
// Immutable after construction, safe to share between threads.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/data/table/design.hpp"
#include "flymc/detail/data/table/sequential_read.hpp"
#include "flymc/table.hpp"

namespace flymc {

// Cuts n rows into pieces for a pass whose partial result takes `partial_bytes`. Depends on the
// problem only, never on the machine, so that merged sums are the same for any number of threads.
[[nodiscard]] std::vector<RowRange> row_chunks(std::size_t n, std::size_t partial_bytes);

// Mean and standard deviation (divisor n - 1; 0 for one row) of every column, over all ranks.
struct ColumnMoments {
  Vector mean;
  Vector sd;
};
[[nodiscard]] ColumnMoments column_moments(const Table& table, unsigned threads);

// Removes columns (indices ascending) from the table: in place where it owns its rows, else by
// leaving them out of the selection.
void drop_columns(Table& table, const std::vector<std::size_t>& columns);
// Only these columns, each once, in this order.
void keep_columns(Table& table, const std::vector<std::size_t>& columns);

// Some rows, by their numbers over all ranks, as a table of this process, with their weights
// multiplied. Labels and trials, which an encoded response no longer needs, stay behind.
[[nodiscard]] Table copy_rows(const Table& table, const std::vector<std::size_t>& rows,
                              double weight_factor, unsigned threads);

class Dataset {
 public:
  struct Options {
    bool intercept = true;
    Vector center;  // one per raw column; empty: zeros. REQUIRES an intercept where not zero.
    Vector scale;   // one per raw column; empty: ones
    // Columns of each predictor (with an intercept column 0 is it, else the first raw one), for a
    // MatrixLikelihood alone; empty: all for each, however many there are. A predictor without the
    // intercept is that of the centred columns.
    std::vector<std::vector<Index>> predictors{};
    // Of each of these predictors, raw columns that are added to it as they are; empty: none.
    std::vector<std::vector<Index>> offsets{};
  };

  // REQUIRES: table.response holds the values as the model wants them (labels already encoded,
  // trials turned into weights).
  Dataset(Table table, Options options);

  [[nodiscard]] std::size_t rows() const noexcept { return shard_.rows(); }
  [[nodiscard]] const Shard& shard() const noexcept { return shard_; }
  [[nodiscard]] Index columns() const noexcept { return raw_columns() + (intercept_ ? 1 : 0); }
  [[nodiscard]] bool intercept() const noexcept { return intercept_; }
  [[nodiscard]] const Design& design() const noexcept { return design_; }
  [[nodiscard]] bool has_intercept(int predictor) const noexcept {
    return intercept_ && design_.size(predictor) > 0 && design_.column(predictor, 0) == 0;
  }
  // The same number in every row: this predictor is an intercept alone.
  [[nodiscard]] bool is_shared(int predictor) const noexcept {
    return design_.is_chosen() && design_.size(predictor) == 1 && has_intercept(predictor) &&
           offset_columns(predictor).empty();
  }
  // The predictors where every other column is 0, and offsets are.
  [[nodiscard]] std::vector<double> constants(const Vector& theta, int predictors) const {
    std::vector<double> eta;
    for (int k = 0; k < predictors; ++k) {
      eta.push_back(has_intercept(k) ? theta[design_.first(k)] : 0.0);
    }
    return eta;
  }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return table_.columns; }
  [[nodiscard]] const std::vector<Factor>& factors() const noexcept { return table_.factors; }
  [[nodiscard]] double response(std::size_t n) const noexcept {
    return table_.response.values[n - first_];
  }
  // From row n on, as many as are held here.
  [[nodiscard]] const double* responses(std::size_t n) const noexcept {
    return table_.response.values.data() + (n - first_);
  }
  [[nodiscard]] double weight(std::size_t n) const noexcept {
    return table_.weights.empty() ? 1.0 : table_.weights[n - first_];
  }
  // The same; null where every weight is 1.
  [[nodiscard]] const double* weights(std::size_t n) const noexcept {
    return table_.weights.empty() ? nullptr : table_.weights.data() + (n - first_);
  }
  // Of the table: in each predictor, or where these have columns of their own in the first.
  [[nodiscard]] double offset(std::size_t n) const noexcept {
    return table_.offset.empty() ? 0.0 : table_.offset[n - first_];
  }

  // While it lives, rows are read in order.
  [[nodiscard]] SequentialRead streaming() const noexcept { return SequentialRead(table_.source); }

  // The table again, to be changed; ends this.
  [[nodiscard]] Table release() && { return std::move(table_); }

  // A copy of some rows (ascending, the same list at every rank), standardised as here, with their
  // weights multiplied. Each stays at the rank that holds it, in what is left of its section.
  [[nodiscard]] Dataset sample(const std::vector<std::size_t>& rows, double weight_factor,
                               unsigned threads) const;

  // Other rows of the same columns, maybe none, standardised as here. REQUIRES: parts of one
  // length.
  [[nodiscard]] Dataset like_this(Table rows) const { return {std::move(rows), *this}; }
  // Every row at the rank that `to` says, one entry a row held here; there they are a process's
  // own, numbered from 0 in their order among all rows, which `numbers` tells. Collective.
  [[nodiscard]] Dataset deal(std::span<const int> to, std::vector<std::size_t>& numbers) const;

  // The rows alone: no offset, every weight 1, every column of every predictor.
  [[nodiscard]] Dataset bare() &&;

  // Some rows as they were read.
  struct RawBlock {
    RowRange range;
    ConstRowMatrixView x;
  };
  // Where they lie, or in `scratch` where they have to be put together (see RowSource).
  [[nodiscard]] RawBlock raw(RowRange range, Buffer<double>& scratch) const;

  // Writes the standardised row n, columns() numbers.
  void copy_row(std::size_t n, double* out) const noexcept;
  // The same of a row as it was read, or of several that lie one after another.
  void standardise(const double* raw_rows, double* out, Index rows = 1) const noexcept;

  // The same as a background, common to all rows, and what a row adds to it, few entries where most
  // of its raw numbers are zeros. The background is the row of zeros standardised, but 0 in a
  // column whose zero is more than a standard deviation off its mean: it holds few, and adding up
  // would cost digits.
  struct Entry {
    Index column = 0;
    double value = 0.0;
  };
  [[nodiscard]] Vector background() const;
  // Appends a row's entries, columns ascending.
  void append_entries(const double* raw_row, std::vector<Entry>& out) const;

  // Coefficients of the raw columns, one column of `folded` per predictor: the slopes, then in the
  // last row the constant. Also the map by which draws leave in the input's units.
  void fold(const Eigen::Ref<const Vector>& theta, Eigen::Ref<Matrix> folded) const noexcept;
  [[nodiscard]] Index folded_rows() const noexcept { return raw_columns() + 1; }

  // out (rows x K) = predictors of a block of rows from folded coefficients, offsets included.
  void predict(const RawBlock& block, const Eigen::Ref<const Matrix>& folded,
               RowMatrixView out) const noexcept;

  // One row as it was read, and what belongs to it: all that a rank that does not hold it needs.
  struct Row {
    const double* raw = nullptr;
    double response = 0.0;
    double weight = 1.0;
    double offset = 0.0;
  };
  // `scratch` holds columns() numbers.
  [[nodiscard]] Row row(std::size_t n, double* scratch) const noexcept {
    return {table_.row(n - first_, scratch), response(n), weight(n), offset(n)};
  }
  // All that is added to one of its predictors without a coefficient.
  [[nodiscard]] double offset(const Row& row, Index predictor) const noexcept {
    double sum = design_.takes_offset(predictor) ? row.offset : 0.0;
    for (const Index column : offset_columns(predictor)) {
      sum += row.raw[column];
    }
    return sum;
  }
  // Rows of any rank; `features` holds what they point to. Collective where rows are split.
  [[nodiscard]] std::vector<Row> fetch(std::span<const std::size_t> rows,
                                       Buffer<double>& features) const;
  [[nodiscard]] Index raw_columns() const noexcept {
    return static_cast<Index>(table_.columns.size());
  }
  void predict_row(const Row& row, const Eigen::Ref<const Matrix>& folded,
                   double* out) const noexcept;
  void predict_row(std::size_t n, const Eigen::Ref<const Matrix>& folded, double* out,
                   double* scratch) const noexcept {
    predict_row(row(n, scratch), folded, out);
  }

  // folded_gradient (folded_rows() x K) += sum over the block of [raw row, 1] slopes_n': the
  // gradient with respect to folded coefficients.
  static void add_slopes(const RawBlock& block, ConstRowMatrixView slopes,
                         Eigen::Ref<Matrix> folded_gradient) noexcept;

  // The transpose of fold(): turns that gradient into one with respect to theta.
  void unfold_gradient(const Eigen::Ref<const Matrix>& folded_gradient,
                       Eigen::Ref<Vector> gradient) const noexcept;

 private:
  Dataset(Table rows, const Dataset& like);

  // Raw ones. (Predictors of several draws may stand side by side.)
  [[nodiscard]] std::span<const Index> offset_columns(Index predictor) const noexcept {
    return offsets_.empty() ? std::span<const Index>{}
                            : offsets_[static_cast<std::size_t>(predictor) % offsets_.size()];
  }
  [[nodiscard]] bool has_background(Index raw_column) const noexcept {
    return std::abs(center_[raw_column] * inverse_scale_[raw_column]) <= 1.0;
  }

  Table table_;
  Shard shard_;
  std::size_t first_ = 0;  // row held here
  bool intercept_;
  Vector center_;
  Vector inverse_scale_;
  Design design_;
  std::vector<std::vector<Index>> offsets_;  // of each predictor; empty: none
};

}  // namespace flymc
