// Columns of text set side by side. Widths are counted in code points, so accents line up.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flymc {

enum class Align {
  kLeft,
  kRight,
  kPoint,  // right, with the decimal points one below the other; 1e-9 just right
};

struct TextColumn {
  std::string title;
  Align align = Align::kRight;
  std::vector<std::string> cells;
};

// As wide as render() makes it. REQUIRES: valid UTF-8, here and below.
[[nodiscard]] std::size_t table_width(std::span<const TextColumn> columns);

// The titles, then a line for each row, two spaces between columns, none at the end of a line.
// REQUIRES: all columns have the same number of cells.
[[nodiscard]] std::string render(std::span<const TextColumn> columns);

}  // namespace flymc
