#include "data/table/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// None where the value is missing.
std::optional<std::size_t> code_at(const CodeBlock& block, std::size_t row) {
  const double code = block.codes[row * block.stride];
  return std::isnan(code) ? std::nullopt : std::optional(static_cast<std::size_t>(code));
}

// Rows may have been left out since a label was collected.
void append_used(const CodeBlock& block, std::vector<std::string>& names) {
  std::vector<bool> used(block.labels->names().size());
  for (std::size_t row = 0; row < block.rows; ++row) {
    if (const auto code = code_at(block, row)) {
      used[*code] = true;
    }
  }
  for (std::size_t code = 0; code < used.size(); ++code) {
    if (used[code]) {
      names.push_back(block.labels->names()[code]);
    }
  }
}

// More are no categories, but would be everywhere.
void require_few(std::size_t labels) {
  constexpr std::size_t kMost = 100'000;
  if (labels > kMost) {
    throw Error(ErrorKind::kData,
                fmt::format("a column of text has {} different values, more than the {} that ranks "
                            "tell each other; drop it, or make its values numbers.",
                            with_commas(labels), with_commas(kMost)));
  }
}

void recode(const CodeBlock& block, const std::vector<std::string>& sorted) {
  const std::vector<double> position = positions_of(block.labels->names(), sorted);
  for (std::size_t row = 0; row < block.rows; ++row) {
    if (const auto code = code_at(block, row)) {
      block.codes[row * block.stride] = position[*code];
    }
  }
}

}  // namespace

LabelSet::LabelSet(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    (void)code_of(name);
  }
}

std::size_t LabelSet::code_of(std::string_view text) {
  const auto found = codes_.find(text);
  if (found != codes_.end()) {
    return found->second;
  }
  names_.emplace_back(text);
  codes_.emplace(names_.back(), names_.size() - 1);
  return names_.size() - 1;
}

std::optional<double> finite_number(const std::string& text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end && std::isfinite(value) ? std::optional(value)
                                                                     : std::nullopt;
}

void sort_labels(std::vector<std::string>& names) {
  std::vector<std::pair<double, std::string>> by_value;  // equal numbers by their texts: "1", "1.0"
  for (const std::string& name : names) {
    const auto value = finite_number(name);
    if (!value) {
      std::ranges::sort(names);
      names.erase(std::unique(names.begin(), names.end()), names.end());
      return;
    }
    by_value.emplace_back(*value, name);
  }
  std::ranges::sort(by_value);
  by_value.erase(std::unique(by_value.begin(), by_value.end()), by_value.end());
  names.clear();
  for (auto& [value, name] : by_value) {
    names.push_back(std::move(name));
  }
}

std::vector<double> positions_of(const std::vector<std::string>& names,
                                 const std::vector<std::string>& sorted) {
  std::unordered_map<std::string_view, double> place;
  for (const std::string& name : sorted) {
    place.emplace(name, static_cast<double>(place.size()));
  }
  std::vector<double> positions;
  for (const std::string& name : names) {
    const auto found = place.find(name);
    positions.push_back(found == place.end() ? std::nan("") : found->second);
  }
  return positions;
}

std::vector<std::string> unify_labels(Ranks& ranks, std::span<const CodeBlock> blocks) {
  std::vector<std::string> sorted;
  for (const CodeBlock& block : blocks) {
    append_used(block, sorted);
  }
  sort_labels(sorted);
  if (ranks.size() > 1) {
    fail_together(ranks, [&] { require_few(sorted.size()); });
    sorted = join_texts(ranks, sorted);
    sort_labels(sorted);
  }
  for (const CodeBlock& block : blocks) {
    recode(block, sorted);
  }
  return sorted;
}

}  // namespace flymc
