// Half-open range of rows.
#pragma once

#include <cstddef>

namespace flymc {

struct RowRange {
  std::size_t first = 0;
  std::size_t last = 0;
  [[nodiscard]] std::size_t size() const noexcept { return last - first; }
};

}  // namespace flymc
