// The options that say what to read and which column plays which part; for every command with DATA.
#pragma once

#include <string>

#include "cli/command_line.hpp"
#include "flymc/load.hpp"

namespace flymc::cli {

// REQUIRES: `data` outlives the command.
// Returns DATA, which is required.
Option add_data_options(const Subcommand& command, LoadSpec& data,
                        std::vector<std::string>* formulas = nullptr);

// The same options as a shell takes them: "train.csv --response y --drop id,name".
[[nodiscard]] std::string to_words(const LoadSpec& data);

}  // namespace flymc::cli
