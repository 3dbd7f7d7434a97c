// How many rows were read and why some were left out, in numbers and in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "flymc/message.hpp"
#include "flymc/ranks.hpp"
#include "flymc/table.hpp"

namespace flymc {

struct MissingIn {
  std::string column;
  std::size_t rows = 0;
};

struct RowCounts {
  std::size_t rows = 0;
  std::size_t missing = 0;              // with a missing value
  std::size_t weightless = 0;           // of weight 0, nothing missing
  std::size_t valueless = 0;            // others that a function of the formula has no number for
  std::vector<MissingIn> missing_in{};  // input columns with missing values, in file order

  // Sums over all ranks; columns in which nothing is missing are left out. REQUIRES: the same
  // columns at every rank.
  void add_up(Ranks& ranks);
};

// "37 rows have missing values (3.7 %). Use missing = drop or fill them first."
[[nodiscard]] Message missing_advice(const RowCounts& counts);

// "; dropped 37 rows with missing values and 3 rows of weight 0", or nothing.
[[nodiscard]] std::string dropped_note(const RowCounts& counts);

// THROWS Error kData when no row is left; `where` names the file.
void require_rows(const RowCounts& counts, const std::string& where);

// A column of the input and how many columns of the table it became: one, or its indicators.
struct FeatureColumns {
  std::string name;
  std::size_t count = 1;
};

// What a reader of one format hands to load().
struct TableRead {
  Table table;
  RowCounts counts;
  std::vector<std::string> warnings;
  std::string details{};                   // for the note, ", float32"; empty: nothing to add
  Levels factor_labels{};                  // of factors that were read as codes, not as numbers
  std::vector<FeatureColumns> features{};  // in the order of the table; empty: one column each
};

}  // namespace flymc
