// Everything `flymc fit` is asked for: the fit, its folder, its terminal.
#pragma once

#include "report/terminal_settings.hpp"
#include "run/run_options.hpp"

namespace flymc::cli {

struct FitOptions : RunOptions, TerminalSettings {
  bool strict = false;  // exit 2 where a check fails
};

}  // namespace flymc::cli
