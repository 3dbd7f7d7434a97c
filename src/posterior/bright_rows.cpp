#include "flymc/detail/posterior/bright_rows.hpp"

#include <algorithm>

namespace flymc {

namespace {

double* extend(Buffer<double>& values, std::size_t count) {
  values.resize(values.size() + count);
  return values.data() + values.size() - count;
}

}  // namespace

BrightRows::Slot BrightRows::append(const Facts& facts) {
  responses_.push_back(facts.response);
  weights_.push_back(facts.weight);
  memos_.push_back(facts.memo);
  slacks_.push_back(facts.slack);
  rates_.push_back(facts.rate);
  return {extend(rows_, static_cast<std::size_t>(shape_.width)), extend(shifts_, predictors()),
          extend(touch_points_, predictors()), extend(curvatures_, bends())};
}

void BrightRows::remove(std::size_t slot) noexcept {
  remove_slot(rows_, slot, static_cast<std::size_t>(shape_.width));
  remove_slot(touch_points_, slot, predictors());
  remove_slot(shifts_, slot, predictors());
  remove_slot(curvatures_, slot, bends());
  for (auto* values : {&responses_, &weights_, &memos_, &slacks_, &rates_}) {
    remove_slot(*values, slot, 1);
  }
}

}  // namespace flymc
