#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "cli/argument_files.hpp"
#include "core/standard_error.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

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

std::string usage_text(const CLI::App& root, const CLI::ParseError& error) {
  const auto chosen = root.get_subcommands();
  const std::string wrong = what_is_wrong(root, error);
  const bool ends = wrong.ends_with('.') || wrong.ends_with('?');
  return fmt::format("{}{} See flymc {}--help.", wrong, ends ? "" : ".",
                     chosen.empty() ? "" : chosen.front()->get_name() + " ");
}

constexpr const char* kConfig = "--config";

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

// What stands on the command line itself: options, and the value of one of them.
struct Typed {
  std::set<const CLI::Option*> options;
  bool argument = false;  // a word that is no option's
  std::string config;     // empty: none
};

// `words` after the command.
Typed typed(const CLI::App& command, const std::vector<std::string>& words) {
  Typed found;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("-") || word == "-") {
      found.argument = true;
      continue;
    }
    const std::size_t equals = word.find('=');
    const CLI::Option* const option = command.get_option_no_throw(word.substr(0, equals));
    if (option == nullptr) {
      continue;  // the parser will say so
    }
    found.options.insert(option);
    const bool value_follows = equals == std::string::npos && !is_flag(*option);
    if (option->check_lname("config")) {
      found.config = !value_follows         ? word.substr(equals + 1)
                     : i + 1 < words.size() ? words[i + 1]
                                            : "";
    }
    i += value_follows ? 1 : 0;
  }
  return found;
}

// The words that say what one line of a configuration does.
std::vector<std::string> words_of(const CLI::App& command, const ConfigLine& line) {
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::kUsage, fmt::format("{}: {}", line.place, what));
  };
  const CLI::Option* const option = command.get_option_no_throw("--" + line.key);
  const std::string* const text = std::get_if<std::string>(&line.value);
  if (option == nullptr || line.key == "config" || line.key == "help") {
    std::vector<std::string> keys{"data"};
    for (const std::string& name : option_names(command)) {
      keys.push_back(name.substr(2));
    }
    fail(fmt::format("no setting {}{}", in_quotes(line.key), did_you_mean(line.key, keys)));
  }
  if (is_flag(*option)) {
    if (text != nullptr) {
      fail(fmt::format("{} is true or false.", in_quotes(line.key)));
    }
    return std::get<bool>(line.value) ? std::vector<std::string>{"--" + line.key}
                                      : std::vector<std::string>{};
  }
  if (text == nullptr) {
    fail(fmt::format("{} takes text or a number, not true or false.", in_quotes(line.key)));
  }
  return {fmt::format("--{}={}", line.key, *text)};
}

// Settings of --config FILE, where the command takes one, behind those that were typed, which win.
void add_configured(CLI::App& root, std::vector<std::string>& words) {
  const std::vector<CLI::App*> commands = root.get_subcommands(
      [&](const CLI::App* app) { return !words.empty() && app->get_name() == words.front(); });
  const CLI::App* const command = commands.empty() ? nullptr : commands.front();
  if (command == nullptr || command->get_option_no_throw(kConfig) == nullptr) {
    return;
  }
  const Typed given = typed(*command, words);
  if (given.config.empty()) {
    return;
  }
  for (const ConfigLine& line : read_config(given.config)) {
    if (line.key == "data" && std::holds_alternative<std::string>(line.value)) {
      if (!given.argument) {
        words.push_back(std::get<std::string>(line.value));
      }
      continue;
    }
    const std::vector<std::string> more = words_of(*command, line);
    if (!given.options.contains(command->get_option_no_throw("--" + line.key))) {
      words.insert(words.end(), more.begin(), more.end());
    }
  }
}

// The usage, and below it the example.
class WithExample final : public CLI::Formatter {
 public:
  explicit WithExample(std::string example) : example_(std::move(example)) {}

  std::string make_usage(const CLI::App* app, std::string name) const override {
    return CLI::Formatter::make_usage(app, std::move(name)) + "Example: " + example_ + "\n";
  }

 private:
  std::string example_;
};

}  // namespace

Option Option::required(bool is_required) const {
  option_->required(is_required);
  return *this;
}

