// A chain's moments must be those of the quadrature.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "support/exact_moments.hpp"

namespace flymc::exact {

// FLYMC_PRINT_Z prints all z-scores, for a look at their distribution.
inline void expect_agreement(const std::vector<Comparison>& comparisons) {
  ASSERT_GE(comparisons.size(), 6U);
  for (const Comparison& c : comparisons) {
    EXPECT_LT(std::abs(c.z), kZThreshold) << c.what << ": chain " << c.chain << " +- "
                                          << c.standard_error << ", quadrature " << c.exact;
    if (std::getenv("FLYMC_PRINT_Z") != nullptr) {
      std::printf("z %.2f %s\n", c.z, c.what.c_str());
    }
  }
}

}  // namespace flymc::exact
