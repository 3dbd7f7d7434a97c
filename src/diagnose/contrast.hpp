// A linear expression of coefficients: "city=Rome - city=Oslo", "(a + b)/2 - c".
//
//   expression = [+|-] part { (+|-) part };  part = [number *] one [* number | / number]
//   one        = name | ( expression )
//
// A name is a label or a column of the chain files, the longest that fits, or in `backquotes`.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "flymc/diagnose/summary.hpp"

namespace flymc {

struct Contrast {
  std::string text;                                     // as it was given
  std::vector<std::pair<std::size_t, double>> weights;  // of parameters by their numbers
};

// `others`: names beside labels and columns, and what they stand for: nothing, of a level that has
// no column because others are compared with it ("city=Oslo"). THROWS Error kUsage with the place
// of a mistake, or the nearest name.
[[nodiscard]] Contrast parse_contrast(const std::string& text,
                                      const std::vector<ParameterName>& parameters,
                                      const std::vector<Contrast>& others);

}  // namespace flymc
