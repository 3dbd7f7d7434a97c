// Separable data: some direction d has x_n.d on the open side of every row, and beyond 0 for one.
// Then the likelihood only rises along d, and with a flat prior there is no posterior.
// See docs/method/families.md, Priors.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/tune/newton.hpp"
#include "flymc/family/response.hpp"

namespace flymc {

// Design columns (0 is the intercept, where there is one; it is not named) that make up a
// separating direction; empty where there is none. Newton from zero on `pass`, whose likelihood has
// these open sides: without such a direction it converges; else its steps turn into one, which is
// then checked row by row, so that a positive answer is a proof. REQUIRES: columns of full rank;
// one side a row held here. About 10 to 40 passes.
[[nodiscard]] std::vector<std::size_t> separating_columns(const Dataset& data,
                                                          std::span<const OpenSide> sides,
                                                          const LikelihoodPass& pass);

// Whether theta classifies every row of labels -1/+1 correctly, with a margin.
[[nodiscard]] bool separates(const Dataset& data, const Vector& theta);

}  // namespace flymc
