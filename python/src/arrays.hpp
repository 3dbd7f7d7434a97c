// NumPy arrays as the data layer sees them. Features stay where they are: a table refers to the
// array and keeps it alive. What there is once a row (response, weights, ...) is copied.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/diagnose/summary.hpp"
#include "flymc/table.hpp"

namespace flymc::python {

namespace py = pybind11;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

// What fit() was given, checked in Python: shapes agree and every number is finite.
struct FitArrays {
  py::array x;  // float64 or float32; columns side by side
  std::vector<std::string> names;
  Numbers y;                        // numbers, or codes of the labels
  std::vector<std::string> labels;  // empty: numbers
  std::optional<Numbers> weights{};
  std::optional<Numbers> offset{};
  std::optional<Numbers> trials{};
  std::optional<std::vector<std::uint32_t>> rows{};  // of x, those to use; absent: all
};

// REQUIRES the GIL. The memory of x must not change while the table lives.
[[nodiscard]] Table to_table(const FitArrays& arrays);

[[nodiscard]] std::vector<double> to_vector(const Numbers& numbers);

// A new array that holds a copy.
[[nodiscard]] py::array_t<double> to_array(const RowMatrix& matrix);
// Draws of the parameters: chain x draw x parameter, chains cut to the shortest.
[[nodiscard]] py::array_t<double> to_array(const RunChains& run);

}  // namespace flymc::python
