// What Python asks of the draws, and what they answer.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "flymc/diagnose/summary.hpp"

namespace flymc::python {

namespace py = pybind11;

// `asked`: prob, exp, per_sd, contrast, reference; what is not there has its default.
[[nodiscard]] Questions to_questions(const py::dict& asked);

// {"text", "json"}, as `flymc summary` prints them. THROWS Error kUsage where ratios were asked of
// a model that has none.
[[nodiscard]] py::dict printed(const Summary& summary);

// Of classes with coefficients of their own {"reference", "labels", "draws"}: every other class
// against that one, which is the most frequent where none is named, as `flymc export` has them;
// `draws` (chain x draw x ...) has them last. Of all others nothing. THROWS Error kUsage for what
// is no such class.
[[nodiscard]] py::dict class_contrasts(const RunRecord& record, const RunChains& run,
                                       const std::string& reference);

}  // namespace flymc::python
