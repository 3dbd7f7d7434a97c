// What a run says of the levels of its group terms, one coefficient that varies at a time.
#pragma once

#include <string>
#include <vector>

#include "flymc/diagnose/summary.hpp"

namespace flymc {

// Lists of the same length, in the order of the factor's levels.
struct LevelEstimates {
  std::string name;                 // of the coefficient: shop, shop.price
  std::vector<std::string> labels;  // untrusted text
  std::vector<double> mean;
  std::vector<double> lower;  // of the central interval of 95 %
  std::vector<double> upper;
};

// The coefficients that vary, as the scales among the parameters name them.
[[nodiscard]] std::vector<std::string> varying_coefficients(const Summary& summary);

// From the draws of levels; none where a run keeps none.
// REQUIRES: answers to questions with prob 0.95, on the scale of the draws.
[[nodiscard]] std::vector<LevelEstimates> levels_of(const Summary& summary);

}  // namespace flymc
