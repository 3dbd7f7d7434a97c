// From the tree of a text to its tapes: one for every answer that data give to its conditions.
#pragma once

#include <string_view>

#include "family/auto/syntax.hpp"
#include "family/auto/tape.hpp"

namespace flymc::typed {

// `text` is named in errors: a program over the limits of Tape, RowCode or Program, a predictor
// that does not occur.
[[nodiscard]] Program compile(const Syntax& syntax, const Names& names, std::string_view text);

}  // namespace flymc::typed
