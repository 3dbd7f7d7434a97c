#include "flymc/detail/posterior/pass.hpp"

#include <algorithm>

#include "flymc/detail/core/interruption.hpp"
#include "flymc/detail/ranks/piece_sum.hpp"
#include "posterior/grams.hpp"
#include "posterior/sparse_gram.hpp"

namespace flymc {
namespace {

constexpr std::size_t kBlockRows = 256;  // 256 x 51 doubles stay in a 1 MB cache

Index slope_columns(const PassShape& shape) noexcept { return shape.slope_sets * shape.predictors; }

constexpr std::size_t kCounts = 2;  // value and queries, the first of a piece's sums

// Scratch and partial sums of one piece of rows.
class PiecePass {
 public:
  PiecePass(const Dataset& data, const PassShape& shape)
      : data_(data),
        shape_(shape),
        sparse_gram_(data),
        grams_(data.design(), shape.predictors, shape.grams),
        eta_(kBlockRows, shape.predictors),
        slopes_(kBlockRows, slope_columns(shape)),
        weights_(kBlockRows, shape.grams),
        rows_(shape.grams > 0 || shape.rows ? kBlockRows : 0, data.columns()),
        folded_gradient_(Matrix::Zero(data.folded_rows(), slope_columns(shape))) {}

  // Value, queries, gradients, Grams.
  void run(RowRange piece, const Matrix& folded, const PassWork& work, std::span<double> out) {
    for (std::size_t first = piece.first; first < piece.last; first += kBlockRows) {
      poll_interruption();
      add_block({first, std::min(first + kBlockRows, piece.last)}, folded, work);
    }
    out[0] = value_;
    out[1] = static_cast<double>(counter_.total());
    double* at = out.data() + kCounts;
    const Index parameters = data_.design().parameters(shape_.predictors);
    for (Index set = 0; set < shape_.slope_sets; ++set, at += parameters) {
      data_.unfold_gradient(folded_gradient_.middleCols(set * shape_.predictors, shape_.predictors),
                            VectorView(at, parameters));
    }
    grams_.write(at);
  }

 private:
  void add_block(RowRange range, const Matrix& folded, const PassWork& work) {
    const auto count = static_cast<Index>(range.size());
    RowMatrixView eta(eta_.data(), count, eta_.cols());
    const Dataset::RawBlock raw = data_.raw(range, raw_);
    data_.predict(raw, folded, eta);
    const bool sparse = !grams_.empty() && sparse_gram_.read(raw);
    const bool whole_rows = shape_.rows || (!grams_.empty() && !(sparse && all_square()));
    const Index dense_count = whole_rows ? count : 0;
    data_.standardise(raw.x.data(), rows_.data(), dense_count);
    PassBlock block{range,
                    ConstRowMatrixView(rows_.data(), dense_count, rows_.cols()),
                    eta,
                    RowMatrixView(slopes_.data(), count, slopes_.cols()),
                    RowMatrixView(weights_.data(), count, weights_.cols()),
                    counter_};
    value_ += work(block);
    Dataset::add_slopes(raw, ConstRowMatrixView(slopes_.data(), count, slopes_.cols()),
                        folded_gradient_);
    for (std::size_t p = 0; p < grams_.count(); ++p) {
      if (sparse && grams_.is_square(p)) {
        sparse_gram_.add_to(grams_.at(p), block.weights.col(static_cast<Index>(p)));
      } else {
        grams_.add_to(p, block.x, block.weights);
      }
    }
  }
  [[nodiscard]] bool all_square() const noexcept { return !data_.design().is_chosen(); }

  const Dataset& data_;
  const PassShape& shape_;
  SparseGram sparse_gram_;
  Grams grams_;
  Buffer<double> raw_;
  RowMatrix eta_;
  RowMatrix slopes_;
  RowMatrix weights_;
  RowMatrix rows_;
  Matrix folded_gradient_;
  QueryCounter counter_;
  double value_ = 0.0;
};

}  // namespace

PassSums run_pass(const Dataset& data, const Vector& theta, const PassShape& shape,
                  const PassWork& work) {
  Matrix folded(data.folded_rows(), shape.predictors);
  data.fold(theta, folded);
  Grams grams(data.design(), shape.predictors, shape.grams);
  const auto parameters = static_cast<std::size_t>(data.design().parameters(shape.predictors));
  const std::size_t slopes = parameters * static_cast<std::size_t>(shape.slope_sets);
  const SequentialRead in_order = data.streaming();
  const std::vector<double> sums =
      sum_pieces(data.shard(), kCounts + slopes + grams.size(), shape.threads,
                 [&](RowRange rows, std::span<double> out) {
                   PiecePass(data, shape).run(rows, folded, work, out);
                 });
  PassSums result;
  result.value = sums[0];
  result.queries = static_cast<std::uint64_t>(sums[1]);
  const double* at = sums.data() + kCounts;
  result.gradient = Eigen::Map<const Matrix>(at, static_cast<Index>(parameters), shape.slope_sets);
  if (!grams.empty()) {
    grams.read(at + slopes);
    result.precision = grams.precision();
  }
  return result;
}

}  // namespace flymc
