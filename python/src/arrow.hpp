// Frames that speak Arrow (polars, pyarrow, DuckDB), by its C stream interface: columns of numbers
// stay where they are, text becomes codes and labels.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

namespace flymc::python {

namespace py = pybind11;

class ArrowChunks;

class ArrowTable {
 public:
  // Takes the stream out of its capsule, and reads it to its end. THROWS TypeError, ValueError.
  explicit ArrowTable(const py::capsule& stream);

  [[nodiscard]] std::vector<std::string> names() const;
  // An array of float64 or datetime64, or (codes, labels) of text; missing values are nan, NaT and
  // -1. A column of doubles in one chunk, none of them missing, is not copied. THROWS KeyError;
  // TypeError for what is neither number, text nor date.
  [[nodiscard]] py::object column(const std::string& name) const;

 private:
  std::shared_ptr<const ArrowChunks> chunks_;
};

}  // namespace flymc::python
