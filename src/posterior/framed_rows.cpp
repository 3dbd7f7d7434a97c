#include "flymc/detail/posterior/framed_rows.hpp"

#include <algorithm>
#include <new>

#include "core/machine_memory.hpp"

namespace flymc {

FramedRows::FramedRows(std::size_t rows, Index width) : width_(static_cast<std::size_t>(width)) {
  try {
    values_.resize(rows * width_);
    states_ = std::vector<std::atomic<State>>(rows);
  } catch (const std::bad_alloc&) {  // under a limit: rows are made anew, as often as needed
    values_ = {};
  }
}

const double* FramedRows::find(std::size_t row) const noexcept {
  const bool kept =
      row < states_.size() && states_[row].load(std::memory_order_acquire) == State::kKept;
  return kept ? values_.data() + row * width_ : nullptr;
}

void FramedRows::keep(std::size_t row, const double* values) noexcept {
  State state = State::kMissing;
  if (row < states_.size() &&
      states_[row].compare_exchange_strong(state, State::kArriving, std::memory_order_relaxed)) {
    std::copy_n(values, width_, values_.data() + row * width_);
    states_[row].store(State::kKept, std::memory_order_release);
  }
}

bool keeping_rows_pays(double expected_bright, std::size_t rows, Index width) {
  constexpr double kIterations = 4000.0;
  const double numbers = static_cast<double>(rows) * static_cast<double>(width);
  return expected_bright * kIterations >= static_cast<double>(rows) &&
         numbers * sizeof(double) <= machine_memory_bytes() / 8.0;
}

}  // namespace flymc
