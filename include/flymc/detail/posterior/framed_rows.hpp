// Rows in frame coordinates, F' x_n, kept for all chains once one has made them: a datum's first
// lighting costs D^2, every other D. A row's numbers do not depend on who made it or when, so that
// keeping them changes no draw.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/core/linalg.hpp"

namespace flymc {

// Safe to share between threads; nothing waits.
class FramedRows {
 public:
  // Keeps some of these rows: none of 0, or where there is no memory. It is taken row by row.
  FramedRows(std::size_t rows, Index width);

  // Null where it was not kept, or not yet.
  [[nodiscard]] const double* find(std::size_t row) const noexcept;
  // The first to come is kept.
  void keep(std::size_t row, const double* values) noexcept;

 private:
  enum class State : std::uint8_t { kMissing, kArriving, kKept };

  std::size_t width_;
  std::vector<std::atomic<State>> states_;
  Buffer<double> values_;
};

// Whether rows are lit so often, each more than once in the 4,000 iterations of a short run, that
// keeping them pays, and whether they fit: into an eighth of the machine's memory.
[[nodiscard]] bool keeping_rows_pays(double expected_bright, std::size_t rows, Index width);

}  // namespace flymc
