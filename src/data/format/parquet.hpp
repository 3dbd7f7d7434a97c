// Parquet files into a Table, read by DuckDB block by block.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

// Numbers of every type, booleans as 0/1, everything else as text; NULL and NaN are missing. Files
// must have the same column names in the same order. THROWS Error as load() does; kNoInput where
// DuckDB's library is not found.
[[nodiscard]] TableRead read_parquet(const LoadSpec& spec, std::span<const std::string> paths);

// Cells of some rows as text, empty where there is none: of the first columns but one.
struct ParquetCells {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;  // one a name
};

// `numbers`: of rows, in all files together, from 1; of those that are not there no cell is.
// `without`: a column that does not count. THROWS Error as read_parquet().
[[nodiscard]] ParquetCells parquet_cells(std::span<const std::string> paths, std::size_t columns,
                                         const std::string& without,
                                         std::span<const std::size_t> numbers);

}  // namespace flymc
