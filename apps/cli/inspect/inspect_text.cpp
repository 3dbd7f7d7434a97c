// An inspection for people and for machines.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/inspect/inspect.hpp"
#include "core/duration.hpp"
#include "core/text.hpp"
#include "flymc/fit.hpp"
#include "report/numbers.hpp"
#include "report/text_table.hpp"

namespace flymc::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostShown = 20;
constexpr std::size_t kNamesShown = 8;

std::string number(double value) { return fmt::format("{:.4g}", value); }

std::string distinct_text(const ColumnFacts& facts) {
  return facts.distinct ? with_commas(*facts.distinct) : fmt::format("> {}", kMostDistinct);
}

std::string more(std::size_t count, std::size_t shown) {
  return count > shown ? fmt::format("... and {} more: --all\n", with_commas(count - shown)) : "";
}

// What the file holds and what becomes of it; nothing where the request leaves nothing open.
std::string file_table(const Inspection& inspection, std::size_t shown) {
  if (!inspection.proposal || !inspection.proposal->decided) {
    return "";
  }
  const Proposal& proposal = *inspection.proposal;
  std::vector<TextColumn> table = {{.title = "in the file", .align = Align::kLeft, .cells = {}},
                                   {.title = "seems to be", .align = Align::kLeft, .cells = {}},
                                   {.title = "missing", .cells = {}},
                                   {.title = "values", .cells = {}},
                                   {.title = "such as", .align = Align::kLeft, .cells = {}},
                                   {.title = "here", .align = Align::kLeft, .cells = {}}};
  for (std::size_t j = 0; j < std::min(shown, proposal.columns.size()); ++j) {
    const ColumnPlan& c = proposal.columns[j];
    const double share = static_cast<double>(c.guess.missing) /
                         static_cast<double>(std::max<std::size_t>(proposal.rows, 1));
    const std::string cells[] = {shortened(c.guess.name),
                                 std::string(name_of(c.guess.kind)),
                                 c.guess.missing == 0 ? "" : percent(share),
                                 c.guess.values ? with_commas(*c.guess.values) : "many",
                                 shortened(c.guess.example),
                                 c.use + (c.why.empty() ? "" : ": " + c.why)};
    for (std::size_t i = 0; i < table.size(); ++i) {
      table[i].cells.push_back(cells[i]);
    }
  }
  return render(table) + more(proposal.columns.size(), shown) + "\n";
}

std::string leaks_line(const Inspection& inspection) {
  std::vector<std::string> names;
  for (const Leak& leak : inspection.leaks) {
    names.push_back(fmt::format("{} (correlation {:.3f} with the response)", shortened(leak.name),
                                leak.correlation));
  }
  return listed(names, ", ", kNamesShown) + ": was it known before the response? If not, drop it";
}

std::string class_table(const Inspection& inspection, std::size_t shown) {
  TextColumn label{.title = "class", .align = Align::kLeft, .cells = {}};
  TextColumn rows{.title = "rows", .cells = {}};
  TextColumn share{.title = "share", .cells = {}};
  const auto& classes = inspection.response->classes;
  for (std::size_t i = 0; i < std::min(shown, classes.size()); ++i) {
    label.cells.push_back(shortened(classes[i].label));
    rows.cells.push_back(with_commas(classes[i].rows));
    share.cells.push_back(
        percent(static_cast<double>(classes[i].rows) / static_cast<double>(inspection.rows)));
  }
  return render(std::vector{label, rows, share}) + more(classes.size(), shown);
}

std::string response_text(const Inspection& inspection, std::size_t shown) {
  if (!inspection.response) {
    return "no response: name the column to explain with --response (for X.npy a second file)\n";
  }
  const ResponseSummary& r = *inspection.response;
  std::string text = fmt::format("response {}: ", in_quotes(r.name));
  if (inspection.proposal && inspection.proposal->response_guessed) {
    text = fmt::format("response {}, a guess (--response names another): ", in_quotes(r.name));
  }
  if (!r.text) {
    text += fmt::format("min {}, median {}, mean {}, sd {}, max {}, {} distinct\n",
                        number(r.numbers.min), number(r.median), number(r.numbers.mean),
                        number(r.numbers.sd), number(r.numbers.max), distinct_text(r.numbers));
  } else {
    text += fmt::format("text, {} distinct\n", with_commas(r.classes.size()));
  }
  return text + (r.classes.empty() ? "" : class_table(inspection, shown));
}

