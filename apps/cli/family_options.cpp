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
namespace {

// To the library some that are not finite are words.
double number_of(const OwnSetting& setting, const std::string& text) {
  const auto value = parse_number(text);
  if (!value || std::isnan(*value) || *value == kChoose) {
    const bool infer = value ? setting.may_be_inferred : setting.takes_infer();
    const char* const words = setting.may_be_chosen ? ", auto or infer" : infer ? " or infer" : "";
    throw Error(ErrorKind::kUsage, fmt::format("--{} {}: {}{}.", setting.name, shortened(text),
                                               value ? setting.rule : "must be a number", words));
  }
  return *value;
}

}  // namespace

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
    if (setting->takes_infer()) {
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
    if (text == texts_.end() || text->second.empty()) {
      continue;
    }
    const bool infer = text->second == "infer" && setting->takes_infer();
    const bool choose = text->second == "auto" && setting->may_be_chosen;
    settings[setting->name] = infer ? kInfer : choose ? kChoose : number_of(*setting, text->second);
  }
  return settings;
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
