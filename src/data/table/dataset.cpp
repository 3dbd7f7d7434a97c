#include "flymc/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/parallel.hpp"
#include "data/table/redistribute_rows.hpp"
#include "flymc/error.hpp"

namespace flymc {

std::vector<RowRange> row_chunks(std::size_t n, std::size_t partial_bytes) {
  constexpr std::size_t kMinRows = 512;
  constexpr std::size_t kMaxChunks = 64;
  constexpr std::size_t kBudgetBytes = std::size_t{1} << 29;
  const std::size_t by_memory = std::max<std::size_t>(2, kBudgetBytes / (partial_bytes + 1));
  const std::size_t by_rows = (n + kMinRows - 1) / kMinRows;
  const std::size_t count = std::max<std::size_t>(1, std::min({by_rows, kMaxChunks, by_memory}));
  std::vector<RowRange> chunks;
  for (std::size_t i = 0; i < count; ++i) {
    chunks.push_back(
        {n / count * i + std::min(i, n % count), n / count * (i + 1) + std::min(i + 1, n % count)});
  }
  return chunks;
}

void drop_columns(Table& table, const std::vector<std::size_t>& columns) {
  if (columns.empty()) {
    return;
  }
  const std::size_t d = table.columns.size();
  std::vector<std::size_t> keep;
  for (std::size_t j = 0; j < d; ++j) {
    if (!std::binary_search(columns.begin(), columns.end(), j)) {
      keep.push_back(j);
    }
  }
  keep_columns(table, keep);
}

void keep_columns(Table& table, const std::vector<std::size_t>& columns) {
  if (table.source.empty()) {
    // Rows shrink towards the front, so a row is read before anything is written over it.
    const std::size_t d = table.columns.size();
    std::vector<double> row(d);
    double* out = table.x.data();
    for (std::size_t n = 0; n < table.rows; ++n) {
      std::copy_n(table.x.data() + n * d, d, row.begin());
      for (const std::size_t j : columns) {
        *out++ = row[j];
      }
    }
    table.x.resize(table.rows * columns.size());
  } else {
    table.source.keep_columns(columns);
  }
  std::vector<std::string> names;
  for (const std::size_t j : columns) {
    names.push_back(table.columns[j]);
  }
  table.columns = std::move(names);
}

namespace {

Buffer<double> features_of(const Table& table, const Shard& shard,
                           std::span<const std::size_t> rows, unsigned threads) {
  const std::size_t width = table.columns.size();
  // So near to one another that reading what lies between is cheaper than stopping for each.
  constexpr std::size_t kNearBytes = std::size_t{1} << 17;
  const bool near = shard.rows() * width * sizeof(double) < rows.size() * kNearBytes;
  const SequentialRead in_order(near ? table.source : RowSource{});
  const auto write = [&](std::size_t row, double* out) {
    if (const double* const x = table.row(row - shard.mine().first, out); x != out) {
      std::copy_n(x, width, out);
    }
  };
  return collect_records(shard, rows, width, write, threads);
}

constexpr std::size_t kFacts = 3;  // response, weight, offset

Buffer<double> facts_of(const Table& table, const Shard& shard, std::span<const std::size_t> rows) {
  return collect_records(shard, rows, kFacts, [&](std::size_t row, double* out) {
    const std::size_t n = row - shard.mine().first;
    out[0] = table.response.values[n];
    out[1] = table.weights.empty() ? 1.0 : table.weights[n];
    out[2] = table.offset.empty() ? 0.0 : table.offset[n];
  });
}

Table copy_rows_of(const Table& table, const Shard& shard, const std::vector<std::size_t>& rows,
                   double weight_factor, unsigned threads) {
  Table result;
  result.rows = rows.size();
  result.columns = table.columns;
  result.response.name = table.response.name;
  result.x = features_of(table, shard, rows, threads);
  const Buffer<double> facts = facts_of(table, shard, rows);
  bool has_offset = false;  // not whether it has one here, where perhaps no rows are
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double* const one = facts.data() + i * kFacts;
    result.response.values.push_back(one[0]);
    result.weights.push_back(weight_factor * one[1]);
    result.offset.push_back(one[2]);
    has_offset |= one[2] != 0.0;
  }
  if (!has_offset) {
    result.offset.clear();
  }
  return result;
}

}  // namespace

Table copy_rows(const Table& table, const std::vector<std::size_t>& rows, double weight_factor,
                unsigned threads) {
  return copy_rows_of(table, table.sharding(), rows, weight_factor, threads);
}

