// Predictions for the rows of a data frame: by the formula, levels and constants of a fit, which is
// in memory or in a folder.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>

#include "predict/predictor.hpp"

namespace flymc::python {

namespace py = pybind11;

class FramePredictor {
 public:
  explicit FramePredictor(RunDraws draws) : predictor_(std::move(draws)) {}
  // THROWS Error as read_run_draws.
  FramePredictor(const std::string& folder, std::size_t at_most);

  // {"values", "warnings"}: mean, sd and the ends of the interval of E[y], or of a new response;
  // of several classes mean, lower and upper end of each probability. NaN in a row that cannot be
  // predicted. `how`: prob, predictive, new_levels, threads.
  [[nodiscard]] py::dict predict(const py::dict& columns, const py::dict& how) const;
  // E[y] of every draw: draw x row; of several classes draw x (class x row).
  [[nodiscard]] py::array_t<double> draws(const py::dict& columns, const py::dict& how) const;
  // log p(y | theta) of every draw: draw x row, NaN where it cannot be told.
  [[nodiscard]] py::array_t<double> log_likelihood(const py::dict& columns,
                                                   const py::dict& how) const;
  // {"text", "json"}: as `flymc check` prints it of these rows. `how`: prob, rows, threads.
  [[nodiscard]] py::dict check(const py::dict& columns, const py::dict& how) const;
  // The same of `flymc effects`. `how`: of, prob, threads.
  [[nodiscard]] py::dict effects(const py::dict& columns, const py::dict& how) const;

 private:
  Predictor predictor_;
};

}  // namespace flymc::python
