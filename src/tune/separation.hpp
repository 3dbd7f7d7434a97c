// Separable data: some direction d has x_n.d on the open side of every row, and beyond 0 for one.
// Then the likelihood only rises along d, and with a flat prior there is no posterior.
// See docs/method/families.md, Priors.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/tune/newton.hpp"

namespace flymc {

// Where a datum's log likelihood never falls: as its predictor goes up (a label +1, all trials
// successes), down (a label -1, a count of 0), or neither (a count > 0: the predictor must stay).
enum class OpenSide : signed char { kDown = -1, kNeither = 0, kUp = 1 };

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
