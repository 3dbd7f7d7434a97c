// The subcommands. Each adds itself to the command line; its callback does the work, throws
// flymc::Error where it cannot, and sets `status` where it ends in another code than 0.
#pragma once

#include <CLI/CLI.hpp>

namespace flymc::cli {

void add_fit(CLI::App& root, int& status);
void add_inspect(CLI::App& root, int& status);
void add_convert(CLI::App& root, int& status);
void add_summary(CLI::App& root, int& status);
void add_predict(CLI::App& root, int& status);
void add_export(CLI::App& root, int& status);
void add_simulate(CLI::App& root, int& status);
void add_demo(CLI::App& root, int& status);
void add_report(CLI::App& root, int& status);

}  // namespace flymc::cli

namespace flymc::paper {

void add_paper(CLI::App& root, int& status);

}  // namespace flymc::paper
