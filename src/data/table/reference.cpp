#include "data/table/reference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

[[noreturn]] void fail_level(const std::string& column, const std::string& level,
                             const std::vector<std::string>& levels) {
  constexpr std::size_t kLevelsShown = 8;
  const std::string guess = nearest(level, levels);
  throw Error(
      ErrorKind::kData,
      fmt::format("column {} has no level {}; its levels are {}{}", in_quotes(column),
                  in_quotes(level), listed(levels, ", ", kLevelsShown),
                  guess.empty() ? "." : fmt::format("; did you mean {}?", in_quotes(guess))));
}

}  // namespace

std::vector<std::string> with_reference(const std::vector<std::string>& references,
                                        const std::string& column,
                                        std::vector<std::string> levels) {
  for (const std::string& reference : references) {
    const auto found = std::find_if(levels.begin(), levels.end(), [&](const std::string& level) {
      return reference == column + "=" + level;
    });
    if (found != levels.end()) {
      std::rotate(levels.begin(), found, found + 1);
    }
  }
  return levels;
}

void require_references(const std::vector<std::string>& references, const Levels& levels) {
  for (const std::string& reference : references) {
    const auto found = std::find_if(levels.begin(), levels.end(), [&](const auto& one) {
      return reference.starts_with(one.first + "=");
    });
    if (found == levels.end()) {
      throw Error(
          ErrorKind::kUsage,
          message("{}: there is no such categorical column",
                  Setting{"reference", shortened(reference)}),
          message("write column=level, and name the column in {}.", Setting{"categorical"}));
    }
    const auto& [column, known] = *found;
    if (reference != column + "=" + known.front()) {
      fail_level(column, reference.substr(column.size() + 1), known);
    }
  }
}

}  // namespace flymc
