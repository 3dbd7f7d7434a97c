#include "report/compare_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/message.hpp"
#include "core/text.hpp"
#include "report/numbers.hpp"

namespace flymc {

std::string why_not(const ComparedRun& run, const Wording& wording) {
  const std::string no_loo = run.loo ? "" : run.why_no_loo.in(wording);
  const std::string no_evidence = run.evidence.is_known() ? "" : run.evidence.why_not.in(wording);
  if (no_loo == no_evidence) {
    return no_loo.empty() ? "" : "elpd_loo and log evidence: " + no_loo;
  }
  std::string text = no_loo.empty() ? "" : "elpd_loo: " + no_loo;
  if (!no_evidence.empty()) {
    text += (text.empty() ? "" : " ") + ("log evidence: " + no_evidence);
  }
  return text;
}

namespace {

using CompareJson = nlohmann::ordered_json;

constexpr std::size_t kCoefficientsShown = 20;

CompareJson compared_or_null(double value) {
  return std::isnan(value) ? CompareJson(nullptr) : CompareJson(value);
}

CompareJson to_object(const ComparedRun& first, const ComparedRun& run, const Wording& wording) {
  const ComparedNumbers of = numbers_of(first, run);
  CompareJson object{{"run", run.name},
                     {"model", run.model},
                     {"elpd_loo", compared_or_null(of.elpd_loo)},
                     {"elpd_loo_se", compared_or_null(of.elpd_loo_se)},
                     {"elpd_loo_mcse", compared_or_null(of.elpd_loo_mcse)},
                     {"khat_max", compared_or_null(of.khat_max)},
                     {"khat_high", of.khat_high ? CompareJson(*of.khat_high) : nullptr},
                     {"log_evidence", compared_or_null(of.log_evidence)},
                     {"log_evidence_se", compared_or_null(of.log_evidence_se)}};
  if (const std::string why = why_not(run, wording); !why.empty()) {
    object["why"] = why;
  }
  object["elpd_diff"] = compared_or_null(of.elpd_diff);
  object["elpd_diff_se"] = compared_or_null(of.elpd_diff_se);
  object["elpd_diff_mcse"] = compared_or_null(of.elpd_diff_mcse);
  object["log_bayes_factor"] = compared_or_null(of.log_bayes_factor);
  object["log_bayes_factor_se"] = compared_or_null(of.log_bayes_factor_se);
  object["parameters"] = CompareJson::array();
  for (const Coefficient& coefficient : run.coefficients) {
    object["parameters"].push_back(
        {{"label", coefficient.label}, {"mean", coefficient.mean}, {"sd", coefficient.sd}});
  }
  object["notes"] = CompareJson::array();
  for (const Message& note : run.notes) {
    object["notes"].push_back(note.in(wording));
  }
  return object;
}

// A number with as many digits as its error lets us see; "-" where there is none.
std::string measured(const CompareJson& value, const CompareJson& error) {
  if (!value.is_number()) {
    return "-";
  }
  const double size = error.is_number() ? error.get<double>() : 0.0;
  return fixed(value.get<double>(), size > 0.0 ? std::max(1, supported_decimals(size)) : 1);
}

// Two digits, and those before the point: 0.055, 63, 172.
std::string error_of(const CompareJson& value) {
  if (!value.is_number()) {
    return "-";
  }
  const double error = value.get<double>();
  return error >= 99.5 && error < 1e9 ? fixed(error, 0) : fmt::format("{:.2g}", error);
}

std::vector<TextColumn> runs_table(const CompareJson& runs) {
  std::vector<TextColumn> columns{
      {"run", Align::kLeft, {}},           {"model", Align::kLeft, {}},
      {"elpd_loo", Align::kPoint, {}},     {"se", Align::kPoint, {}},
      {"mcse", Align::kPoint, {}},         {"largest k", Align::kPoint, {}},
      {"log evidence", Align::kPoint, {}}, {"se", Align::kPoint, {}}};
  for (const CompareJson& run : runs) {
    columns[0].cells.push_back(run["run"].get<std::string>());
    columns[1].cells.push_back(run["model"].get<std::string>());
    columns[2].cells.push_back(measured(run["elpd_loo"], run["elpd_loo_mcse"]));
    columns[3].cells.push_back(error_of(run["elpd_loo_se"]));
    columns[4].cells.push_back(error_of(run["elpd_loo_mcse"]));
    columns[5].cells.push_back(error_of(run["khat_max"]));
    columns[6].cells.push_back(measured(run["log_evidence"], run["log_evidence_se"]));
    columns[7].cells.push_back(error_of(run["log_evidence_se"]));
  }
  return columns;
}

std::vector<TextColumn> differences_table(const CompareJson& runs) {
  std::vector<TextColumn> columns{{"run", Align::kLeft, {}},
                                  {"elpd_loo", Align::kPoint, {}},
                                  {"se", Align::kPoint, {}},
                                  {"mcse", Align::kPoint, {}},
                                  {"log Bayes factor", Align::kPoint, {}},
                                  {"se", Align::kPoint, {}}};
  for (std::size_t i = 1; i < runs.size(); ++i) {
    columns[0].cells.push_back(runs[i]["run"].get<std::string>());
    columns[1].cells.push_back(measured(runs[i]["elpd_diff"], runs[i]["elpd_diff_mcse"]));
    columns[2].cells.push_back(error_of(runs[i]["elpd_diff_se"]));
    columns[3].cells.push_back(error_of(runs[i]["elpd_diff_mcse"]));
    columns[4].cells.push_back(
        measured(runs[i]["log_bayes_factor"], runs[i]["log_bayes_factor_se"]));
    columns[5].cells.push_back(error_of(runs[i]["log_bayes_factor_se"]));
  }
  return columns;
}

// What to say aloud of a run and the first. Two standard errors tell two models apart; where the
// difference is small beside what Monte Carlo adds, nothing does.
void add_verdicts(const CompareJson& run, const std::string& first,
                  std::vector<std::string>& verdicts) {
  const std::string name = run["run"].get<std::string>();
  if (run["elpd_diff"].is_number()) {
    const double difference = run["elpd_diff"].get<double>();
    const double se =
        std::hypot(run["elpd_diff_se"].get<double>(), run["elpd_diff_mcse"].get<double>());
    if (std::abs(difference) > 2.0 * se) {
      verdicts.push_back(fmt::format(
          "{} predicts rows it has not seen {} than {}, by {:.1f} standard errors.", name,
          difference > 0.0 ? "better" : "worse", first, std::abs(difference) / se));
    } else {
      verdicts.push_back(fmt::format("rows left out do not tell {} from {}.", name, first));
    }
  }
  if (run["log_bayes_factor"].is_number()) {
    const double factor = run["log_bayes_factor"].get<double>();
    const double size = std::abs(factor);
    verdicts.push_back(
        fmt::format("the data are {} times as likely under {} as under {}.",
                    size > 10.0 ? fmt::format("e^{:.0f}", size) : approximate(std::exp(size)),
                    factor < 0.0 ? first : name, factor < 0.0 ? name : first));
  }
}

// Every label once, in the order in which runs name them.
std::vector<std::string> all_labels(std::span<const ComparedRun> runs) {
  std::vector<std::string> labels;
  for (const ComparedRun& run : runs) {
    for (const Coefficient& coefficient : run.coefficients) {
      if (std::ranges::find(labels, coefficient.label) == labels.end()) {
        labels.push_back(coefficient.label);
      }
    }
  }
  return labels;
}

std::string coefficient_cell(const ComparedRun& run, const std::string& label) {
  for (const Coefficient& coefficient : run.coefficients) {
    if (coefficient.label == label) {
      const int decimals = coefficient.sd > 0.0 ? supported_decimals(coefficient.sd) + 1 : 3;
      return fixed(coefficient.mean, decimals) + " ± " + fixed(coefficient.sd, decimals);
    }
  }
  return "";
}

std::vector<TextColumn> coefficients_table(std::span<const ComparedRun> runs, bool all) {
  const std::vector<std::string> labels = all_labels(runs);
  const std::size_t shown = all ? labels.size() : std::min(labels.size(), kCoefficientsShown);
  std::vector<TextColumn> columns{{"mean ± sd", Align::kLeft, {}}};
  for (std::size_t i = 0; i < shown; ++i) {
    columns[0].cells.push_back(escaped(labels[i]));
  }
  for (const ComparedRun& run : runs) {
    TextColumn& column = columns.emplace_back(TextColumn{run.name, Align::kRight, {}});
    for (std::size_t i = 0; i < shown; ++i) {
      column.cells.push_back(coefficient_cell(run, labels[i]));
    }
  }
  return columns;
}

// What a reader should know of the numbers.
void add_remarks(const ComparedRun& run, const CompareJson& object,
                 std::vector<std::string>& remarks) {
  for (const CompareJson& note : object["notes"]) {
    remarks.push_back(fmt::format("{}: {}", run.name, note.get<std::string>()));
  }
  if (object.contains("why")) {
    remarks.push_back(
        fmt::format("{}: not available: {}", run.name, object["why"].get<std::string>()));
  }
  if (object["khat_high"].is_number() && object["khat_high"].get<std::size_t>() > 0) {
    remarks.push_back(fmt::format(
        "{}: k of {} of {} is beyond 0.7: the draws say too little of these, and elpd_loo may be "
        "off by more than its mcse.",
        run.name, with_commas(object["khat_high"].get<std::size_t>()),
        counted(run.loo->rows.size(), "row")));
  }
}

CompareJson to_list(std::span<const ComparedRun> runs, const Wording& wording) {
  CompareJson list = CompareJson::array();
  for (const ComparedRun& run : runs) {
    list.push_back(to_object(runs.front(), run, wording));
  }
  return list;
}

}  // namespace

CompareTables compare_tables(std::span<const ComparedRun> runs, const Wording& wording, bool all) {
  const CompareJson list = to_list(runs, wording);
  CompareTables tables{.runs = runs_table(list), .coefficients = coefficients_table(runs, all)};
  if (runs.size() > 1) {
    tables.differences = differences_table(list);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i > 0) {
      add_verdicts(list[i], runs.front().name, tables.verdicts);
    }
    add_remarks(runs[i], list[i], tables.remarks);
  }
  const std::size_t labels = all_labels(runs).size();
  tables.hidden = labels - tables.coefficients[0].cells.size();
  return tables;
}

std::string compare_json(std::span<const ComparedRun> runs, const Wording& wording) {
  return to_list(runs, wording).dump(2, ' ', false, CompareJson::error_handler_t::replace) + "\n";
}

std::string compare_table(std::span<const ComparedRun> runs, const Wording& wording, bool all) {
  const CompareTables tables = compare_tables(runs, wording, all);
  std::string text = render(tables.runs);
  if (!tables.differences.empty()) {
    text += fmt::format("\ndifferences to {} (positive: better than it)\n{}", runs.front().name,
                        render(tables.differences));
  }
  for (const std::string& verdict : tables.verdicts) {
    text += (&verdict == &tables.verdicts.front() ? "\n" : "") + verdict + "\n";
  }
  text += "\n" + render(tables.coefficients);
  if (tables.hidden > 0) {
    text +=
        message("... and {} more: {}\n", with_commas(tables.hidden), Setting{"all"}).in(wording);
  }
  for (const std::string& remark : tables.remarks) {
    text += (&remark == &tables.remarks.front() ? "\n" : "") + remark + "\n";
  }
  return text;
}

}  // namespace flymc
