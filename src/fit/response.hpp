// Responses as models want them: -1/+1 for two classes, 0 .. K-1 for softmax, counts and numbers as
// they are, successes as the fraction of their trials, which become weights, or as a Tally.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fit/settings.hpp"
#include "flymc/table.hpp"

namespace flymc {

// What was found in the response.
struct ResponseFacts {
  std::vector<std::string> classes;  // labels in the order of their codes, of two the negative
                                     // one first; empty: numbers
  std::vector<std::uint64_t> class_rows{};  // of three classes or more: rows of each
  std::string note;                         // in words; empty: nothing to say
  double successes = 0.0;                   // in all `trials`; 0 of 0 where there are none
  double trials = 0.0;
  double censored = 0.0;  // rows
};

// Encodes the response in place. THROWS Error(kData) for one that the model cannot use: too many or
// too few classes, text where numbers are needed, counts that are not whole; with the value and
// its row.
[[nodiscard]] ResponseFacts encode_response(Table& table, const FitSettings& options);

}  // namespace flymc
