#include "cli/family_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
      "--model,--family", [&family](const std::string& word) { family = find_family(word).word; },
      fmt::format("default logistic [{}]", fmt::join(words, ", ")));
}

void FamilySettings::add_to(const Subcommand& command) {
  for (const OwnSetting* setting : all_settings()) {
    const std::string option = fmt::format("--{}", setting->name);
    if (setting->may_be_inferred || word_for_absent(*setting) != nullptr) {
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
  for (const OwnSetting* setting : all_settings()) {
    const auto text = texts_.find(setting->name);
    if (text == texts_.end()) {
      continue;
    }
    if (setting->may_be_inferred && text->second == "infer") {
      settings[setting->name] = kInfer;
      continue;
    }
    const std::string option = fmt::format("--{}", setting->name);
    const auto value = number_or(word_for_absent(*setting), text->second, option);
    if (value && std::isnan(*value)) {  // to the library no number means infer
      throw Error(ErrorKind::kUsage, fmt::format("{} nan: {}{}{}.", option, setting->rule,
                                                 setting->absent == Absent::kChosen ? ", auto" : "",
                                                 setting->may_be_inferred ? " or infer" : ""));
    }
    if (value) {
      settings[setting->name] = *value;
    }
  }
  return settings;
}

void FamilySettings::refuse_choice() const {
  for (const OwnSetting* setting : all_settings()) {
    const auto text = texts_.find(setting->name);
    if (setting->absent == Absent::kChosen && text != texts_.end() &&
        text->second == word_for_absent(*setting)) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--{} {}: it is chosen without group terms, and would take what "
                              "they explain for noise; leave it out to sample it, or give a "
                              "number.",
                              setting->name, text->second));
    }
  }
}

void add_simulated_settings(const Subcommand& command, SimulateOptions& data) {
  std::set<std::string> added;
  for (const FamilyType* family : families()) {
    if (family->response == ResponseKind::kClasses && added.insert("classes").second) {
      const std::string with =
          fmt::format("{}, {}", family->word, fmt::join(families_of(ResponseKind::kOrdered), ", "));
      add_count(command, "--classes", data.classes, fmt::format("{}: default 3", with));
    }
    if (family->response == ResponseKind::kSuccesses && added.insert("trials").second) {
      const std::string with =
          fmt::format("{}, {}", family->word, fmt::join(families_of(ResponseKind::kTallies), ", "));
      add_count(command, "--trials", data.trials, fmt::format("{}: trials a row, default 10", with),
                {.least = 1});
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

const char* word_for_absent(const OwnSetting& setting) noexcept {
  return setting.absent == Absent::kChosen     ? "auto"
         : setting.absent == Absent::kInferred ? "infer"
                                               : nullptr;
}

std::optional<double> number_or(const char* word, const std::string& text,
                                const std::string& option) {
  if (text.empty() || (word != nullptr && text == word)) {
    return std::nullopt;
  }
  const auto value = parse_number(text);
  if (!value) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} {}: must be a number{}.", option, shortened(text),
                            word != nullptr ? fmt::format(" or {}", word) : ""));
  }
  return value;
}

}  // namespace flymc::cli
