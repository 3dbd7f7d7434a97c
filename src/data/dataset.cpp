#include "flymc/data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "flymc/core/error.hpp"
#include "flymc/core/parallel.hpp"

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

namespace {

struct Moments {
  double count = 0.0;
  Vector mean;
  Vector square;  // sum of squared deviations
};

Moments moments_of(const ConstRowMatrixView& x) {
  Moments result{static_cast<double>(x.rows()), x.colwise().mean(), Vector::Zero(x.cols())};
  for (Index i = 0; i < x.rows(); ++i) {
    result.square += (x.row(i).transpose() - result.mean).cwiseAbs2();
  }
  return result;
}

// Chan's pairwise update.
void merge(Moments& into, const Moments& other) {
  if (into.count == 0.0) {
    into = other;
    return;
  }
  const double total = into.count + other.count;
  const Vector shift = other.mean - into.mean;
  into.mean += shift * (other.count / total);
  into.square += other.square + shift.cwiseAbs2() * (into.count * other.count / total);
  into.count = total;
}

// Blocks that are still in the cache when their squares are summed: rows are read once.
Moments moments_of(const Table& table, RowRange range) {
  constexpr std::size_t kBlockRows = 256;
  const std::size_t width = table.columns.size();
  Buffer<double> scratch(table.source.empty() ? 0 : kBlockRows * width);
  Moments total;
  for (std::size_t first = range.first; first < range.last; first += kBlockRows) {
    const RowRange rows{first, std::min(first + kBlockRows, range.last)};
    merge(total, moments_of(ConstRowMatrixView(table.block(rows, scratch.data()),
                                               static_cast<Index>(rows.size()),
                                               static_cast<Index>(width))));
  }
  return total;
}

}  // namespace

ColumnMoments column_moments(const Table& table, unsigned threads) {
  const SequentialRead in_order(table.source);
  const auto chunks = row_chunks(table.rows, table.columns.size() * sizeof(double));
  std::vector<Moments> partial(chunks.size());
  parallel_for(chunks.size(), threads,
               [&](std::size_t i) { partial[i] = moments_of(table, chunks[i]); });
  Moments total;
  for (const auto& part : partial) {
    merge(total, part);
  }
  return {total.mean, (total.square / std::max(1.0, total.count - 1.0)).cwiseSqrt()};
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
  if (table.source.empty()) {
    // Rows shrink towards the front, so a row is read before anything is written over it.
    double* out = table.x.data();
    for (std::size_t n = 0; n < table.rows; ++n) {
      const double* in = table.x.data() + n * d;
      for (const std::size_t j : keep) {
        *out++ = in[j];
      }
    }
    table.x.resize(table.rows * keep.size());
  } else {
    table.source.keep_columns(keep);
  }
  std::vector<std::string> names;
  for (const std::size_t j : keep) {
    names.push_back(std::move(table.columns[j]));
  }
  table.columns = std::move(names);
}

Table copy_rows(const Table& table, const std::vector<std::size_t>& rows, double weight_factor,
                unsigned threads) {
  Table result;
  result.rows = rows.size();
  result.columns = table.columns;
  result.response.name = table.response.name;
  const std::size_t width = table.columns.size();
  result.x.resize(rows.size() * width);
  result.response.values.resize(rows.size());
  result.weights.resize(rows.size());
  result.offset.resize(table.offset.empty() ? 0 : rows.size());
  // So near to one another that reading what lies between is cheaper than stopping for each.
  constexpr std::size_t kNearBytes = std::size_t{1} << 17;
  const bool near = table.rows * width * sizeof(double) < rows.size() * kNearBytes;
  const SequentialRead in_order(near ? table.source : RowSource{});
  const auto chunks = row_chunks(rows.size(), 0);
  parallel_for(chunks.size(), threads, [&](std::size_t c) {  // every row a miss of the cache
    for (std::size_t i = chunks[c].first; i < chunks[c].last; ++i) {
      const std::size_t n = rows[i];
      double* const out = result.x.data() + i * width;
      if (const double* const row = table.row(n, out); row != out) {
        std::copy_n(row, width, out);
      }
      result.response.values[i] = table.response.values[n];
      result.weights[i] = weight_factor * (table.weights.empty() ? 1.0 : table.weights[n]);
      if (!result.offset.empty()) {
        result.offset[i] = table.offset[n];
      }
    }
  });
  return result;
}

