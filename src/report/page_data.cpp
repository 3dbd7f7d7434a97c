#include "report/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "report/answers.hpp"
#include "report/cell_width.hpp"
#include "report/numbers.hpp"
#include "report/page_detail.hpp"
#include "report/page_facts.hpp"
#include "report/sentences.hpp"
#include "report/summary_parts.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLabelWidth = 120;

// The rows of the table: all, or with too many those that have detail, then the first others.
[[nodiscard]] std::vector<std::size_t> table_rows(const Summary& summary,
                                                  const PageLimits& limits) {
  std::vector<std::size_t> rows = detailed(summary, limits.detailed);
  std::vector<bool> chosen(summary.parameters.size(), false);
  for (const std::size_t row : rows) {
    chosen[row] = true;
  }
  for (std::size_t i = 0; i < chosen.size() && rows.size() < limits.table_rows; ++i) {
    if (!chosen[i]) {
      rows.push_back(i);
    }
  }
  std::ranges::sort(rows);
  rows.push_back(summary.parameters.size());
  return rows;
}

// ["lower", "upper"] of the sentences; null: the parameter has no answer.
[[nodiscard]] Json interval_of(const Summary& summary, std::size_t parameter) {
  if (parameter >= std::min(summary.answers.size(), summary.parameters.size())) {
    return nullptr;
  }
  const Answer& answer = summary.answers[parameter];
  const bool known = answer.mcse_mean > 0.0 && std::isfinite(answer.mcse_mean);
  const auto number = [&](double value) {
    return known ? fixed(value, supported_decimals(answer.mcse_mean)) : approximate(value);
  };
  return {number(answer.lower), number(answer.upper)};
}

// {"titles", "parameters", "rows": [[number, cell, ...], ...]}: as the terminal shows them, with
// the "intervals" of rows. "all": what shows every parameter.
[[nodiscard]] Json page_table(const Summary& summary, const Wording& wording,
                              const PageLimits& limits) {
  const std::vector<std::size_t> numbers = table_rows(summary, limits);
  SummaryRows shown;
  for (const std::size_t i : numbers) {
    shown.push_back(i < summary.parameters.size() ? &summary.parameters[i] : &summary.log_density);
  }
  std::vector<TextColumn> columns = summary_columns(shown);
  std::erase_if(columns, [](const TextColumn& column) { return column.title == "ess_coda"; });
  Json titles = Json::array();
  for (const TextColumn& column : columns) {
    titles.push_back(column.title);
  }
  Json rows = Json::array();
  Json intervals = Json::array();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    intervals.push_back(interval_of(summary, numbers[i]));
    Json row = {numbers[i]};
    for (const TextColumn& column : columns) {
      row.push_back(cut_to_width(column.cells[i], kLabelWidth));
    }
    rows.push_back(std::move(row));
  }
  return {{"titles", std::move(titles)},
          {"parameters", summary.parameters.size()},
          {"intervals", std::move(intervals)},
          {"all", Message(Command{"summary", summary.folder, {"all"}}).in(wording)},
          {"rows", std::move(rows)}};
}

[[nodiscard]] Json page_notes(const Summary& summary) {
  Json notes = Json::array();
  if (summary.status == "interrupted") {
    notes.push_back("This run was interrupted; these are its draws so far.");
  } else if (summary.status != "complete") {
    notes.push_back("This run is still going, or was killed; these are its draws so far.");
  }
  for (const std::string& note : summary.notes) {
    notes.push_back(note);
  }
  return notes;
}

// Standard deviation of the column behind a slope; NaN: unknown, or none.
class Spreads {
 public:
  explicit Spreads(const nlohmann::json& run) {
    if (run.is_object() && run.contains("column_sd") && run["column_sd"].is_object()) {
      by_column_ = run["column_sd"];
    }
  }
  [[nodiscard]] double operator()(const std::string& column) const {
    const std::string first = column.substr(0, column.find(' '));  // of a difference
    return by_column_.contains(first) && by_column_[first].is_number()
               ? by_column_[first].get<double>()
               : RunRecord::kUnknown;
  }

 private:
  nlohmann::json by_column_ = nlohmann::json::object();
};

// {"ratio": "odds ratio" or "", "spread": {column: number}}: the scales of coefficients.
[[nodiscard]] Json page_scales(const Summary& summary, const nlohmann::json& run) {
  const Spreads spreads(run);
  Json spread = Json::object();
  for (const ParameterSummary& parameter : summary.parameters) {
    if (const double sd = spreads(parameter.column); std::isfinite(sd)) {
      spread[parameter.column] = sd;
    }
  }
  return {{"ratio", has_ratios(summary.model) ? ratio_name(summary.model) : ""},
          {"spread", std::move(spread)}};
}

// [[label, sentence], ...].
[[nodiscard]] Json page_answers(const Summary& summary, const nlohmann::json& run,
                                const PageLimits& limits) {
  Json answers = Json::array();
  for (const Sentence& sentence : sentences(summary, Spreads(run))) {
    if (answers.size() < limits.table_rows) {
      answers.push_back({cut_to_width(escaped(sentence.about), kLabelWidth), sentence.words});
    }
  }
  return answers;
}

// Of the folder, without those it lies in: a page is mailed and archived.
[[nodiscard]] std::string own_name(const std::string& folder) {
  return (std::filesystem::absolute(folder) / "").lexically_normal().parent_path().filename();
}

// run.json without what grows with the number of parameters.
[[nodiscard]] Json small_run(const nlohmann::json& run) {
  Json kept = Json::object();
  for (const char* key : {"version", "status", "data", "config", "rows_left_out"}) {
    if (run.is_object() && run.contains(key)) {
      kept[key] = run.at(key);
    }
  }
  return kept;
}

}  // namespace

Json page_data(const Summary& summary, const RunChains& chains, const nlohmann::json& run,
               const Wording& wording, const PageLimits& limits) {
  const std::string name = own_name(summary.folder);
  return {{"title", fmt::format("{} \u2013 {} regression", name, escaped(summary.model))},
          {"folder", name},
          {"prob", 100.0 * summary.questions.prob},
          {"verdict", page_verdict(summary, wording)},
          {"notes", page_notes(summary)},
          {"facts", page_facts(summary, run)},
          {"answers", page_answers(summary, run, limits)},
          {"scales", page_scales(summary, run)},
          {"engine", page_engine(summary, run)},
          {"table", page_table(summary, wording, limits)},
          {"traces", page_traces(chains, limits)},
          {"detail", page_detail(summary, chains, limits)},
          {"run", small_run(run)}};
}

}  // namespace flymc
