#include "flymc/detail/data/table/row_gaps.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace flymc {

void RowGaps::add(std::size_t before, std::size_t count) {
  if (gaps_.empty() || gaps_.back().before != before) {
    gaps_.push_back({before, gaps_.empty() ? 0 : gaps_.back().left_out});
  }
  gaps_.back().left_out += count;
}

void RowGaps::append(const RowGaps& next, std::size_t before) {
  std::size_t earlier = 0;
  for (const Gap& gap : next.gaps_) {
    add(before + gap.before, gap.left_out - earlier);
    earlier = gap.left_out;
  }
}

void RowGaps::keep(const std::vector<std::size_t>& rows) {
  RowGaps kept;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (const std::size_t now = number_of(rows[i]) - i; now > left_out) {
      kept.add(i, now - left_out);
      left_out = now;
    }
  }
  *this = std::move(kept);
}

std::size_t RowGaps::number_of(std::size_t row) const noexcept {
  const auto after = std::ranges::upper_bound(gaps_, row, {}, &Gap::before);
  return row + (after == gaps_.begin() ? 0 : std::prev(after)->left_out);
}

}  // namespace flymc
