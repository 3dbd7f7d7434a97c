// Separated text (csv, tsv) with a header into a Table.
#pragma once

#include <string_view>

#include "flymc/data/load.hpp"
#include "flymc/data/row_counts.hpp"

namespace flymc {

// `text` is the whole file, inflated. Two parallel passes over it: count the rows, parse them; a
// third where the response turns out to be text. THROWS Error as load() does.
[[nodiscard]] TableRead read_csv(const LoadSpec& spec, std::string_view text, char separator);

}  // namespace flymc
