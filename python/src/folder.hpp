// A run in a folder, as Python reads it.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "flymc/diagnose/summary.hpp"

namespace flymc::python {

namespace py = pybind11;

class Folder {
 public:
  // THROWS Error as read_run_json and read_run_chains.
  explicit Folder(std::string path);

  // columns and labels of the parameters.
  [[nodiscard]] py::dict facts() const;
  // chain x draw x parameter, chains cut to the shortest.
  [[nodiscard]] py::array_t<double> draws() const;
  // {"text", "json"}, as `flymc summary` prints them.
  [[nodiscard]] py::dict summary() const;
  // The same of `flymc effects`. THROWS Error as effects_of.
  [[nodiscard]] py::dict effects(const std::vector<std::string>& of, double prob) const;
  // The same of `flymc check`. `how`: prob, rows, draws, threads. THROWS Error as check_run.
  [[nodiscard]] py::dict check(const py::dict& how) const;
  // The page of `flymc report`. THROWS Error as run_page.
  [[nodiscard]] std::string report() const;

 private:
  std::string path_;
  RunChains chains_;
};

// {"text", "json"}, as `flymc compare` prints them. `runs`: a folder's path or a Run each;
// `columns`: of the data frame that these were made of, for fits that merged equal rows. THROWS
// Error as compare_runs.
[[nodiscard]] py::dict compare(const py::list& runs, const std::optional<py::dict>& columns);

}  // namespace flymc::python
