// LIBSVM (SVMlight) text into a dense Table:
//
//   label index:value index:value ... # comment
//
// Indices ascend along a line; an index that is not there is 0. Columns are x1, x2, ..., or x0, x1,
// ... where an index 0 occurs. The response, y, is the label: a number.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "data/csv/text_parts.hpp"
#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

// A table takes memory for every column up to the largest index, whether it occurs or not.
inline constexpr std::uint64_t kMostLibsvmColumns = std::uint64_t{1} << 20;

// Whether the first line that is not blank or a comment reads `number index:value`.
[[nodiscard]] bool is_libsvm(std::string_view text);

// Two parallel passes over the parts: rows and largest index, then the
// numbers. THROWS Error as load() does; before anything is allocated kMemory where the dense table
// is larger than the memory of the machine, and kData for more columns than there may be.
[[nodiscard]] TableRead read_libsvm(const LoadSpec& spec, std::span<const TextPart> parts);

}  // namespace flymc
