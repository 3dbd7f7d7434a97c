// The options that say what to read and which column plays which part; for every command with DATA.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "flymc/load.hpp"

namespace flymc::cli {

// REQUIRES: `data` outlives the command.
// Returns DATA, which is required.
CLI::Option* add_data_options(CLI::App& command, LoadSpec& data);

// The same options as a shell takes them: "train.csv --response y --drop id,name".
[[nodiscard]] std::string to_words(const LoadSpec& data);

}  // namespace flymc::cli
