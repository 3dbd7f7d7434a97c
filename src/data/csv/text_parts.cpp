#include "data/csv/text_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/text.hpp"

namespace flymc {
namespace {

// Texts of different files are different objects: only std::less orders pointers into them.
bool holds(const TextPart& part, const char* where) {
  const std::less_equal<const char*> before;
  return before(part.text.data(), where) && before(where, part.text.data() + part.text.size());
}

}  // namespace

std::string place_in(std::span<const TextPart> parts, const char* where) {
  const auto part =
      std::find_if(parts.begin(), parts.end(), [&](const TextPart& p) { return holds(p, where); });
  const auto line =
      part->first_line + static_cast<std::size_t>(std::count(part->text.data(), where, '\n'));
  return fmt::format("{}:{}", escaped(part->path), line);
}

}  // namespace flymc
