// The parts of a summary that the terminal and the report page show alike.
#pragma once

#include <string>
#include <vector>

#include "flymc/diagnose/summary.hpp"
#include "report/text_table.hpp"

namespace flymc {

// The parameters in the order in which they are read: how much levels differ, what all rows share,
// then levels, the largest effect first.
[[nodiscard]] std::vector<std::size_t> reading_order(const Summary& summary);

using SummaryRows = std::vector<const ParameterSummary*>;

// column, label, mean, sd, mcse_mean, q5, q50, q95, ess_bulk, ess_tail, ess_coda, rhat; with as
// many digits as the MCSE supports.
[[nodiscard]] std::vector<TextColumn> summary_columns(const SummaryRows& rows);

struct SummaryLine {
  const char* title;
  std::string words;
};

// Bright points, queries, ESS and time, in words.
[[nodiscard]] std::vector<SummaryLine> cost_lines(const Summary& summary);

}  // namespace flymc
