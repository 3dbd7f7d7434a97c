// The subcommands. Each adds itself to the command line; its callback does the work, throws
// flymc::Error where it cannot, and sets `status` where it ends in another code than 0.
#pragma once

#include <string>

#include "cli/command_line.hpp"

namespace flymc::cli {

void add_fit(CommandLine& line, int& status);
void add_inspect(CommandLine& line, int& status);
void add_convert(CommandLine& line, int& status);
void add_summary(CommandLine& line, int& status);
void add_predict(CommandLine& line, int& status);
void add_compare(CommandLine& line, int& status);
void add_effects(CommandLine& line, int& status);
void add_check(CommandLine& line, int& status);
void add_export(CommandLine& line, int& status);
void add_simulate(CommandLine& line, int& status);
void add_demo(CommandLine& line, int& status);
void add_report(CommandLine& line, int& status);
void add_doctor(CommandLine& line, int& status, const std::string& version);

}  // namespace flymc::cli

namespace flymc::paper {

void add_paper(cli::CommandLine& line, int& status);

}  // namespace flymc::paper
