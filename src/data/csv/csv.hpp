// Separated text (csv, tsv) with a header into a Table.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "data/csv/text_parts.hpp"
#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

// The text without a byte order mark. THROWS Error kData when it is empty, UTF-16 or no text.
[[nodiscard]] std::string_view checked_text(std::string_view text, const std::string& path);

// All rows of all parts; where several ranks share them, this rank's, of parts of which each has
// those that it reads. THROWS Error as load() does.
[[nodiscard]] TableRead read_csv(const LoadSpec& spec, std::span<const TextPart> parts,
                                 char separator);

}  // namespace flymc
