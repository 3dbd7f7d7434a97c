// Separable classes: some direction d has t_n x_n.d >= 0 for every row and > 0 for one. Then the
// likelihood only rises along d, and with a flat prior there is no posterior.
#pragma once

#include <cstddef>
#include <vector>

#include "flymc/data/dataset.hpp"

namespace flymc {

// Design columns (0 is the intercept, where there is one) that make up a separating direction of
// the labels -1/+1; empty where the classes overlap. Newton from zero: where the classes overlap it
// converges; where they do not, its steps turn into a direction that separates, which is then
// checked row by row, so that a positive answer is a proof. REQUIRES: columns of full rank. About
// 10 to 40 passes.
[[nodiscard]] std::vector<std::size_t> separating_columns(const Dataset& data, unsigned threads);

// Whether theta classifies every row correctly, with a margin.
[[nodiscard]] bool separates(const Dataset& data, const Vector& theta);

}  // namespace flymc
