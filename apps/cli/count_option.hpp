// An option that takes a whole number, for every subcommand: one parser, one set of messages. (The
// parser of the command line would take 1e30 for the largest number it knows and -1 for a large
// one.)
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

#include "cli/command_line.hpp"

namespace flymc::cli {

// More of --threads than any machine has work for.
constexpr unsigned kMostThreads = 1 << 12;

struct CountRange {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

// THROWS Error(kUsage) naming the option, the text and what is wrong with it.
[[nodiscard]] std::uint64_t parse_count(const std::string& option, const std::string& text,
                                        CountRange range);

// `names` as the parser wants them, "-n,--rows"; messages use the first.
template <std::unsigned_integral T>
Option add_count(const Subcommand& command, const std::string& names, T& value,
                 const std::string& help, CountRange range = {}) {
  const std::string option = names.substr(0, names.find(','));
  range.most = std::min<std::uint64_t>(range.most, std::numeric_limits<T>::max());
  return command.add_option(
      names,
      [&value, option, range](const std::string& text) {
        value = static_cast<T>(parse_count(option, text, range));
      },
      help);
}

}  // namespace flymc::cli
