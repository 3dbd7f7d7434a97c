// A table of columns in memory, such as a data frame, read as a file of it would be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

// Numbers, NaN where one is missing; or text, codes of its labels, -1 where it is missing.
struct FrameColumn {
  std::string name{};
  const double* numbers = nullptr;
  const std::int32_t* codes = nullptr;
  std::vector<std::string> labels{};

  [[nodiscard]] bool is_number() const noexcept { return numbers != nullptr; }
  // Else it is a name for messages, and must not be read.
  [[nodiscard]] bool has_values() const noexcept { return is_number() || codes != nullptr; }
};

// REQUIRES: every column that is read has `rows` values, and they outlive what reads them.
struct DataFrame {
  std::size_t rows = 0;
  std::vector<FrameColumn> columns{};
};

// A feature that holds text is categorical without being named so, but for dates, which are an
// error then. THROWS Error as load().
[[nodiscard]] TableRead read_frame(const LoadSpec& spec, const DataFrame& frame);

}  // namespace flymc
