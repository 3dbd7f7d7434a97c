#include "posterior/sparse_gram.hpp"

namespace flymc {
namespace {

constexpr Index kWide = 128;  // columns; narrower rows are multiplied faster than looked at
// A scattered addition takes as long as this many in a product of whole rows.
constexpr double kScatter = 32.0;
// The terms with the background, in squares of columns.
constexpr double kBackground = 8.0;

}  // namespace

SparseGram::SparseGram(const Dataset& data) : data_(data) {
  if (data.columns() >= kWide) {
    background_ = data.background();
    moment_.resize(data.columns());
  }
}

bool SparseGram::read(const Dataset::RawBlock& block) {
  entries_.clear();
  ends_.clear();
  if (background_.size() == 0) {
    return false;
  }
  const auto columns = static_cast<double>(data_.columns());
  double room = (static_cast<double>(block.x.rows()) - kBackground) * columns * columns;
  for (Index i = 0; i < block.x.rows() && room >= 0.0; ++i) {
    const std::size_t first = entries_.size();
    data_.append_entries(block.x.row(i).data(), entries_);
    ends_.push_back(entries_.size());
    const auto count = static_cast<double>(entries_.size() - first);
    room -= kScatter * count * count;
  }
  return room >= 0.0;
}

void SparseGram::add_to(Matrix& gram,
                        const Eigen::Ref<const Vector, 0, Eigen::InnerStride<>>& weights) {
  moment_.setZero();
  std::size_t first = 0;
  for (std::size_t row = 0; row < ends_.size(); ++row) {
    for (std::size_t a = first; a < ends_[row]; ++a) {
      const Dataset::Entry& one = entries_[a];
      const double weighted = weights[static_cast<Index>(row)] * one.value;
      moment_[one.column] += weighted;
      for (std::size_t b = a; b < ends_[row]; ++b) {
        gram(entries_[b].column, one.column) += weighted * entries_[b].value;
      }
    }
    first = ends_[row];
  }
  gram.selfadjointView<Eigen::Lower>().rankUpdate(background_,
                                                  moment_ + 0.5 * weights.sum() * background_);
}

}  // namespace flymc
