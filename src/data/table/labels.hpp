// Text values as small codes: collected by each thread for itself, then put into one sorted order.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "flymc/ranks.hpp"

namespace flymc {

// Distinct texts, numbered in the order in which they were first seen. Not thread-safe.
class LabelSet {
 public:
  LabelSet() = default;
  // Has these from the start. REQUIRES: they are distinct.
  explicit LabelSet(const std::vector<std::string>& names);

  // No allocation for a text seen before.
  [[nodiscard]] std::size_t code_of(std::string_view text);
  [[nodiscard]] bool has(std::string_view text) const { return codes_.contains(text); }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

 private:
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the standard's name
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> codes_;
  std::vector<std::string> names_;
};

// What the whole text says as a number, if it is finite.
[[nodiscard]] std::optional<double> finite_number(const std::string& text);

// Sorts them and leaves one of equal ones: by value where all are numbers, as R orders the levels
// of a column of numbers, otherwise by bytes.
void sort_labels(std::vector<std::string>& names);

// The position of each name among the sorted ones; NaN where it is not there.
[[nodiscard]] std::vector<double> positions_of(const std::vector<std::string>& names,
                                               const std::vector<std::string>& sorted);

// Codes of consecutive rows, `stride` apart, of one set.
struct CodeBlock {
  const LabelSet* labels = nullptr;
  double* codes = nullptr;
  std::size_t stride = 1;
  std::size_t rows = 0;
};

// Rewrites the codes of all blocks to positions among the labels in use at any rank, sorted, which
// are returned. Collective. O(rows + labels log labels).
[[nodiscard]] std::vector<std::string> unify_labels(Ranks& ranks,
                                                    std::span<const CodeBlock> blocks);

}  // namespace flymc
