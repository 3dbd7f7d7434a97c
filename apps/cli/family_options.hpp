// The options that come from the list of families: --model, and the settings of each family.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cli/command_line.hpp"
#include "family/simulate.hpp"
#include "flymc/family/setting.hpp"

namespace flymc::cli {

// --model, with the words in the order of the list, or by kind of response.
void add_family(const Subcommand& command, std::string& family, bool by_response);

// Settings as typed: numbers, and text where a word will do (infer, auto).
class FamilySettings {
 public:
  // REQUIRES: this outlives the parsing.
  void add_to(const Subcommand& command);

  // THROWS Error(kUsage) for text that is neither a number nor a word it takes.
  [[nodiscard]] Settings given() const;

 private:
  Settings numbers_;
  std::map<std::string, std::string> texts_;
};

// Settings, trials and classes of what is simulated.
void add_simulated_settings(const Subcommand& command, SimulateOptions& data);

// A number; none for the word, where there is one, and for nothing. THROWS Error(kUsage).
[[nodiscard]] std::optional<double> number_or(const char* word, const std::string& text,
                                              const std::string& option);

}  // namespace flymc::cli
