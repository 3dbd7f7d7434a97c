// An option that takes one of a few words, for every subcommand: one check, one message.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "fit/words.hpp"

namespace flymc::cli {

// `value` is a T or an optional one.
template <class T, class Value>
Option add_choice(const Subcommand& command, const std::string& name, Value& value,
                  std::span<const Word<T>> words, const std::string& help) {
  std::string listed;
  for (const Word<T>& word : words) {
    listed += (listed.empty() ? "" : ", ") + std::string(word.word);
  }
  return command.add_option(
      name,
      [&value, words, name](const std::string& text) { value = parse_word<T>(text, name, words); },
      help + " [" + listed + "]");
}

template <Worded T>
Option add_choice(const Subcommand& command, const std::string& name, T& value,
                  const std::string& help) {
  return add_choice<T>(command, name, value, words_of(T{}), help);
}

template <Worded T>
Option add_choice(const Subcommand& command, const std::string& name, std::optional<T>& value,
                  const std::string& help) {
  return add_choice<T>(command, name, value, words_of(T{}), help);
}

}  // namespace flymc::cli
