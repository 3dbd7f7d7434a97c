#include "report/page_levels.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <ranges>

#include "core/text.hpp"
#include "data/table/group_terms.hpp"
#include "report/cell_width.hpp"
#include "report/numbers.hpp"
#include "report/page_draws.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLevelLabelWidth = 60;
constexpr std::size_t kDensityPoints = 100;
constexpr std::size_t kDensityDraws = 8000;  // of one scale, all chains together

[[nodiscard]] bool is_scale(const ParameterSummary& parameter) {
  return parameter.column.starts_with("sd.") || parameter.column.starts_with("cor.");
}

[[nodiscard]] Json page_density(const ParameterSummary& parameter, const RunChains& chains) {
  const bool is_sd = parameter.column.starts_with("sd.");
  const std::vector<double> draws = gather(chains, parameter.column);
  const std::size_t step = 1 + draws.size() / kDensityDraws;
  std::vector<double> some;
  for (std::size_t i = 0; i < draws.size(); i += step) {
    some.push_back(draws[i]);
  }
  const DensityCurve density = is_sd ? density_of(some, {.low = 0.0}, kDensityPoints)
                                     : density_of(some, {.low = -1.0, .high = 1.0}, kDensityPoints);
  return {{"label", escaped(parameter.label)}, {"x", density.x}, {"y", density.y}};
}

// Numbers to a thousandth of the spread: what a pixel cannot show is not sent.
[[nodiscard]] Json picked(const std::vector<double>& values, const std::vector<std::size_t>& which,
                          int decimals) {
  Json list = Json::array();
  for (const std::size_t i : which) {
    list.push_back(rounded(values[i], decimals));
  }
  return list;
}

[[nodiscard]] Json page_term(const LevelEstimates& levels, double sd, const PageLimits& limits) {
  std::vector<std::size_t> order(levels.labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return levels.mean[i]; });
  const std::size_t every = 1 + (order.size() - 1) / limits.levels;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < order.size(); i += every) {
    shown.push_back(order[i]);
  }
  Json labels = Json::array();
  for (const std::size_t i : shown) {
    labels.push_back(cut_to_width(escaped(levels.labels[i]), kLevelLabelWidth));
  }
  const auto [low, high] = std::ranges::minmax_element(levels.mean);
  const double width = *high - *low;
  const int decimals =
      width > 0.0 && std::isfinite(width) ? std::clamp(supported_decimals(width) + 3, -15, 15) : 6;
  return {{"name", escaped(levels.name)},
          {"sd", sd},
          {"levels", order.size()},
          {"every", every},
          {"labels", std::move(labels)},
          {"number", shown},
          {"mean", picked(levels.mean, shown, decimals)},
          {"lower", picked(levels.lower, shown, decimals)},
          {"upper", picked(levels.upper, shown, decimals)}};
}

[[nodiscard]] std::vector<std::uint64_t> rows_of_levels(const Problem& problem, std::size_t first,
                                                        std::size_t members) {
  std::vector<std::uint64_t> rows(problem.data.factors()[first].labels.size());
  for (std::size_t member = first; member < first + members; ++member) {
    for (const std::uint32_t level : problem.data.factors()[member].codes) {
      if (level != Factor::kNone) {
        ++rows[level];
      }
    }
  }
  return rows;
}

}  // namespace

Json page_levels(const Summary& summary, const RunChains& chains,
                 const std::vector<LevelEstimates>& levels, const PageLimits& limits) {
  Json scales = Json::array();
  Json terms = Json::array();
  for (const ParameterSummary& parameter : summary.parameters) {
    if (is_scale(parameter)) {
      scales.push_back(page_density(parameter, chains));
    }
  }
  if (scales.empty()) {
    return nullptr;
  }
  for (const LevelEstimates& of_term : levels) {
    const auto scale =
        std::ranges::find(summary.parameters, "sd." + of_term.name, &ParameterSummary::label);
    terms.push_back(page_term(of_term, scale->estimate.mean, limits));
  }
  return {{"scales", std::move(scales)}, {"terms", std::move(terms)}};
}

void add_level_rows(const Problem& problem, Json& levels) {
  if (levels.is_null() || !problem.groups) {
    return;
  }
  std::size_t first = 0;
  for (const GroupTerm& term : problem.groups->terms) {
    if (term.is_smooth()) {
      continue;
    }
    const std::size_t members = term.all_members().size();
    const std::vector<std::uint64_t> rows = rows_of_levels(problem, first, members);
    for (const std::string& name : coefficient_names(term)) {
      for (Json& of_term : levels["terms"]) {
        if (of_term["name"] == escaped(name)) {
          Json counts = Json::array();  // a new key moves the others
          for (const auto& number : of_term["number"]) {
            counts.push_back(rows.at(number.get<std::size_t>()));
          }
          of_term["rows"] = std::move(counts);
        }
      }
    }
    first += members;
  }
}

}  // namespace flymc