Dataset::Dataset(Table table, Options options)
    : table_(std::move(table)),
      intercept_(options.intercept),
      center_(options.center.size() > 0 ? std::move(options.center) : Vector::Zero(raw_columns())),
      inverse_scale_(options.scale.size() > 0 ? Vector(options.scale.cwiseInverse())
                                              : Vector::Ones(raw_columns())) {
  const std::size_t n = table_.rows;
  if (n == 0 || columns() == 0) {
    throw Error(ErrorKind::kData, n == 0 ? "the data have no rows." : "the data have no columns.");
  }
  const bool rows_fit = table_.source.empty()
                            ? table_.x.size() == n * table_.columns.size()
                            : table_.x.empty() && table_.source.rows() == n &&
                                  table_.source.columns() == table_.columns.size();
  if (!rows_fit || table_.response.values.size() != n || center_.size() != raw_columns() ||
      inverse_scale_.size() != raw_columns() ||
      (!table_.weights.empty() && table_.weights.size() != n) ||
      (!table_.offset.empty() && table_.offset.size() != n) || !table_.trials.empty()) {
    throw Error(ErrorKind::kInternal,
                "Dataset: parts of different length, or trials that are not yet weights.");
  }
  if (!intercept_ && !center_.isZero(0.0)) {
    throw Error(ErrorKind::kInternal, "Dataset: centring needs an intercept.");
  }
}

Dataset Dataset::sample(const std::vector<std::size_t>& rows, double weight_factor,
                        unsigned threads) const {
  Dataset result(copy_rows(table_, rows, weight_factor, threads), {intercept_, center_, {}});
  result.inverse_scale_ = inverse_scale_;
  return result;
}

Dataset::RawBlock Dataset::raw(RowRange range, Buffer<double>& scratch) const {
  const std::size_t width = table_.columns.size();
  if (!table_.source.empty() && !table_.source.in_place()) {
    scratch.resize(std::max(scratch.size(), range.size() * width));
  }
  return {range,
          {table_.block(range, scratch.data()), static_cast<Index>(range.size()), raw_columns()}};
}

void Dataset::copy_row(std::size_t n, double* out) const noexcept {
  // A row put together is put where it goes, each number then changed in its place.
  standardise(table_.row(n, intercept_ ? out + 1 : out), out);
}

void Dataset::standardise(const double* raw_row, double* out) const noexcept {
  if (intercept_) {
    *out++ = 1.0;
  }
  const ConstVectorView x(raw_row, raw_columns());
  VectorView(out, raw_columns()) = (x - center_).cwiseProduct(inverse_scale_);
}

void Dataset::fold(const Eigen::Ref<const Matrix>& theta,
                   Eigen::Ref<Matrix> folded) const noexcept {
  const Index d = raw_columns();
  for (Index k = 0; k < theta.cols(); ++k) {
    folded(d, k) = intercept_ ? theta(0, k) : 0.0;
    for (Index j = 0; j < d; ++j) {
      folded(j, k) = theta(intercept_ ? j + 1 : j, k) * inverse_scale_[j];
      folded(d, k) -= folded(j, k) * center_[j];
    }
  }
}

void Dataset::predict(const RawBlock& block, const Eigen::Ref<const Matrix>& folded,
                      RowMatrixView out) const noexcept {
  const Index d = raw_columns();
  for (Index k = 0; k < folded.cols(); ++k) {  // one gemv a predictor: no temporaries
    out.col(k).noalias() = block.x * folded.col(k).head(d);
    out.col(k).array() += folded(d, k);
  }
  if (!table_.offset.empty()) {
    const ConstVectorView offset(table_.offset.data() + block.range.first, out.rows());
    out.colwise() += offset;
  }
}

void Dataset::predict_row(std::size_t n, const Eigen::Ref<const Matrix>& folded, double* out,
                          double* scratch) const noexcept {
  const Index d = raw_columns();
  const ConstVectorView x(table_.row(n, scratch), d);
  for (Index k = 0; k < folded.cols(); ++k) {
    out[k] = x.dot(folded.col(k).head(d)) + folded(d, k) + offset(n);
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
                              Eigen::Ref<Matrix> gradient) const noexcept {
  const Index d = raw_columns();
  for (Index k = 0; k < gradient.cols(); ++k) {
    const double total = folded_gradient(d, k);
    if (intercept_) {
      gradient(0, k) = total;
    }
    for (Index j = 0; j < d; ++j) {
      gradient(intercept_ ? j + 1 : j, k) =
          (folded_gradient(j, k) - center_[j] * total) * inverse_scale_[j];
    }
  }
}

}  // namespace flymc
