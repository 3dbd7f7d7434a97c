// The files that a specification names, opened for one who reads separated text in blocks.
#pragma once

#include "data/csv/csv_blocks.hpp"
#include "data/load/input_kind.hpp"
#include "flymc/load.hpp"

namespace flymc {

struct OpenedInput {
  InputKind kind;
  CsvBlocks::Files files;  // of any format; nothing was read but the head of the first
};

// Looks at the formats of all files where the first is separated text. THROWS Error as load().
[[nodiscard]] OpenedInput open_input(const LoadSpec& spec);

}  // namespace flymc
