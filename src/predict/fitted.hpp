// What the model says of rows it was fitted to.
#pragma once

#include <cstddef>
#include <vector>

#include "fit/prepare.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/diagnose/summary.hpp"

namespace flymc {

// Means over draws of what the model predicts for some rows: per row one probability a class (two
// classes: of the second alone), else the mean of the response.
struct Fitted {
  std::vector<std::size_t> rows;  // of problem.data
  std::size_t draws = 0;          // that were averaged, evenly spaced over all chains
  RowMatrix mean;                 // rows x outcomes
  RowMatrix eta{};  // rows x predictors, where their spread depends on them: these too are means
};

// At most `most` rows, evenly spaced, none whose response is censored; fewer where rows x columns x
// draws would take long.
[[nodiscard]] std::vector<std::size_t> spaced_rows(const Problem& problem, std::size_t most);
// REQUIRES: the chains are of this problem.
[[nodiscard]] Fitted fitted(const Problem& problem, const RunChains& chains,
                            std::vector<std::size_t> rows);

}  // namespace flymc
