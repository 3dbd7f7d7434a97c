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

// Settings as typed: numbers, and text where a word will do.
class FamilySettings {
 public:
  // REQUIRES: this outlives the parsing.
  void add_to(const Subcommand& command);

  // THROWS Error(kUsage) for text that is neither a number nor that word.
  [[nodiscard]] Settings given() const;
  // Beside group terms nothing is chosen from the data. THROWS Error(kUsage) where that is asked.
  void refuse_choice() const;

 private:
  Settings numbers_;
  std::map<std::string, std::string> texts_;
};

// Settings, trials and classes of what is simulated.
void add_simulated_settings(const Subcommand& command, SimulateOptions& data);

// What stands for a setting that is not given: auto, infer; null where there is no such word.
[[nodiscard]] const char* word_for_absent(const OwnSetting& setting) noexcept;

// A number; none for the word, where there is one, and for nothing. THROWS Error(kUsage).
[[nodiscard]] std::optional<double> number_or(const char* word, const std::string& text,
                                              const std::string& option);

}  // namespace flymc::cli
