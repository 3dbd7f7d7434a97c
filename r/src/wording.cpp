#include "wording.hpp"

#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace flymc::r {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Arguments that are called as R's modelling functions call them.
constexpr Pair kArguments[] = {{"model", "family"}, {"threads", "cores"}, {"draws", "iter"}};

std::string renamed(const std::string& name) {
  for (const auto& [ours, theirs] : kArguments) {
    if (name == ours) {
      return std::string(theirs);
    }
  }
  return name;
}

bool is_number(const std::string& value) {
  double ignored = 0.0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, ignored);
  return error == std::errc{} && stop == end;
}

// "normal:1" as the call that makes it.
std::string prior_call(const std::string& value) {
  const auto colon = value.find(':');
  if (value == "flat") {
    return "flat()";
  }
  return colon == std::string::npos
             ? '"' + value + '"'
             : value.substr(0, colon) + "(0, " + value.substr(colon + 1) + ")";
}

std::string literal(const std::string& setting, const std::string& value) {
  if (setting == "prior" || setting == "prior_intercept" || setting == "prior-intercept") {
    return prior_call(value);
  }
  if (value == "true" || value == "false") {
    return value == "true" ? "TRUE" : "FALSE";
  }
  return is_number(value) ? value : '"' + value + '"';
}

// "!is.na(a) & !is.na(log(b, 2))" of "a,log(b, 2)": the rows that miss no value there.
std::string present(const std::string& variables) {
  std::string text = "!is.na(";
  int depth = 0;
  for (const char c : variables) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    text += c == ',' && depth == 0 ? ") & !is.na(" : std::string(1, c);
  }
  return text + ")";
}

class ArgumentWording final : public Wording {
 public:
  [[nodiscard]] std::string of(const Setting& setting) const override {
    if (setting.name == "trials") {
      return "cbind(successes, failures)";
    }
    if (setting.name == "complete_in") {  // R leaves out rows, which others than it must lack, too
      return "subset = " + present(setting.value);
    }
    if (setting.name == "all") {
      return "all = TRUE";
    }
    if (setting.name == "response" || setting.name == "intercept") {
      return "the formula";
    }
    const std::string name = renamed(setting.name);
    const bool alone =
        setting.value.empty() || setting.name == "weights" || setting.name == "offset";
    return alone ? name : name + " = " + literal(setting.name, setting.value);
  }
  [[nodiscard]] std::string of(const OtherValue& other) const override {
    return literal(other.setting, other.value);
  }
  [[nodiscard]] std::string of(const Command& command) const override {
    if (command.name == "summary") {
      return command.setting.name.empty() ? "summary()" : "ranef()";
    }
    return "flymc " + command.name;
  }
  [[nodiscard]] std::string of(const Refit& refit) const override {
    const bool more = refit.setting.name == "draws" || refit.setting.name == "resume";
    return more ? "more draws: update(fit, iter = )" : of(refit.setting);
  }
};

}  // namespace

const Wording& argument_wording() noexcept {
  static const ArgumentWording wording;
  return wording;
}

}  // namespace flymc::r
