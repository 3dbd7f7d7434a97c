// Columns of a data frame as the data layer reads them, and what a formula makes of them.
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "data/format/data_frame.hpp"
#include "flymc/fit.hpp"
#include "flymc/load_spec.hpp"

namespace flymc::python {

namespace py = pybind11;

// Holds the arrays for as long as it lives.
class FrameArrays {
 public:
  // By name a float64 array, or codes (int32) and labels of text. REQUIRES: all of one length.
  // A column that is None has no values: it must not be read.
  explicit FrameArrays(const py::dict& columns);

  [[nodiscard]] const DataFrame& frame() const noexcept { return frame_; }

 private:
  std::vector<py::object> held_;
  DataFrame frame_;
};

// What to read of a frame: formula, formulas, reference, weights, offset, trials, censored,
// missing. The frame itself is set by who reads it. THROWS Error(kUsage).
[[nodiscard]] LoadSpec to_spec(const py::dict& asked);

// The response, the intercept and the group terms, as the formula has them. THROWS Error(kUsage).
void adopt_formula(LoadSpec& spec, FitSettings& settings);

}  // namespace flymc::python
