// An option that takes one of a few words, for every subcommand: one check, one message.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <string>

#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"

namespace flymc::app {

// `value` is a T or an optional one.
template <class T, class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& value,
                        const std::map<std::string, T>& words, const std::string& help) {
  std::string listed;
  for (const auto& [word, meaning] : words) {
    listed += (listed.empty() ? "" : ", ") + word;
  }
  return command.add_option_function<std::string>(
      name,
      [&value, words, name, listed](const std::string& text) {
        const auto found = words.find(text);
        if (found == words.end()) {
          throw Error(ErrorKind::kUsage,
                      fmt::format("{} {}: must be one of {}.", name, shortened(text), listed));
        }
        value = found->second;
      },
      help + " [" + listed + "]");
}

}  // namespace flymc::app