Dataset::Dataset(Table table, Options options)
    : table_(std::move(table)),
      shard_(table_.sharding()),
      first_(shard_.mine().first),
      intercept_(options.intercept),
      center_(options.center.size() > 0 ? std::move(options.center) : Vector::Zero(raw_columns())),
      inverse_scale_(options.scale.size() > 0 ? Vector(options.scale.cwiseInverse())
                                              : Vector::Ones(raw_columns())),
      design_(columns(), std::move(options.predictors)),
      offsets_(std::move(options.offsets)) {
  const std::size_t n = table_.rows;
  if (rows() == 0 || columns() == 0) {
    throw Error(ErrorKind::kData,
                rows() == 0 ? "the data have no rows." : "the data have no columns.");
  }
  if (n > std::numeric_limits<std::uint32_t>::max()) {  // merged ones, and those of levels, are
    throw Error(ErrorKind::kMemory,                     // numbered by these
                "more than 4,294,967,295 rows at one rank; start more of them (mpirun -n).");
  }
  const bool rows_fit = table_.source.empty()
                            ? table_.x.size() == n * table_.columns.size()
                            : table_.x.empty() && table_.source.rows() == n &&
                                  table_.source.columns() == table_.columns.size();
  if (!rows_fit || shard_.mine().size() != n || table_.response.values.size() != n ||
      center_.size() != raw_columns() || inverse_scale_.size() != raw_columns() ||
      (!table_.weights.empty() && table_.weights.size() != n) ||
      (!table_.offset.empty() && table_.offset.size() != n) || !table_.trials.empty()) {
    throw Error(ErrorKind::kInternal,
                "Dataset: parts of different length, or trials that are not yet weights.");
  }
  if (!intercept_ && !center_.isZero(0.0)) {
    throw Error(ErrorKind::kInternal, "Dataset: centring needs an intercept.");
  }
}

Dataset::Dataset(Table rows, const Dataset& like)
    : table_(std::move(rows)),
      shard_(table_.sharding()),
      first_(shard_.mine().first),
      intercept_(like.intercept_),
      center_(like.center_),
      inverse_scale_(like.inverse_scale_),
      design_(like.design_),
      offsets_(like.offsets_) {}

Dataset Dataset::deal(std::span<const int> to, std::vector<std::size_t>& numbers) const {
  const SequentialRead in_order = streaming();
  DealtRows dealt = deal_rows(table_, to);
  numbers = std::move(dealt.numbers);
  return like_this(std::move(dealt.table));
}

Dataset Dataset::sample(const std::vector<std::size_t>& rows, double weight_factor,
                        unsigned threads) const {
  std::vector<std::size_t> held;      // here, numbered from this rank's first row
  std::vector<std::size_t> sections;  // how many of them, of those of these rows that have any
  std::size_t last_section = shard_.sections().size();
  for (const std::size_t row : rows) {
    if (shard_.holds(row)) {
      const std::size_t section = shard_.section_of(row);
      if (section != last_section) {
        sections.push_back(0);
        last_section = section;
      }
      held.push_back(row - first_);
      ++sections.back();
    }
  }
  Table some = copy_rows_of(table_, Shard(table_.rows), held, weight_factor, threads);
  some.shard = Shard(shard_.ranks(), sections);
  return like_this(std::move(some));
}

Dataset Dataset::bare() && {
  table_.weights.clear();
  table_.offset.clear();
  offsets_.clear();
  design_ = Design(columns());
  return std::move(*this);
}

std::vector<Dataset::Row> Dataset::fetch(std::span<const std::size_t> rows,
                                         Buffer<double>& features) const {
  features = features_of(table_, shard_, rows, 1);
  const Buffer<double> facts = facts_of(table_, shard_, rows);
  const std::size_t width = table_.columns.size();
  std::vector<Row> result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double* const one = facts.data() + i * kFacts;
    result.push_back({features.data() + i * width, one[0], one[1], one[2]});
  }
  return result;
}

Dataset::RawBlock Dataset::raw(RowRange range, Buffer<double>& scratch) const {
  const std::size_t width = table_.columns.size();
  if (!table_.source.empty() && !table_.source.in_place()) {
    scratch.resize(std::max(scratch.size(), range.size() * width));
  }
  return {range,
          {table_.block({range.first - first_, range.last - first_}, scratch.data()),
           static_cast<Index>(range.size()), raw_columns()}};
}

void Dataset::copy_row(std::size_t n, double* out) const noexcept {
  // A row put together is put where it goes, each number then changed in its place.
  standardise(table_.row(n - first_, intercept_ ? out + 1 : out), out);
}

