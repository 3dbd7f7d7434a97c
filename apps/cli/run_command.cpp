#include "cli/run_command.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "cli/data_options.hpp"
#include "core/text.hpp"
#include "run/run_folder.hpp"

namespace flymc::cli {
namespace {

// to_words(LoadSpec) has these already.
constexpr std::array<std::string_view, 16> kOfData = {
    "response", "formula", "formulas", "features", "drop",    "categorical", "date",   "reference",
    "weights",  "offset",  "trials",   "censored", "missing", "missing-in",  "format", "header"};
// Named even where it is the default: what a reader looks for.
constexpr std::array<std::string_view, 5> kAlways = {"model", "chains", "warmup", "draws", "seed"};

bool is_in(std::span<const std::string_view> keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

std::string option_words(const std::string& key, const nlohmann::ordered_json& value) {
  if ((key == "prior-aux" || key == "prior-sd") && value.is_array()) {  // given several times
    std::string words;
    for (const auto& one : value) {
      words += option_words(key, one);
    }
    return words;
  }
  if (value.is_boolean()) {
    return value.get<bool>() ? " --" + key : "";
  }
  const std::string text =
      value.is_string()  ? value.get<std::string>()
      : value.is_array() ? fmt::format("{}", fmt::join(value.get<std::vector<std::string>>(), ","))
                         : value.dump();
  return fmt::format(" --{} {}", key, shell_word(text));
}

}  // namespace

std::string run_command(const StoredRun& run) {
  if (run.options.data.path.empty()) {
    return "";
  }
  const auto config = describe_config(run.options);
  const auto defaults = describe_config({});
  std::string words = "flymc fit " + to_words(run.options.data);
  for (const auto& [key, value] : config.items()) {
    const bool follows = key == "prior-intercept" && value == config.at("prior");
    const bool is_default = defaults.contains(key) && defaults.at(key) == value;
    if (!is_in(kOfData, key) && !value.is_null() && !follows &&
        (!is_default || is_in(kAlways, key))) {
      words += option_words(key, value);
    }
  }
  return fmt::format("{} --out {}", words, shell_word(run.options.out));
}

}  // namespace flymc::cli
