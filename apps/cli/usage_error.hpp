// What is wrong with a command line, in the words of the contract instead of the parser's.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace flymc::cli {

// One line without control bytes: the option, its value, what is wrong, the nearest known name.
[[nodiscard]] std::string usage_text(const CLI::App& root, const CLI::ParseError& error);

}  // namespace flymc::cli
