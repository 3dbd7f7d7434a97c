// The parameters of an estimator as options of the command line: same words, same checks.
#pragma once

#include <pybind11/pybind11.h>

#include "flymc/fit.hpp"
#include "report/terminal_settings.hpp"

namespace flymc::python {

// Every key is an option without its dashes; None is as if it were not given. Counts were checked
// in Python. THROWS Error(kUsage).
[[nodiscard]] FitSettings to_settings(const pybind11::dict& asked);
[[nodiscard]] TerminalSettings to_terminal(const pybind11::dict& asked);

}  // namespace flymc::python
