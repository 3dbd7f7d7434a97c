#include "groups/group_problem.hpp"

#include <algorithm>

namespace flymc {

std::vector<LevelRange> level_pieces(const Grouping& grouping) {
  constexpr std::size_t kPieces = 64;
  std::size_t rows = 0;
  for (std::size_t level = 0; level < grouping.levels(); ++level) {
    rows += grouping.rows(level).size();
  }
  const std::size_t each = std::max<std::size_t>(rows / kPieces, 1024);
  std::vector<LevelRange> pieces;
  std::size_t first = 0;
  std::size_t held = 0;
  for (std::size_t level = 0; level < grouping.levels(); ++level) {
    held += grouping.rows(level).size();
    if (held >= each || level + 1 == grouping.levels()) {
      pieces.push_back({first, level + 1});
      first = level + 1;
      held = 0;
    }
  }
  return pieces;
}

}  // namespace flymc
