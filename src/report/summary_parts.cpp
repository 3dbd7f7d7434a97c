#include "report/summary_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "core/text.hpp"
#include "fit/parameters.hpp"
#include "report/numbers.hpp"

namespace flymc {
namespace {

// Digits where there is no MCSE to tell (constant or very few draws): four significant ones.
[[nodiscard]] int decimals_of(const Estimate& e) {
  if (e.mcse_mean > 0.0 && std::isfinite(e.mcse_mean)) {
    return supported_decimals(e.mcse_mean);
  }
  return e.mean == 0.0 || !std::isfinite(e.mean) ? 0 : supported_decimals(e.mean) + 3;
}

using Cell = std::function<std::string(const ParameterSummary&)>;

[[nodiscard]] TextColumn column(const char* title, Align align, const SummaryRows& rows,
                                const Cell& cell) {
  TextColumn result = {.title = title, .align = align, .cells = {}};
  for (const ParameterSummary* row : rows) {
    result.cells.push_back(cell(*row));
  }
  return result;
}

// A number on the scale of the parameter, to the digits its MCSE supports. lp__ is known up to a
// constant only, and its size would push the columns apart: it shows diagnostics alone.
[[nodiscard]] TextColumn estimate_column(const char* title, double Estimate::*field,
                                         const SummaryRows& rows, int more_decimals = 0) {
  return column(title, Align::kPoint, rows, [=](const ParameterSummary& row) {
    const int decimals = decimals_of(row.estimate) + more_decimals;
    return row.column == "lp__" ? "" : fixed(row.estimate.*field, decimals);
  });
}

[[nodiscard]] TextColumn ess_column(const char* title, double Estimate::*field,
                                    const SummaryRows& rows) {
  return column(title, Align::kRight, rows,
                [=](const ParameterSummary& row) { return rounded_count(row.estimate.*field); });
}

// Of a normal response: sums over the rows are their likelihood.
[[nodiscard]] bool asks_no_row(const Summary& s) { return s.cost.queries_total == 0.0; }

[[nodiscard]] std::string bright_line(const Summary& s) {
  if (asks_no_row(s)) {
    return "none: the bound is the likelihood itself";
  }
  if (s.engine == "regular") {
    return "none: the regular engine evaluates every point";
  }
  return fmt::format("mean {}, max {}; {} of N", approximate(s.cost.mean_bright),
                     approximate(s.cost.max_bright),
                     percent(s.cost.mean_bright / static_cast<double>(s.n)));
}

[[nodiscard]] std::string query_line(const Summary& s) {
  if (asks_no_row(s)) {
    return "none after set-up: no row is looked at again";
  }
  const std::string paid = approximate(s.cost.queries_per_iteration) + " per iteration";
  if (s.engine == "regular") {
    return paid + ", what regular MCMC pays";
  }
  const double regular = s.cost.regular_queries_per_iteration;
  return fmt::format("{}; regular MCMC would pay {}, {} times as many", paid, approximate(regular),
                     approximate(regular / s.cost.queries_per_iteration));
}

// Whose bulk ESS is smallest, lp__ included, among those that have one.
[[nodiscard]] const ParameterSummary& slowest(const Summary& s) {
  const ParameterSummary* worst = &s.log_density;
  for (const ParameterSummary& parameter : s.parameters) {
    const double ess = worst->estimate.ess_bulk;
    if (std::isnan(ess) || parameter.estimate.ess_bulk < ess) {
      worst = &parameter;
    }
  }
  return *worst;
}

// Of a run that did not record the clock, the sampling of its slowest chain.
[[nodiscard]] double clock_seconds(const Summary& s) {
  return std::isfinite(s.cost.seconds_total) ? s.cost.seconds_total : s.cost.seconds_sampling;
}

[[nodiscard]] std::string ess_line(const Summary& s) {
  const ParameterSummary& worst = slowest(s);
  const double ess = worst.estimate.ess_bulk;
  const std::string by_queries =
      asks_no_row(s)
          ? ""
          : fmt::format(", {} per 10^6 queries", approximate(1e6 * ess / s.cost.queries_total));
  return fmt::format("{} per second{} (smallest bulk ESS: {}, of {})",
                     approximate(ess / clock_seconds(s)), by_queries, approximate(ess),
                     escaped(worst.column));
}

[[nodiscard]] std::string time_line(const Summary& s) {
  std::string words = fmt::format(
      "sampling {} s, set-up {} s ({} over the data)", approximate(s.cost.seconds_sampling),
      approximate(s.cost.seconds_setup), approximate_count(s.cost.passes_setup, "pass"));
  if (s.cost.seconds_reanchor >= 0.001 * clock_seconds(s)) {
    words += fmt::format(", moves from mode to mean {} s", approximate(s.cost.seconds_reanchor));
  }
  if (std::isfinite(s.cost.seconds_total)) {
    words += fmt::format("; {} s by the clock, from the start to the last draw",
                         approximate(s.cost.seconds_total));
  }
  return words;
}

// Parameters are read in the order of these: kind, then what they say the most of.
[[nodiscard]] std::pair<int, double> reading_key(const ParameterSummary& parameter) {
  if (is_of_level(parameter.column)) {
    const double effect = std::abs(parameter.estimate.mean);
    return {2, std::isfinite(effect) ? -effect : 0.0};
  }
  return {is_of_levels_spread(parameter.column) ? 0 : 1, 0.0};
}

}  // namespace

std::vector<std::size_t> reading_order(const Summary& summary) {
  std::vector<std::size_t> order(summary.parameters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return reading_key(summary.parameters[i]); });
  return order;
}

std::vector<TextColumn> summary_columns(const SummaryRows& rows) {
  return {
      column("column", Align::kLeft, rows,
             [](const ParameterSummary& row) { return escaped(row.column); }),
      column("label", Align::kLeft, rows,
             [](const ParameterSummary& row) { return escaped(row.label); }),
      estimate_column("mean", &Estimate::mean, rows),
      estimate_column("sd", &Estimate::sd, rows),
      estimate_column("mcse_mean", &Estimate::mcse_mean, rows, 1),
      estimate_column("q5", &Estimate::q5, rows),
      estimate_column("q50", &Estimate::q50, rows),
      estimate_column("q95", &Estimate::q95, rows),
      ess_column("ess_bulk", &Estimate::ess_bulk, rows),
      ess_column("ess_tail", &Estimate::ess_tail, rows),
      ess_column("ess_coda", &Estimate::ess_coda, rows),
      column("rhat", Align::kPoint, rows,
             [](const ParameterSummary& row) { return fixed(row.estimate.rhat, 3); }),
  };
}

std::vector<SummaryLine> cost_lines(const Summary& summary) {
  return {{"bright points", bright_line(summary)},
          {"queries", query_line(summary)},
          {"ESS", ess_line(summary)},
          {"time", time_line(summary)}};
}

}  // namespace flymc
