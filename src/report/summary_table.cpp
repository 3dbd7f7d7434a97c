#include <fmt/format.h>

#include <algorithm>

#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/diagnose/summary.hpp"
#include "report/answers.hpp"
#include "report/cell_width.hpp"
#include "report/checks.hpp"
#include "report/summary_parts.hpp"
#include "report/summary_text.hpp"
#include "report/text_table.hpp"

namespace flymc {
namespace {

constexpr std::size_t kShownRows = 20;
constexpr std::size_t kNarrowestLabel = 16;
constexpr std::size_t kLabelColumn = 1;
constexpr std::size_t kAnswerLabelColumn = 0;

[[nodiscard]] SummaryRows rows_to_show(const Summary& summary, bool all) {
  SummaryRows rows;
  for (const std::size_t i : reading_order(summary)) {
    if (all || rows.size() < kShownRows) {
      rows.push_back(&summary.parameters[i]);
    }
  }
  rows.push_back(&summary.log_density);
  return rows;
}

void fit_labels(std::vector<TextColumn>& columns, std::size_t width, std::size_t labels) {
  const std::size_t needed = table_width(columns);
  if (width == 0 || needed <= width) {
    return;
  }
  std::size_t label_width = 0;
  for (const std::string& label : columns[labels].cells) {
    label_width = std::max(label_width, display_width(label));
  }
  const std::size_t excess = needed - width;
  const std::size_t room =
      std::max(kNarrowestLabel, label_width > excess ? label_width - excess : 0);
  for (std::string& label : columns[labels].cells) {
    label = cut_to_width(label, room);
  }
}

[[nodiscard]] std::string hidden_line(const Summary& summary, const Wording& wording,
                                      std::size_t hidden) {
  if (hidden == 0) {
    return "";
  }
  return message("... and {}: {}\n", counted(hidden, "more parameter"),
                 Command{"summary", summary.folder, {"all"}})
      .in(wording);
}

[[nodiscard]] std::string parameter_table(const Summary& summary, const Wording& wording,
                                          const TableOptions& options) {
  const SummaryRows rows = rows_to_show(summary, options.all);
  auto columns = summary_columns(rows);
  fit_labels(columns, options.width, kLabelColumn);
  std::string text = render(columns);
  return text + hidden_line(summary, wording, summary.parameters.size() + 1 - rows.size());
}

[[nodiscard]] std::string answer_table(const Summary& summary, const Wording& wording,
                                       const TableOptions& options) {
  const std::size_t all = answer_lines(summary, std::string::npos).size();
  const auto lines = answer_lines(summary, options.all ? all : kShownRows);
  if (lines.empty()) {
    return "";
  }
  auto columns = answer_columns(summary, lines);
  fit_labels(columns, options.width, kAnswerLabelColumn);
  std::string text = render(columns) + hidden_line(summary, wording, all - lines.size());
  if (!summary.references.empty()) {
    text += fmt::format("compared with {}\n", listed(summary.references, ", ", kShownRows));
  }
  for (const std::string& phrase : summary.conversions) {
    text += phrase + "\n";
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

[[nodiscard]] std::string check_line(const Summary& s) {
  std::vector<std::string> passed;
  std::vector<std::string> failed;
  for (const Check& check : run_checks(s)) {
    if (check.passed()) {
      passed.push_back(fmt::format("{} (worst {})", check.claim, check.worst));
    } else {
      failed.push_back(
          fmt::format("{} ({} of {} fail; {} has {})", check.claim, with_commas(check.failures),
                      with_commas(checked_parameters(s).size()), check.worst_column, check.worst));
    }
  }
  if (failed.empty()) {
    return fmt::format("all passed: {}", fmt::join(passed, ", "));
  }
  return fmt::format("FAILED: {}{}{}", fmt::join(failed, ", "),
                     passed.empty() ? "" : "; passed: ", fmt::join(passed, ", "));
}

}  // namespace

std::string to_table(const Summary& summary, const Wording& wording, const TableOptions& options) {
  using Shown = TableOptions::Part;
  std::string text = heading(summary) + "\n";
  if (options.part != Shown::kEngine) {
    const std::string answers = answer_table(summary, wording, options);
    text += answers + (answers.empty() ? "" : "\n");
  }
  if (options.part != Shown::kAnswers) {
    text += parameter_table(summary, wording, options) + "\n";
  }
  const auto add = [&](const char* title, const std::string& line) {
    text += fmt::format("{:<15}{}\n", title, line);
  };
  for (const SummaryLine& line : cost_lines(summary)) {
    if (options.part != Shown::kAnswers) {
      add(line.title, line.words);
    }
  }
  add("checks", check_line(summary));
  if (const Message step = next_step(summary); !step.empty()) {
    add("next step", step.in(wording));
  }
  return text;
}

}  // namespace flymc
