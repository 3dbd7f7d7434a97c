#include "cli/wording.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace flymc::cli {
namespace {

// Options that are not called as their settings are.
struct Renamed {
  const char* setting;
  const char* option;
};
constexpr Renamed kRenamed[] = {{"rows", "-n"}, {"columns", "-d"}};

std::string option_of(const std::string& setting) {
  for (const Renamed& renamed : kRenamed) {
    if (setting == renamed.setting) {
      return renamed.option;
    }
  }
  std::string option = "--" + setting;
  std::ranges::replace(option, '_', '-');
  return option;
}

class OptionWording final : public Wording {
 public:
  [[nodiscard]] std::string of(const Setting& setting) const override {
    if (setting.name == "intercept" && setting.value == "false") {
      return "--no-intercept";
    }
    if (setting.name == "complete_in") {
      return "--missing drop " + of(Setting{"missing_in", setting.value});
    }
    return option_of(setting.name) + (setting.value.empty() ? "" : " " + shell_word(setting.value));
  }
  [[nodiscard]] std::string of(const OtherValue& other) const override { return other.value; }
  [[nodiscard]] std::string of(const Command& command) const override {
    std::string words = "flymc " + command.name;
    if (!command.argument.empty()) {
      words += " " + command.argument;
    }
    return command.setting.name.empty() ? words : words + " " + of(command.setting);
  }
  [[nodiscard]] std::string of(const Refit& refit) const override {
    if (refit.setting.name == "resume") {
      return "flymc fit " + of(refit.setting);
    }
    return (refit.setting.name.empty() ? "" : of(refit.setting) + " ") + "--overwrite";
  }
};

}  // namespace

const Wording& option_wording() noexcept {
  static const OptionWording wording;
  return wording;
}

}  // namespace flymc::cli
