// A run in a folder, as Python reads it.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>

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
  // {"text", "json"}, as `flymc summary` prints them. `asked`: as to_questions.
  [[nodiscard]] py::dict summary(const py::dict& asked) const;
  // As class_contrasts (answers.hpp).
  [[nodiscard]] py::dict contrasts(const std::string& reference) const;
  // The same of `flymc effects`. `how`: of, prob, rows (or None), draws, threads. THROWS Error as
  // effects_of.
  [[nodiscard]] py::dict effects(const py::dict& how) const;
  // The same of `flymc check`. `how`: prob, rows, draws, threads. THROWS Error as check_run.
  [[nodiscard]] py::dict check(const py::dict& how) const;
  // The page of `flymc report`. THROWS Error as run_page.
  [[nodiscard]] std::string report() const;

 private:
  std::string path_;
  RunChains chains_;
};

// {"text", "json"}, as `flymc compare` prints them. `runs`: a folder's path or a Run each;
// `columns`: for each the columns of the data frame that it was made of, which a fit that merged
// equal rows needs, or None. THROWS Error as compare_runs.
[[nodiscard]] py::dict compare(const py::list& runs, const py::list& columns);

}  // namespace flymc::python
