// Predictions for the rows of a data frame: by the formula, levels and constants of a fit, which is
// in memory or in a folder.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "predict/predictor.hpp"

namespace flymc::python {

namespace py = pybind11;

class FramePredictor {
 public:
  explicit FramePredictor(RunDraws draws) : predictor_(std::move(draws)) {}
  // THROWS Error as read_run_draws.
  FramePredictor(const std::string& folder, std::size_t at_most);

  // {"values", "warnings", "classes"}: mean, sd and the ends of the interval of E[y], or of a new
  // response; of several classes ("classes" says so) mean, lower and upper end of each probability,
  // or the share of each among new responses, with "in_set", 1 for those that hold `prob`. NaN in a
  // row that cannot be predicted. `how`: prob, predictive, new_levels, threads.
  [[nodiscard]] py::dict predict(const py::dict& columns, const py::dict& how) const;
  // E[y] of every draw: draw x row; of several classes draw x (class x row). `how["predictive"]`: a
  // new response instead, draw x row, classes by their codes.
  [[nodiscard]] py::array_t<double> draws(const py::dict& columns, const py::dict& how) const;
  // Labels by their codes; none of numbers.
  [[nodiscard]] const std::vector<std::string>& classes() const noexcept {
    return predictor_.draws().run.classes;
  }
  // log p(y | theta) of every draw: draw x row, NaN where it cannot be told; of the rows of the fit
  // (how["of_fit"]) without those that it left or held out.
  [[nodiscard]] py::array_t<double> log_likelihood(const py::dict& columns,
                                                   const py::dict& how) const;
  // {"text", "json"}: as `flymc check` prints it of these rows. `how`: prob, rows, threads, of_fit
  // (they are those of the fit).
  [[nodiscard]] py::dict check(const py::dict& columns, const py::dict& how) const;
  // The same of `flymc effects`. `how`: of, prob, rows (or None), threads, of_fit.
  [[nodiscard]] py::dict effects(const py::dict& columns, const py::dict& how) const;

 private:
  Predictor predictor_;
};

}  // namespace flymc::python
