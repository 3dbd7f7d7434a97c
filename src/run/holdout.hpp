// Rows that a fit does not see, so that it can be checked on them: each is held out with the asked
// probability, by a coin that is a function of seed and row number alone.
#pragma once

#include <cstddef>

#include "flymc/table.hpp"
#include "run/run_options.hpp"

namespace flymc {

// A row by its number among those that were read and kept.
[[nodiscard]] bool is_held_out(const RunOptions& options, std::size_t row);

// Takes them out of the table and says how many they are. THROWS Error: kUsage where ranks share
// the rows, kData where no row is left, or none is held out.
std::size_t hold_out(const RunOptions& options, Table& table);

}  // namespace flymc
