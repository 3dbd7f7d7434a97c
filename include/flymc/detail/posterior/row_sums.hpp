// Collapsed sums over a short list of data, of this rank or of others: beacons, which enter and
// leave sums one by one.
#pragma once

#include <functional>
#include <span>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/collapsed.hpp"
#include "flymc/detail/posterior/remote_rows.hpp"

namespace flymc {

// Fills slopes (a number per predictor) and curvature weights (one per pair) of a datum and returns
// its value.
using RowWork = std::function<double(const RemoteRow& n, double* slopes, double* weights)>;

// REQUIRES: `rows` at hand.
[[nodiscard]] Collapsed sum_rows(const Dataset& data, const RemoteRows& remote_rows,
                                 std::span<const Datum> rows, const RowWork& work);

}  // namespace flymc