void Dataset::standardise(const double* raw_rows, double* out, Index rows) const noexcept {
  const Index width = columns();
  for (Index i = 0; intercept_ && i < rows; ++i) {
    out[i * width] = 1.0;
  }
  out += intercept_ ? 1 : 0;
  const Index d = raw_columns();
  constexpr Index kHeld = 8;  // columns whose centres and scales stay in registers
  using Held = Eigen::Array<double, kHeld, 1>;
  Index first = 0;
  for (; first + kHeld <= d; first += kHeld) {
    const Held center = center_.segment<kHeld>(first);
    const Held inverse_scale = inverse_scale_.segment<kHeld>(first);
    for (Index i = 0; i < rows; ++i) {
      Eigen::Map<Held>(out + i * width + first) =
          (Eigen::Map<const Held>(raw_rows + i * d + first) - center) * inverse_scale;
    }
  }
  for (Index i = 0; i < rows; ++i) {
    for (Index j = first; j < d; ++j) {
      out[i * width + j] = (raw_rows[i * d + j] - center_[j]) * inverse_scale_[j];
    }
  }
}

Vector Dataset::background() const {
  Vector result(columns());
  standardise(Vector::Zero(raw_columns()).eval().data(), result.data());
  for (Index j = 0; j < raw_columns(); ++j) {
    if (!has_background(j)) {
      result[j + (intercept_ ? 1 : 0)] = 0.0;
    }
  }
  return result;
}

void Dataset::append_entries(const double* raw_row, std::vector<Entry>& out) const {
  for (Index j = 0; j < raw_columns(); ++j) {
    const double value = has_background(j) ? raw_row[j] : raw_row[j] - center_[j];
    if (value != 0.0) {
      out.push_back({j + (intercept_ ? 1 : 0), value * inverse_scale_[j]});
    }
  }
}

void Dataset::fold(const Eigen::Ref<const Vector>& theta,
                   Eigen::Ref<Matrix> folded) const noexcept {
  const Index d = raw_columns();
  folded.setZero();
  for (Index k = 0; k < folded.cols(); ++k) {
    const int predictor = static_cast<int>(k);
    for (Index c = 0; c < design_.size(predictor); ++c) {
      const double coefficient = theta[design_.first(predictor) + c];
      const Index j = design_.column(predictor, c) - (intercept_ ? 1 : 0);
      if (j < 0) {
        folded(d, k) = coefficient;
      } else {
        folded(j, k) = coefficient * inverse_scale_[j];
        folded(d, k) -= folded(j, k) * center_[j];
      }
    }
  }
}

void Dataset::predict(const RawBlock& block, const Eigen::Ref<const Matrix>& folded,
                      RowMatrixView out) const noexcept {
  const Index d = raw_columns();
  // Row by row: a product of all takes the last rows of a block in registers half as wide, and a
  // row would have other digits there.
  for (Index i = 0; i < out.rows(); ++i) {
    for (Index k = 0; k < folded.cols(); ++k) {
      out(i, k) = block.x.row(i).dot(folded.col(k).head(d)) + folded(d, k);
    }
  }
  if (!table_.offset.empty()) {
    const ConstVectorView offset(table_.offset.data() + block.range.first - first_, out.rows());
    for (Index k = 0; k < out.cols(); ++k) {
      if (design_.takes_offset(k)) {
        out.col(k) += offset;
      }
    }
  }
  for (Index k = 0; k < out.cols(); ++k) {
    for (const Index column : offset_columns(k)) {
      out.col(k) += block.x.col(column);
    }
  }
}

void Dataset::predict_row(const Row& row, const Eigen::Ref<const Matrix>& folded,
                          double* out) const noexcept {
  const Index d = raw_columns();
  const ConstVectorView x(row.raw, d);
  for (Index k = 0; k < folded.cols(); ++k) {
    out[k] = x.dot(folded.col(k).head(d)) + folded(d, k) + offset(row, k);
  }
}

void Dataset::add_slopes(const RawBlock& block, ConstRowMatrixView slopes,
                         Eigen::Ref<Matrix> folded_gradient) noexcept {
  const Index d = block.x.cols();
  for (Index k = 0; k < slopes.cols(); ++k) {
    folded_gradient.col(k).head(d).noalias() += block.x.transpose() * slopes.col(k);
    folded_gradient(d, k) += slopes.col(k).sum();
  }
}

void Dataset::unfold_gradient(const Eigen::Ref<const Matrix>& folded_gradient,
                              Eigen::Ref<Vector> gradient) const noexcept {
  const Index d = raw_columns();
  for (Index k = 0; k < folded_gradient.cols(); ++k) {
    const int predictor = static_cast<int>(k);
    const double total = folded_gradient(d, k);
    for (Index c = 0; c < design_.size(predictor); ++c) {
      const Index j = design_.column(predictor, c) - (intercept_ ? 1 : 0);
      gradient[design_.first(predictor) + c] =
          j < 0 ? total : (folded_gradient(j, k) - center_[j] * total) * inverse_scale_[j];
    }
  }
}

}  // namespace flymc
