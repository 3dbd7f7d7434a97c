#include "report/text_table.hpp"

#include <algorithm>

#include "report/cell_width.hpp"

namespace flymc {
namespace {

constexpr std::size_t kGap = 2;

// The width from the decimal point on.
[[nodiscard]] std::size_t tail_width(std::string_view cell) {
  const std::size_t point = cell.find('.');
  return point == std::string_view::npos ? 0 : display_width(cell.substr(point));
}

[[nodiscard]] bool is_scientific(std::string_view cell) {
  return cell.find('e') != std::string_view::npos;
}

// Blanks after the decimals put the points below each other; what is left is right alignment.
// Scientific numbers keep to the right: their exponents would push the others away.
void align_points(TextColumn& column) {
  std::size_t longest = 0;
  for (const std::string& cell : column.cells) {
    longest = std::max(longest, is_scientific(cell) ? 0 : tail_width(cell));
  }
  for (std::string& cell : column.cells) {
    cell.append(is_scientific(cell) ? 0 : longest - tail_width(cell), ' ');
  }
}

[[nodiscard]] std::vector<TextColumn> prepared(std::span<const TextColumn> columns) {
  std::vector<TextColumn> result(columns.begin(), columns.end());
  for (TextColumn& column : result) {
    if (column.align == Align::kPoint) {
      align_points(column);
    }
  }
  return result;
}

[[nodiscard]] std::size_t column_width(const TextColumn& column) {
  std::size_t width = display_width(column.title);
  for (const std::string& cell : column.cells) {
    width = std::max(width, display_width(cell));
  }
  return width;
}

[[nodiscard]] std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::string blanks(width - display_width(text), ' ');
  return align == Align::kLeft ? text + blanks : blanks + text;
}

}  // namespace

std::size_t table_width(std::span<const TextColumn> columns) {
  std::size_t width = columns.empty() ? 0 : kGap * (columns.size() - 1);
  for (const TextColumn& column : prepared(columns)) {
    width += column_width(column);
  }
  return width;
}

std::string render(std::span<const TextColumn> columns) {
  const std::vector<TextColumn> aligned = prepared(columns);
  const std::size_t rows = aligned.empty() ? 0 : aligned.front().cells.size() + 1;
  std::vector<std::string> lines(rows);
  for (const TextColumn& column : aligned) {
    const std::size_t width = column_width(column);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::string& cell = row == 0 ? column.title : column.cells[row - 1];
      lines[row] += padded(cell, width, column.align) + std::string(kGap, ' ');
    }
  }
  std::string text;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace flymc
