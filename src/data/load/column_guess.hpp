// What the columns of separated text seem to be, before anybody has said what to do with them: one
// pass that takes every cell for text and refuses none. What is a category, an identifier or a date
// is a guess; that a column holds text, or misses values, is not.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flymc/load.hpp"

namespace flymc {

enum class ColumnKind {
  kNumber,
  kCount,         // whole numbers >= 0
  kFlag,          // two numbers
  kCategory,      // text of at most kMostCategoryLevels values
  kLevels,        // text of more values that come again: the levels of a group effect
  kIdentifier,    // a value of its own for every row
  kIsoDate,       // that can be counted in days (dates.hpp)
  kDate,          // as somebody else writes it
  kDecimalComma,  // numbers as 1,5
  kMixed,         // numbers, and text that is no missing value
  kConstant,
  kEmpty
};
[[nodiscard]] std::string_view name_of(ColumnKind kind) noexcept;  // "category"

// An indicator each: more make a group effect, or a table that is wider than it is worth.
inline constexpr std::size_t kMostCategoryLevels = 100;

struct ColumnGuess {
  std::string name;
  ColumnKind kind = ColumnKind::kNumber;
  std::size_t missing = 0;            // rows
  std::optional<std::size_t> values;  // different ones; none: more than were counted
  std::string example;                // of its text, if any; empty where all are missing
  bool text = false;                  // some of its cells are no numbers, and not missing
};

struct TableGuess {
  std::size_t rows = 0;
  std::vector<ColumnGuess> columns;  // with a name, in file order
};

// Nothing where the input is not separated text, or is piped and cannot be read again. Memory: a
// block of text, and at most ten thousand values a column. THROWS Error as load() for the files,
// the header and rows that are no rows.
[[nodiscard]] std::optional<TableGuess> guess_columns(const LoadSpec& spec);

// `categorical = {"auto"}` with the names of the columns that hold text and are categories in its
// place; any other specification as it is. Collective. THROWS Error kData that names all columns of
// text that are none, kUsage where the input cannot be read twice.
[[nodiscard]] LoadSpec with_categories(const LoadSpec& spec);

}  // namespace flymc
