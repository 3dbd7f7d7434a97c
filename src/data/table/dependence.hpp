// Columns that are linear combinations of others (the constant among them, where there is one).
#pragma once

#include <cstddef>
#include <vector>

#include "flymc/dataset.hpp"

namespace flymc {

// Indices of raw columns that depend on columns before them, to about ten digits; empty where the
// columns have full rank. A sample of rows decides first, so independent columns, the usual case,
// cost O(D^3) whatever the number of rows; only where the sample is deficient are all rows read.
// Predictors with columns of their own (Dataset::Options::predictors) are looked at one by one.
using ColumnsOfEach = std::vector<std::vector<Index>>;
[[nodiscard]] std::vector<std::size_t> dependent_columns(const Dataset& data,
                                                         const ColumnsOfEach& predictors = {});

// Whether the rows that weigh more than this have full column rank by themselves. Reads all rows.
[[nodiscard]] bool has_full_rank_above(const Dataset& data, double weight);

}  // namespace flymc
