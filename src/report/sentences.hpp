// What a run found, one sentence a coefficient, to be said aloud:
//   "plan=pro against plan=basic: odds x 1.78 [1.66, 1.92]"
//   "age: odds x 1.0207 [1.0189, 1.0224] a unit; x 1.450 [1.405, 1.496] a standard deviation (18)"
//   "income: odds x 1.0064 [0.9992, 1.0133] per 10,000; x 1.015 [0.998, 1.031] a standard deviation
//   (23,360)"
//   "sd(shop): standard deviation between levels 0.42 [0.38, 0.47]"
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "flymc/diagnose/summary.hpp"

namespace flymc {

struct Sentence {
  std::size_t parameter;  // its number
  std::string about;      // the label, as the input has it, and what it is compared with
  std::string words;
};

// Of the slopes, those farthest from zero first, then where the curves of poly() and bs() are told,
// then of the scales of groups; ratios where coefficients are logarithms, else changes. Ends with
// how open the sign is, where the interval holds both. A ratio that the data leave open says that,
// and no number. `spread`: the standard deviation of the column behind a slope, by its column in
// the chain files; NaN: none, as of an indicator.
[[nodiscard]] std::vector<Sentence> sentences(
    const Summary& summary, const std::function<double(const std::string&)>& spread);

}  // namespace flymc
