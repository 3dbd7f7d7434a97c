// What draws of a posterior predict of rows, beside what came: classes by calibration and scores,
// numbers, counts and tallies by randomised quantile residuals.
//
//   residual of row n   u_n = (#{s: y_ns < y_n} + U (#{s: y_ns = y_n} + 1)) / (S + 1)
//
// with a new response y_ns from every draw s of S and U uniform. Of a row that the fit has not seen
// u_n is uniform where the model is right, whatever the family and however few the draws: y_n is
// one of S + 1 responses that cannot be told apart. Of a time that is censored at t, all that is
// known is that y_n > t: u_n is uniform above #{y_ns < t} / (S + 1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "check/calibration.hpp"
#include "flymc/detail/check/checked_run.hpp"
#include "flymc/table.hpp"
#include "predict/predictor.hpp"

namespace flymc {

// REQUIRES: responses as NewRows leaves them, one row at least, a family that says a mean. Memory:
// the rows, and blocks of draws x rows. Does not depend on threads.
[[nodiscard]] PredictiveCheck check_predictions(const Predictor& predictor, const Table& rows,
                                                double prob, unsigned threads);

// Of residuals in [0, 1] with weights.
[[nodiscard]] ResidualCheck summarise_residuals(std::span<const double> residuals,
                                                std::span<const double> weights);

}  // namespace flymc
