#include "data/csv/csv_sniff.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "data/csv/csv_fields.hpp"

namespace flymc::csv {
namespace {

constexpr std::array<char, 4> kSeparators = {',', '\t', ';', '|'};  // ties: the first
using Counts = std::array<std::size_t, kSeparators.size()>;

// Counts the separators of the first line that is not empty and takes it off the text.
Counts count_line(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  Counts counts{};
  bool quoted = false;
  std::size_t at = 0;
  for (; at < text.size() && (quoted || text[at] != '\n'); ++at) {
    quoted ^= text[at] == '"';
    const auto* const found = std::find(kSeparators.begin(), kSeparators.end(), text[at]);
    if (!quoted && found != kSeparators.end()) {
      ++counts[static_cast<std::size_t>(found - kSeparators.begin())];
    }
  }
  text.remove_prefix(at);
  return counts;
}

}  // namespace

char sniff_separator(std::string_view text) {
  const Counts first = count_line(text);
  const Counts second = count_line(text);
  std::size_t best = 0;
  const auto rank = [&](std::size_t i) {
    return std::pair(first[i] > 0 && first[i] == second[i], first[i]);
  };
  for (std::size_t i = 1; i < kSeparators.size(); ++i) {
    best = rank(i) > rank(best) ? i : best;
  }
  return kSeparators[best];
}

std::string_view separator_name(char separator) noexcept {
  switch (separator) {
    case '\t':
      return "tab";
    case ';':
      return "semicolon";
    case '|':
      return "pipe";
    default:
      return "comma";
  }
}

bool are_numbers(std::span<const std::string> fields) {
  return std::all_of(fields.begin(), fields.end(), [](const std::string& field) {
    double ignored = 0.0;
    return read_number(field, ignored) == Reading::kFinite;
  });
}

}  // namespace flymc::csv
