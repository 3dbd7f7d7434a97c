// A draw in the units of the input: the numbers of a chain file after its statistics, in the order
// of Problem::parameters: fit/parameters.hpp, then of groups standard deviations, correlations and
// levels.
#pragma once

#include <optional>
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
  // Of the levels alone, kept or not, in the same order.
  [[nodiscard]] std::span<const double> levels_of(const Vector& theta);

 private:
  [[nodiscard]] Vector fixed_of(const Vector& theta) const;
  void add_scales(const Vector& theta);
  void add_levels(const Vector& theta);

  const Dataset& data_;
  std::span<const ParameterPlace> places_;
  Matrix folded_;
  std::optional<GroupScales> scales_;
  struct TermLevels {
    Index levels = 0;
    Index coefficients = 1;
  };
  std::vector<TermLevels> levels_;
  bool keeps_levels_ = false;  // draws hold them
  std::vector<double> values_;
};

}  // namespace flymc
