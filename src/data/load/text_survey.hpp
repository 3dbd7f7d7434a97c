// What only all rows of separated text can tell: the levels of its categories, whether its response
// is text and which labels it has, and how many rows are kept. One pass in blocks, after which
// RowBlocks gives the table of load() without ever holding it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/csv/text_blocks.hpp"
#include "data/format/fly_format.hpp"
#include "flymc/load.hpp"

namespace flymc {

struct TextSurvey {
  // As asked for, with what was learned; for RowBlocks.
  LoadSpec spec;
  std::size_t rows = 0;  // that are kept
  std::size_t left_out = 0;
  std::vector<std::string> labels{};  // of the response, sorted; empty: numbers
  // The columns that are not features, in pieces that follow one another; none where a part is
  // absent. The response holds positions of labels.
  std::array<std::vector<std::vector<double>>, kFlyParts> parts{};
};

// Nothing where the input is not separated text, is piped and cannot be read again, or has an
// offset that the formula makes. Twice over the rows where the response turns out to be text after
// its first block. Memory: a block, 8 bytes a row for each of response, weights, offset and trials,
// the levels and the labels.
// THROWS Error as load() but for products of a formula; of a category with too many levels as soon
// as that is seen.
[[nodiscard]] std::optional<TextSurvey> survey_text(const LoadSpec& spec,
                                                    const BlockLimits& limits);

}  // namespace flymc
