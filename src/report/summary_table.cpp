#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "flymc/core/text.hpp"
#include "flymc/report/checks.hpp"
#include "flymc/report/numbers.hpp"
#include "flymc/report/summary.hpp"
#include "flymc/report/text_table.hpp"

namespace flymc {
namespace {

constexpr std::size_t kMostRows = 20;
constexpr std::size_t kNarrowestLabel = 16;
constexpr std::size_t kLabelColumn = 1;

using Rows = std::vector<const ParameterSummary*>;

[[nodiscard]] Rows rows_to_show(const Summary& summary, bool all) {
  Rows rows;
  for (const ParameterSummary& parameter : summary.parameters) {
    if (all || rows.size() < kMostRows) {
      rows.push_back(&parameter);
    }
  }
  rows.push_back(&summary.log_density);
  return rows;
}

// Digits where there is no MCSE to tell (constant or very few draws): four significant ones.
[[nodiscard]] int decimals_of(const Estimate& e) {
  if (e.mcse_mean > 0.0 && std::isfinite(e.mcse_mean)) {
    return supported_decimals(e.mcse_mean);
  }
  return e.mean == 0.0 || !std::isfinite(e.mean) ? 0 : supported_decimals(e.mean) + 3;
}

using Cell = std::function<std::string(const ParameterSummary&)>;

[[nodiscard]] TextColumn column(const char* title, Align align, const Rows& rows,
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
                                         const Rows& rows, int more_decimals = 0) {
  return column(title, Align::kPoint, rows, [=](const ParameterSummary& row) {
    const int decimals = decimals_of(row.estimate) + more_decimals;
    return row.column == "lp__" ? "" : fixed(row.estimate.*field, decimals);
  });
}

[[nodiscard]] TextColumn ess_column(const char* title, double Estimate::*field, const Rows& rows) {
  return column(title, Align::kRight, rows,
                [=](const ParameterSummary& row) { return rounded_count(row.estimate.*field); });
}

[[nodiscard]] std::vector<TextColumn> table_columns(const Rows& rows) {
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

void fit_labels(std::vector<TextColumn>& columns, std::size_t width) {
  const std::size_t needed = table_width(columns);
  if (width == 0 || needed <= width) {
    return;
  }
  std::size_t label_width = 0;
  for (const std::string& label : columns[kLabelColumn].cells) {
    label_width = std::max(label_width, display_width(label));
  }
  const std::size_t excess = needed - width;
  const std::size_t room =
      std::max(kNarrowestLabel, label_width > excess ? label_width - excess : 0);
  for (std::string& label : columns[kLabelColumn].cells) {
    label = cut_to_width(label, room);
  }
}

[[nodiscard]] std::string parameter_table(const Summary& summary, const TableOptions& options) {
  const Rows rows = rows_to_show(summary, options.all);
  auto columns = table_columns(rows);
  fit_labels(columns, options.width);
  std::string text = render(columns);
  const std::size_t hidden = summary.parameters.size() + 1 - rows.size();
  if (hidden > 0) {
    text += fmt::format("... and {}: flymc summary {} --all\n", counted(hidden, "more parameter"),
                        summary.folder);
  }
  return text;
}

[[nodiscard]] std::string heading(const Summary& s) {
  std::string text =
      fmt::format("{} regression, n = {}, d = {}: {} of {}, {}engine {}\n", escaped(s.model),
                  with_commas(s.n), with_commas(s.d), counted(s.chains, "chain"),
                  counted(s.draws, "draw"), s.exact ? "exact, " : "", escaped(s.engine));
  if (s.status == "interrupted") {
    text += "This run was interrupted; these are its draws so far.\n";
  } else if (s.status != "complete") {
    text += "This run is still going, or was killed; these are its draws so far.\n";
  }
  for (const std::string& note : s.notes) {
    text += note + "\n";
  }
  return text;
}

[[nodiscard]] std::string bright_line(const Summary& s) {
  if (s.engine == "regular") {
    return "none: the regular engine evaluates every point";
  }
  return fmt::format("mean {}, max {}; {} of N", approximate(s.cost.mean_bright),
                     approximate(s.cost.max_bright),
                     percent(s.cost.mean_bright / static_cast<double>(s.n)));
}

[[nodiscard]] std::string query_line(const Summary& s) {
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

[[nodiscard]] std::string ess_line(const Summary& s) {
  const ParameterSummary& worst = slowest(s);
  const double ess = worst.estimate.ess_bulk;
  return fmt::format("{} per second, {} per 10^6 queries (smallest bulk ESS: {}, of {})",
                     approximate(ess / s.cost.seconds_sampling),
                     approximate(1e6 * ess / s.cost.queries_total), approximate(ess),
                     escaped(worst.column));
}

[[nodiscard]] std::string time_line(const Summary& s) {
  return fmt::format("sampling {} s, set-up {} s ({} passes over the data)",
                     approximate(s.cost.seconds_sampling), approximate(s.cost.seconds_setup),
                     approximate(s.cost.passes_setup));
}

[[nodiscard]] std::string check_line(const Summary& s) {
  std::vector<std::string> passed;
  std::vector<std::string> failed;
  for (const Check& check : run_checks(s)) {
    if (check.passed()) {
      passed.push_back(fmt::format("{} (worst {})", check.claim, check.worst));
    } else {
      failed.push_back(fmt::format("{} ({} of {} fail; {} has {})", check.claim,
                                   with_commas(check.failures), with_commas(s.parameters.size()),
                                   check.worst_column, check.worst));
    }
  }
  if (failed.empty()) {
    return fmt::format("all passed: {}", fmt::join(passed, ", "));
  }
  return fmt::format("FAILED: {}{}{}", fmt::join(failed, ", "),
                     passed.empty() ? "" : "; passed: ", fmt::join(passed, ", "));
}

}  // namespace

std::string to_table(const Summary& summary, const TableOptions& options) {
  std::string text = heading(summary) + "\n" + parameter_table(summary, options) + "\n";
  const auto add = [&](const char* title, const std::string& line) {
    text += fmt::format("{:<15}{}\n", title, line);
  };
  add("bright points", bright_line(summary));
  add("queries", query_line(summary));
  add("ESS", ess_line(summary));
  add("time", time_line(summary));
  add("checks", check_line(summary));
  if (const std::string step = next_step(summary); !step.empty()) {
    add("next step", step);
  }
  return text;
}

}  // namespace flymc
