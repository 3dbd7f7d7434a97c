// How long the set-up of a fit takes on this machine, before it is started.
//
//   seconds = passes x rows / sample rows x seconds of one pass over the sample
// where a pass forms predictors, their gradient and a weighted Gram: rows x columns^2 operations.
#pragma once

#include <cstddef>

#include "flymc/table.hpp"

namespace flymc {

struct TimeEstimate {
  double pass_s = 0.0;  // over all rows
  int passes = 0;       // that set-up is worth as a rule

  [[nodiscard]] double setup_s() const noexcept { return pass_s * passes; }
};

// Measures for a tenth of a second on the first rows of the table. `predictors`: 1, or the classes
// of a softmax, which take a Gram for each pair.
[[nodiscard]] TimeEstimate estimate_time(const Table& table, std::size_t predictors,
                                         unsigned threads);

}  // namespace flymc
