// Which rows of a text a rank parses, where several read it: a row belongs to the rank in whose
// bytes the row before it ends, the first row of a file to the rank that has its first byte. So no
// rank reads more than its bytes and the end of one row.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "data/csv/text_parts.hpp"
#include "flymc/ranks.hpp"

namespace flymc::csv {

// Collective. `bodies`: of every part here, its text without what is not rows; a quoted field may
// hold line ends. All of them if there is one rank.
[[nodiscard]] std::vector<std::string_view> own_rows(Ranks& ranks, std::span<const TextPart> parts,
                                                     std::span<const std::string_view> bodies);

}  // namespace flymc::csv
