// Parquet files into a Table, read by DuckDB block by block.
#pragma once

#include <span>
#include <string>

#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

// Numbers of every type, booleans as 0/1, everything else as text; NULL and NaN are missing. Files
// must have the same column names in the same order. THROWS Error as load() does; kNoInput where
// DuckDB's library is not found.
[[nodiscard]] TableRead read_parquet(const LoadSpec& spec, std::span<const std::string> paths);

}  // namespace flymc