std::string column_table(const std::vector<ColumnFacts>& columns, std::size_t shown) {
  std::vector<TextColumn> table = {{.title = "column", .align = Align::kLeft, .cells = {}},
                                   {.title = "type", .align = Align::kLeft, .cells = {}},
                                   {.title = "distinct", .cells = {}},
                                   {.title = "min", .cells = {}},
                                   {.title = "mean", .cells = {}},
                                   {.title = "sd", .cells = {}},
                                   {.title = "max", .cells = {}}};
  for (std::size_t j = 0; j < std::min(shown, columns.size()); ++j) {
    const ColumnFacts& c = columns[j];
    const std::string cells[] = {shortened(c.name), c.type,       distinct_text(c), number(c.min),
                                 number(c.mean),    number(c.sd), number(c.max)};
    for (std::size_t i = 0; i < table.size(); ++i) {
      table[i].cells.push_back(cells[i]);
    }
  }
  return render(table) + more(columns.size(), shown);
}

std::vector<std::string> constant_names(const Inspection& inspection) {
  std::vector<std::string> names;
  for (const ColumnFacts& column : inspection.columns) {
    if (column.type == std::string("constant")) {
      names.push_back(column.name);
    }
  }
  return names;
}

std::string constant_line(const Inspection& inspection) {
  const auto names = constant_names(inspection);
  return names.empty() ? "none" : listed(names, ", ", kNamesShown) + "; fit leaves them out";
}

std::string dependent_line(const Inspection& inspection) {
  std::vector<std::string> names;
  for (const DependentColumn& column : inspection.dependent) {
    names.push_back(column.name + (column.equals.empty() ? "" : " = " + column.equals));
  }
  const std::string& unknown = inspection.dependence_unknown;
  if (names.empty()) {
    return unknown.empty() ? "none" : unknown;
  }
  return fmt::format(
      "{}; {}", listed(names, ", ", kNamesShown),
      unknown.empty() ? "drop them, or only the prior tells coefficients apart" : unknown);
}

std::string equal_line(const Inspection& inspection) {
  return inspection.equal_rows == 0
             ? "none"
             : fmt::format("{} of {} equal others; fit makes them weights",
                           with_commas(inspection.equal_rows), with_commas(inspection.rows));
}

std::string missing_line(const Inspection& inspection) {
  if (inspection.counts.missing_in.empty()) {
    return "none";
  }
  std::vector<std::string> columns;
  for (const MissingIn& column : inspection.counts.missing_in) {
    columns.push_back(fmt::format("{} {}", shortened(column.column), with_commas(column.rows)));
  }
  const std::string done = inspection.counts.missing > 0
                               ? counted(inspection.counts.missing, "row") + " dropped"
                               : "filled in";
  return fmt::format("{}: {}", done, listed(columns, ", ", kNamesShown));
}

std::string bytes_text(double bytes) {
  return bytes < 1e6   ? approximate(bytes / 1e3) + " kB"
         : bytes < 1e9 ? approximate(bytes / 1e6) + " MB"
                       : approximate(bytes / 1e9) + " GB";
}

std::string time_line(const Inspection& inspection) {
  constexpr double kShort = 0.1;
  constexpr const char* kRest = "measured on a sample of the rows; fit forecasts the sampling";
  const TimeEstimate& time = inspection.time;
  if (time.setup_s() < kShort) {
    return fmt::format("less than {} to set up a fit, {}", duration_text(kShort), kRest);
  }
  return fmt::format(
      "about {} to set up a fit: the work of {} over {} x {} at {} rows a second, {}",
      duration_text(time.setup_s()), counted(static_cast<std::size_t>(time.passes), "pass"),
      counted(inspection.rows, "row"), counted(inspection.columns.size(), "column"),
      approximate(static_cast<double>(inspection.rows) / time.pass_s), kRest);
}

