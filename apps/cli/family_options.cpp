#include "cli/family_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "cli/count_option.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"
#include "flymc/family/family.hpp"

namespace flymc::cli {

void add_family(const Subcommand& command, std::string& family, bool by_response) {
  std::vector<const FamilyType*> listed(families().begin(), families().end());
  if (by_response) {
    std::ranges::stable_sort(listed, {}, &FamilyType::response);
  }
  std::vector<std::string> words;
  std::ranges::transform(listed, std::back_inserter(words), &FamilyType::word);
  command.add_option(
      "--model", [&family](const std::string& word) { family = find_family(word).word; },
      fmt::format("default logistic [{}]", fmt::join(words, ", ")));
}

void FamilySettings::add_to(const Subcommand& command) {
  for (const OwnSetting* setting : all_settings()) {
    const std::string option = fmt::format("--{}", setting->name);
    if (setting->absent == Absent::kChosen) {
      command.add_option(option, texts_[setting->name], setting->fit_help);
    } else {
      command.add_number(
          option, [this, setting](double value) { numbers_[setting->name] = value; },
          setting->fit_help);
    }
  }
}

Settings FamilySettings::given() const {
  Settings settings = numbers_;
  for (const auto& [name, text] : texts_) {
    if (const auto value = number_or_auto(text, "--" + name)) {
      settings[name] = *value;
    }
  }
  return settings;
}

void add_simulated_settings(const Subcommand& command, SimulateOptions& data) {
  std::set<std::string> added;
  for (const FamilyType* family : families()) {
    if (family->response == ResponseKind::kClasses && added.insert("classes").second) {
      add_count(command, "--classes", data.classes, fmt::format("{}: default 3", family->word));
    }
    if (family->response == ResponseKind::kSuccesses && added.insert("trials").second) {
      add_count(command, "--trials", data.trials,
                fmt::format("{}: trials a row, default 10", family->word), {.least = 1});
    }
    for (const OwnSetting& setting : family->settings) {
      if (added.insert(setting.name).second) {
        command.add_number(
            fmt::format("--{}", setting.name),
            [&data, name = setting.name](double value) { data.own[name] = value; },
            setting.simulate_help);
      }
    }
  }
}

std::optional<double> number_or_auto(const std::string& text, const std::string& option) {
  if (text == "auto" || text.empty()) {
    return std::nullopt;
  }
  const auto value = parse_number(text);
  if (!value) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} {}: must be a number or auto.", option, shortened(text)));
  }
  return value;
}

}  // namespace flymc::cli
