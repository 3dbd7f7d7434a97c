#include "flymc/target/bright_rows.hpp"

#include <algorithm>

namespace flymc {

void remove_slot(Buffer<double>& values, std::size_t slot, std::size_t stride) noexcept {
  const auto last = values.end() - static_cast<std::ptrdiff_t>(stride);
  const auto hole = values.begin() + static_cast<std::ptrdiff_t>(slot * stride);
  if (hole != last) {
    std::copy(last, values.end(), hole);
  }
  values.resize(values.size() - stride);
}

BrightRows::Slot BrightRows::append(const Tangent& tangent, double memo, double weight) {
  rows_.resize(rows_.size() + static_cast<std::size_t>(width_));
  shifts_.resize(shifts_.size() + stride());
  anchors_.insert(anchors_.end(), tangent.anchor, tangent.anchor + predictors_);
  curvatures_.push_back(tangent.curvature);
  weights_.push_back(weight);
  memos_.push_back(memo);
  responses_.push_back(tangent.response);
  return {rows_.data() + rows_.size() - width_, shifts_.data() + shifts_.size() - stride()};
}

void BrightRows::remove(std::size_t slot) noexcept {
  remove_slot(rows_, slot, static_cast<std::size_t>(width_));
  remove_slot(anchors_, slot, stride());
  remove_slot(shifts_, slot, stride());
  for (auto* values : {&curvatures_, &responses_, &weights_, &memos_}) {
    remove_slot(*values, slot, 1);
  }
}

}  // namespace flymc
