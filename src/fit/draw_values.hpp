// A draw in the units of the input: the numbers of a chain file after its statistics, in the order
// of Problem::parameters (intercepts first, then slopes predictor by predictor, then auxiliary
// parameters on their natural scale).
#pragma once

#include <span>
#include <vector>

#include "fit/prepare.hpp"
#include "flymc/detail/core/linalg.hpp"

namespace flymc {

// Before the parameters, in a chain file and in memory.
inline constexpr const char* kStatisticColumns[] = {"lp__", "accept_stat__", "bright__",
                                                    "queries__"};

class DrawValues {
 public:
  // REQUIRES: the problem outlives this.
  explicit DrawValues(const Problem& problem);

  // Valid until the next call.
  [[nodiscard]] std::span<const double> of(const Vector& theta);

 private:
  const Dataset& data_;
  std::span<const Auxiliary> auxiliaries_;
  int linear_;  // predictors made of columns
  Matrix folded_;
  std::vector<double> values_;
};

}  // namespace flymc
