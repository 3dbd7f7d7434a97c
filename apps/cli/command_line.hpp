// The command line's parser, as little of it as we use. CLI11 stands behind this seam and is
// compiled in command_line.cpp alone: in every file that needs an option it would cost seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace flymc::cli {

// A handle; the command line owns what it points to.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required(bool is_required = true) const;
  [[nodiscard]] bool is_given() const;

 private:
  CLI::Option* option_;
};

// A subcommand. `names` of an option as people type them, "-n,--rows"; without dashes it is an
// argument. Values must live until the command line is parsed.
class Subcommand {
 public:
  explicit Subcommand(CLI::App* app) : app_(app) {}

  // The same, its options under this heading of the help.
  [[nodiscard]] Subcommand in_group(const std::string& heading) const;
  // A line that works, shown before the options.
  void show_example(const std::string& words) const;

  Option add_option(const std::string& names, std::string& value, const std::string& help) const;
  Option add_option(const std::string& names, double& value, const std::string& help) const;
  Option add_option(const std::string& names, std::uint64_t& value, const std::string& help) const;
  Option add_option(const std::string& names, std::optional<double>& value,
                    const std::string& help) const;
  // Words with commas between them.
  Option add_list(const std::string& names, std::vector<std::string>& value,
                  const std::string& help) const;
  // One text each time it is given.
  Option add_texts(const std::string& names, std::vector<std::string>& value,
                   const std::string& help) const;
  // An argument that takes all words that are not options.
  Option add_arguments(const std::string& name, std::vector<std::string>& value,
                       const std::string& help) const;
  // `take` makes of the text what it will, and throws Error(kUsage) where it cannot.
  Option add_option(const std::string& names, std::function<void(const std::string&)> take,
                    const std::string& help) const;
  // May be given several times; `take` sees each.
  Option add_each(const std::string& names, std::function<void(const std::string&)> take,
                  const std::string& help) const;
  Option add_number(const std::string& names, std::function<void(double)> take,
                    const std::string& help) const;
  void add_flag(const std::string& names, bool& value, const std::string& help) const;

  // What is done when this is the subcommand that was typed.
  void callback(std::function<void()> work) const;

  // The options and arguments that were typed: "--draws", "DATA".
  [[nodiscard]] std::vector<std::string> given() const;
  // As if the argument had been required.
  [[noreturn]] static void fail_missing(const std::string& argument);

 private:
  Option grouped(CLI::Option* option) const;

  CLI::App* app_;
  std::string group_{};  // empty: the parser's own
};

class CommandLine {
 public:
  CommandLine(const std::string& description, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  [[nodiscard]] Subcommand add_subcommand(const std::string& name, const std::string& description);

  // Runs the subcommand that was typed, with the words of files where it names any
  // (argument_files.hpp). Help and version are printed where `talks` is set.
  // THROWS Error(kUsage): one line without control bytes with the option, its value, what is wrong
  // with it and the nearest known name, in the words of the contract instead of the parser's.
  void parse(int argc, char** argv, bool talks);

 private:
  std::unique_ptr<CLI::App> root_;
};

// A number as the parser reads one.
[[nodiscard]] std::optional<double> parse_number(const std::string& text);

}  // namespace flymc::cli
