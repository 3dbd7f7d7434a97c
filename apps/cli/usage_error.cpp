#include "cli/usage_error.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "core/text.hpp"

namespace flymc::cli {
namespace {

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  const std::string found = nearest(name, known);
  return found.empty() ? "" : fmt::format("; did you mean '{}'?", found);
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* command : root.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  return names;
}

// An option nobody knows before a word nobody asked for: the word is probably its value.
std::string of_extras(const CLI::App& command) {
  const std::vector<std::string> extras = command.remaining(true);
  for (const std::string& extra : extras) {
    if (extra.starts_with("-")) {
      const std::string name = extra.substr(0, extra.find('='));
      return fmt::format("no option {}{}", in_quotes(name),
                         did_you_mean(name, option_names(command)));
    }
  }
  return fmt::format("{} is one argument too many",
                     extras.empty() ? "this" : in_quotes(extras.front()));
}

std::string of_mismatch(const std::string& what) {
  const std::string option = what.substr(0, what.find(':'));
  const bool missing = what.find("missing") != std::string::npos;
  return option + (missing ? " needs a value" : " is given more than once");
}

// "Could not convert: --nu = x": only plain numbers are converted by the parser.
std::string of_conversion(const std::string& what) {
  const auto colon = what.find(": ");
  const auto equals = what.find(" = ");
  if (colon == std::string::npos || equals == std::string::npos || equals < colon) {
    return escaped(what);
  }
  return fmt::format("{} {}: must be a number", what.substr(colon + 2, equals - colon - 2),
                     shortened(what.substr(equals + 3)));
}

std::string what_is_wrong(const CLI::App& root, const CLI::ParseError& error) {
  const auto chosen = root.get_subcommands();
  if (chosen.empty()) {
    const auto words = root.remaining();
    if (words.empty()) {
      return "no command";
    }
    return words.front().starts_with("-")
               ? of_extras(root)
               : fmt::format("no command {}{}", in_quotes(words.front()),
                             did_you_mean(words.front(), command_names(root)));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return of_extras(*chosen.front());
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return of_mismatch(error.what());
  }
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    return of_conversion(error.what());
  }
  return escaped(error.what());
}

}  // namespace

std::string usage_text(const CLI::App& root, const CLI::ParseError& error) {
  const auto chosen = root.get_subcommands();
  const std::string wrong = what_is_wrong(root, error);
  const bool ends = wrong.ends_with('.') || wrong.ends_with('?');
  return fmt::format("{}{} See flymc {}--help.", wrong, ends ? "" : ".",
                     chosen.empty() ? "" : chosen.front()->get_name() + " ");
}

}  // namespace flymc::cli