bool Option::is_given() const { return option_->count() > 0; }

Option Subcommand::grouped(CLI::Option* option) const {
  if (!group_.empty()) {
    option->group(group_);
  }
  return Option(option);
}

Subcommand Subcommand::in_group(const std::string& heading) const {
  Subcommand result = *this;
  result.group_ = heading;
  return result;
}

void Subcommand::show_example(const std::string& words) const {
  app_->formatter(std::make_shared<WithExample>(words));
}

Option Subcommand::add_option(const std::string& names, std::string& value,
                              const std::string& help) const {
  return grouped(app_->add_option(names, value, help));
}

Option Subcommand::add_option(const std::string& names, double& value,
                              const std::string& help) const {
  return grouped(app_->add_option(names, value, help));
}

Option Subcommand::add_option(const std::string& names, std::uint64_t& value,
                              const std::string& help) const {
  return grouped(app_->add_option(names, value, help));
}

Option Subcommand::add_option(const std::string& names, std::optional<double>& value,
                              const std::string& help) const {
  return grouped(app_->add_option(names, value, help));
}

Option Subcommand::add_list(const std::string& names, std::vector<std::string>& value,
                            const std::string& help) const {
  return grouped(app_->add_option(names, value, help)->delimiter(','));
}

Option Subcommand::add_texts(const std::string& names, std::vector<std::string>& value,
                             const std::string& help) const {
  return grouped(app_->add_option(names, value, help)->allow_extra_args(false));
}

Option Subcommand::add_arguments(const std::string& name, std::vector<std::string>& value,
                                 const std::string& help) const {
  return grouped(app_->add_option(name, value, help));
}

Option Subcommand::add_option(const std::string& names,
                              std::function<void(const std::string&)> take,
                              const std::string& help) const {
  return grouped(app_->add_option_function<std::string>(names, std::move(take), help));
}

Option Subcommand::add_each(const std::string& names, std::function<void(const std::string&)> take,
                            const std::string& help) const {
  return grouped(app_->add_option_function<std::vector<std::string>>(
                         names,
                         [take = std::move(take)](const std::vector<std::string>& texts) {
                           std::ranges::for_each(texts, take);
                         },
                         help)
                     ->expected(1)
                     ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
}

Option Subcommand::add_number(const std::string& names, std::function<void(double)> take,
                              const std::string& help) const {
  return grouped(app_->add_option_function<double>(names, std::move(take), help));
}

void Subcommand::add_flag(const std::string& names, bool& value, const std::string& help) const {
  grouped(app_->add_flag(names, value, help));
}

void Subcommand::callback(std::function<void()> work) const { app_->callback(std::move(work)); }

std::vector<std::string> Subcommand::given() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->count() > 0) {
      const std::string name = option->get_single_name();
      names.push_back(option->nonpositional() ? "--" + name : name);
    }
  }
  return names;
}

void Subcommand::fail_missing(const std::string& argument) { throw CLI::RequiredError(argument); }

CommandLine::CommandLine(const std::string& description, const std::string& version)
    : root_(std::make_unique<CLI::App>(description)) {
  root_->name("flymc");
  root_->set_version_flag("--version", version);
  root_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Subcommand CommandLine::add_subcommand(const std::string& name, const std::string& description) {
  return Subcommand(root_->add_subcommand(name, description));
}

void CommandLine::parse(int argc, char** argv, bool talks) {
  std::vector<std::string> words = with_files_replaced({argv + 1, argv + argc});
  add_configured(*root_, words);
  if (words.empty()) {
    if (talks) {
      fmt::print("{}\n\nAll commands: flymc --help. One of them: flymc fit --help.\n",
                 root_->get_description());
    }
    return;
  }
  std::reverse(words.begin(), words.end());  // as the parser takes them
  try {
    root_->parse(words);
  } catch (const CLI::Success& help) {
    if (talks) {
      root_->exit(help);
    }
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::kUsage, usage_text(*root_, error));
  }
}

std::optional<double> parse_number(const std::string& text) {
  double value = 0.0;
  return CLI::detail::lexical_cast(text, value) ? std::optional(value) : std::nullopt;
}

}  // namespace flymc::cli