Json response_json(const Inspection& inspection) {
  if (!inspection.response) {
    return nullptr;
  }
  const ResponseSummary& r = *inspection.response;
  Json json{{"name", r.name}, {"text", r.text}};
  if (!r.text) {
    json["min"] = r.numbers.min;
    json["median"] = r.median;
    json["mean"] = r.numbers.mean;
    json["sd"] = r.numbers.sd;
    json["max"] = r.numbers.max;
  }
  json["classes"] = Json::array();
  for (const ClassCount& entry : r.classes) {
    json["classes"].push_back({{"label", entry.label}, {"rows", entry.rows}});
  }
  return json;
}

Json column_json(const ColumnFacts& c) {
  Json json{{"name", c.name}, {"type", c.type}};
  json["distinct"] = c.distinct ? Json(*c.distinct) : Json(nullptr);
  json["min"] = c.min;
  json["mean"] = c.mean;
  json["sd"] = c.sd;
  json["max"] = c.max;
  return json;
}

Json plan_json(const ColumnPlan& c) {
  Json json{{"name", c.guess.name}, {"seems", name_of(c.guess.kind)}, {"missing", c.guess.missing}};
  json["values"] = c.guess.values ? Json(*c.guess.values) : Json(nullptr);
  json["example"] = c.guess.example;
  json["use"] = c.use;
  json["why"] = c.why;
  return json;
}

}  // namespace

std::string to_table(const Inspection& inspection, bool all) {
  const std::size_t shown = all ? inspection.rows + inspection.columns.size() : kMostShown;
  std::string text = inspection.note + "\n\n" + file_table(inspection, shown) +
                     response_text(inspection, shown) + "\n";
  if (!inspection.columns.empty()) {
    text += column_table(inspection.columns, shown) + "\n";
  }
  const auto add = [&](const char* title, const std::string& line) {
    text += fmt::format("{:<11}{}\n", title, line);
  };
  add("constant", constant_line(inspection));
  add("dependent", dependent_line(inspection));
  add("equal rows", equal_line(inspection));
  add("missing", missing_line(inspection));
  if (!inspection.leaks.empty()) {
    add("leaks", leaks_line(inspection));
  }
  add("memory", fmt::format("about {} for fit with {} chains", bytes_text(inspection.memory_bytes),
                            FitSettings{}.chains));
  add("time", time_line(inspection));
  if (inspection.response) {
    const Suggestion& s = inspection.suggestion;
    add("model", s.model.empty() ? s.why : fmt::format("{} ({})", s.model, s.why));
  }
  if (!inspection.command.empty()) {
    add("try next", inspection.command);
  }
  return text;
}

std::string to_json(const Inspection& inspection) {
  Json json{{"data", inspection.path},
            {"format", name_of(inspection.format)},
            {"rows", inspection.rows},
            {"features", inspection.columns.size()}};
  json["response"] = response_json(inspection);
  json["columns"] = Json::array();
  for (const ColumnFacts& column : inspection.columns) {
    json["columns"].push_back(column_json(column));
  }
  json["constant"] = constant_names(inspection);
  json["dependent"] = Json::array();
  for (const DependentColumn& c : inspection.dependent) {
    json["dependent"].push_back({{"name", c.name}, {"equals", c.equals}});
  }
  json["dependence_checked"] = inspection.dependence_unknown.empty();
  json["missing"] = {{"rows", inspection.counts.missing}, {"columns", Json::array()}};
  for (const MissingIn& c : inspection.counts.missing_in) {
    json["missing"]["columns"].push_back({{"name", c.column}, {"rows", c.rows}});
  }
  json["equal_rows"] = inspection.equal_rows;
  json["memory_bytes"] = inspection.memory_bytes;
  json["pass_seconds"] = inspection.time.pass_s;
  json["setup_seconds"] = inspection.time.setup_s();
  json["model"] = inspection.suggestion.model;
  json["command"] = inspection.command;
  json["leaks"] = Json::array();
  for (const Leak& leak : inspection.leaks) {
    json["leaks"].push_back({{"name", leak.name}, {"correlation", leak.correlation}});
  }
  if (inspection.proposal) {
    json["file"] = Json::array();
    for (const ColumnPlan& c : inspection.proposal->columns) {
      json["file"].push_back(plan_json(c));
    }
  }
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace flymc::cli
