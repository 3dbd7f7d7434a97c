#include "run/level_estimates.hpp"

#include <string_view>

#include "fit/parameters.hpp"

namespace flymc {
namespace {

constexpr std::string_view kScale = "sd.";

}  // namespace

std::vector<std::string> varying_coefficients(const Summary& summary) {
  std::vector<std::string> names;
  for (const ParameterSummary& parameter : summary.parameters) {
    if (parameter.label.starts_with(kScale) && parameter.column.starts_with(kScale)) {
      names.push_back(parameter.label.substr(kScale.size()));
    }
  }
  return names;
}

std::vector<LevelEstimates> levels_of(const Summary& summary) {
  std::vector<LevelEstimates> levels;
  for (const std::string& name : varying_coefficients(summary)) {
    const std::string head = "u." + name + "[";
    LevelEstimates of_name{.name = name, .labels = {}, .mean = {}, .lower = {}, .upper = {}};
    for (std::size_t i = 0; i < summary.answers.size(); ++i) {
      const std::string& label = summary.parameters[i].label;
      if (is_of_level(summary.parameters[i].column) && label.starts_with(head)) {
        of_name.labels.push_back(label.substr(head.size(), label.size() - head.size() - 1));
        of_name.mean.push_back(summary.answers[i].mean);
        of_name.lower.push_back(summary.answers[i].lower);
        of_name.upper.push_back(summary.answers[i].upper);
      }
    }
    if (!of_name.labels.empty()) {
      levels.push_back(std::move(of_name));
    }
  }
  return levels;
}

}  // namespace flymc
