// Missing values of features, filled in. A number becomes the mean of those that are there, and a
// column beside it is 1 where it did (age, age_missing); in a category, or a factor of group terms,
// missing values are a level of their own. The means are constants of the table, and so rows that
// must match it are filled as its own were.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/table/formula.hpp"
#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

// The level of missing values: NA is a missing value in any text, hence no other level's name.
inline constexpr std::string_view kMissingLevel = "NA";

// "age_missing": the column that is 1 where `age` was filled. Among Constants the mean has this
// name; so has, without a number, the fact that a category or factor has a level of missing values.
[[nodiscard]] std::string missing_name(const std::string& column);

// Whether missing values of this feature are filled in.
[[nodiscard]] bool is_filled(const LoadSpec& spec, const std::string& column);

// The columns that were; of numbers alone: those that have a column beside them.
[[nodiscard]] std::vector<std::string> filled_columns(const Constants& constants);
[[nodiscard]] std::vector<std::string> filled_numbers(const Constants& constants);

// A formula that has `age` has `age_missing`, too.
[[nodiscard]] Formula with_missing_columns(const Formula& formula, const Constants& constants);

// REQUIRES: factors are taken; missing numbers are NaN, and those of categories are levels.
// O(table) where something is missing. Collective. THROWS Error kData for a column that has no
// value at all, or where `age_missing` is the name of another.
void fill_missing(const LoadSpec& spec, TableRead& read);

}  // namespace flymc
