// Collapsed sums over a short list of rows: beacons, which enter and leave sums one by one.
#pragma once

#include <functional>
#include <vector>

#include "flymc/data/dataset.hpp"
#include "flymc/target/collapsed.hpp"
#include "flymc/target/density.hpp"

namespace flymc {

// Fills slopes (a number per predictor) and curvature weights (one per pair) of list entry i and
// returns its value.
using RowWork = std::function<double(std::size_t i, double* slopes, double* weights)>;

[[nodiscard]] Collapsed sum_rows(const Dataset& data, const std::vector<Datum>& rows,
                                 int predictors, const RowWork& work);

}  // namespace flymc
