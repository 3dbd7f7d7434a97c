#include "wording.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace flymc::python {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr Pair kEstimators[] = {{"logistic", "LogisticRegression"},
                                {"softmax", "SoftmaxRegression"},
                                {"student-t", "RobustRegression"},
                                {"poisson", "PoissonRegression"},
                                {"probit", "ProbitRegression"},
                                {"binomial", "BinomialRegression"},
                                {"negative-binomial", "NegativeBinomialRegression"}};

// Parameters that are called as scikit-learn calls them.
constexpr Pair kParameters[] = {{"intercept", "fit_intercept"},
                                {"data_columns", "data"},
                                {"threads", "n_jobs"},
                                {"seed", "random_state"},
                                {"weights", "sample_weight"}};

// What fit() takes as an array: there is no value to show.
constexpr std::string_view kArrays[] = {"response", "weights", "offset", "trials"};

template <std::size_t N>
std::string renamed(const Pair (&pairs)[N], const std::string& name) {
  for (const auto& [ours, theirs] : pairs) {
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

std::string literal(const std::string& value) {
  if (value == "true" || value == "false") {
    return value == "true" ? "True" : "False";
  }
  return is_number(value) ? value : '"' + value + '"';
}

class ParameterWording : public Wording {
 public:
  [[nodiscard]] std::string of(const Setting& setting) const override {
    if (setting.name == "model" && !setting.value.empty()) {
      return renamed(kEstimators, setting.value);
    }
    if (setting.name == "complete_in") {
      return "missing=\"drop\", " + of(Setting{"missing_in", setting.value});
    }
    const std::string name = renamed(kParameters, setting.name);
    const bool alone = setting.value.empty() ||
                       std::ranges::find(kArrays, setting.name) != std::ranges::end(kArrays);
    return alone ? name : name + "=" + literal(setting.value);
  }
  [[nodiscard]] std::string of(const OtherValue& other) const override {
    return other.setting == "model" ? renamed(kEstimators, other.value) : literal(other.value);
  }
  // Draws stay in memory and summaries are whole: what commands do to files, attributes do here.
  [[nodiscard]] std::string of(const Command& command) const override {
    return command.name == "summary" ? "summary().parameters" : "flymc " + command.name;
  }
  [[nodiscard]] std::string of(const Refit& refit) const override {
    if (refit.setting.name == "resume") {
      return "sample_more(n)";
    }
    const std::string words =
        refit.setting.name.empty() ? "the same parameters" : of(refit.setting);
    return refit.setting.name == "draws" ? words + ", or go on with sample_more(n)" : words;
  }
};

class FormulaWording final : public ParameterWording {
 public:
  [[nodiscard]] std::string of(const Setting& setting) const override {
    if (setting.name == "model") {
      return setting.value.empty() ? "family" : "family=" + literal(setting.value);
    }
    if (setting.name == "response" || setting.name == "intercept") {
      return "the formula";
    }
    if (setting.name == "weights") {
      return "weights";
    }
    return ParameterWording::of(setting);
  }
  [[nodiscard]] std::string of(const OtherValue& other) const override {
    return literal(other.value);
  }
};

}  // namespace

std::map<std::string, std::string> estimator_names() {
  return {std::begin(kEstimators), std::end(kEstimators)};
}

const Wording& parameter_wording() noexcept {
  static const ParameterWording wording;
  return wording;
}

const Wording& formula_wording() noexcept {
  static const FormulaWording wording;
  return wording;
}

}  // namespace flymc::python
