#include "paper/table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/text.hpp"
#include "report/numbers.hpp"
#include "report/text_table.hpp"

namespace flymc::paper {
namespace {

using Json = nlohmann::ordered_json;

// The row that posterior means are held against.
constexpr std::string_view kReference = "flymc";
constexpr std::string_view kStrongest = "regular-best";

[[nodiscard]] TextColumn numbers(std::string title, const PaperResult& result,
                                 std::string (*cell)(const PaperRow&)) {
  TextColumn column{.title = std::move(title), .align = Align::kPoint, .cells = {}};
  for (const PaperRow& row : result.rows) {
    column.cells.push_back(cell(row));
  }
  return column;
}

[[nodiscard]] TextColumn words(std::string title, const PaperResult& result,
                               std::string PaperRow::*which) {
  TextColumn column{.title = std::move(title), .align = Align::kLeft, .cells = {}};
  for (const PaperRow& row : result.rows) {
    column.cells.push_back(escaped(row.*which));
  }
  return column;
}

[[nodiscard]] std::vector<TextColumn> columns_of(const PaperResult& result) {
  using Row = const PaperRow&;
  return {
      words("algorithm", result, &PaperRow::algorithm),
      words("kernel", result, &PaperRow::kernel),
      numbers("queries", result, [](Row r) { return paper_number(r.queries_per_iteration()); }),
      numbers("theta", result, [](Row r) { return paper_number(r.queries_theta); }),
      numbers("z", result, [](Row r) { return paper_number(r.queries_z); }),
      numbers("bright", result, [](Row r) { return paper_number(r.mean_bright); }),
      numbers("ESS", result, [](Row r) { return paper_number(r.ess_per_1000); }),
      numbers("min", result, [](Row r) { return paper_number(r.ess_min_per_1000); }),
      numbers("speed-up", result, [](Row r) { return paper_number(r.speedup); }),
      numbers("seconds", result, [](Row r) { return paper_number(r.seconds); }),
      numbers("max |z|", result, largest_z_text),
  };
}

[[nodiscard]] Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

[[nodiscard]] Json row_json(const PaperRow& row) {
  return {{"algorithm", row.algorithm},
          {"kernel", row.kernel},
          {"queries_per_iteration", number_or_null(row.queries_per_iteration())},
          {"queries_theta", number_or_null(row.queries_theta)},
          {"queries_z", number_or_null(row.queries_z)},
          {"mean_bright", number_or_null(row.mean_bright)},
          {"ess_per_1000", number_or_null(row.ess_per_1000)},
          {"ess_min_per_1000", number_or_null(row.ess_min_per_1000)},
          {"speedup", number_or_null(row.speedup)},
          {"seconds", number_or_null(row.seconds)},
          {"warmup", row.warmup},
          {"iterations", row.iterations},
          {"largest_z", number_or_null(row.largest_z)}};
}

// Effective draws a query, of one row in units of the other's.
[[nodiscard]] double per_query(const PaperRow& row, const PaperRow& other,
                               double PaperRow::*effective) {
  return row.*effective / row.queries_per_iteration() /
         (other.*effective / other.queries_per_iteration());
}

}  // namespace

const PaperRow* find_row(const PaperResult& result, std::string_view algorithm) {
  for (const PaperRow& row : result.rows) {
    if (row.algorithm == algorithm) {
      return &row;
    }
  }
  return nullptr;
}

std::string paper_number(double value) { return std::isnan(value) ? "-" : approximate(value); }

std::string largest_z_text(const PaperRow& row) {
  return row.algorithm == kReference ? "-" : fixed(row.largest_z, 1);
}

std::string paper_comparison(const PaperResult& result) {
  const PaperRow* flymc = find_row(result, kReference);
  const PaperRow* best = find_row(result, kStrongest);
  if (flymc == nullptr || best == nullptr) {
    return "";
  }
  const double mean = per_query(*flymc, *best, &PaperRow::ess_per_1000);
  const double worst = per_query(*flymc, *best, &PaperRow::ess_min_per_1000);
  if (!std::isfinite(mean)) {
    return "";
  }
  std::string text = fmt::format(
      "Against the best sampler on all data ({}), flymc ({}) gets {} times the effective draws "
      "from a likelihood query ({} times for the parameter that mixes worst): {}.",
      escaped(best->kernel), escaped(flymc->kernel), paper_number(mean), paper_number(worst),
      mean > 1.0 ? "flymc is ahead" : "flymc is not ahead");
  if (std::isfinite(flymc->seconds) && std::isfinite(best->seconds)) {
    text += fmt::format(" It takes {} s against {} s for 1,000 effective draws, set-up included.",
                        approximate(flymc->seconds), approximate(best->seconds));
  }
  return text;
}

std::string paper_table(const PaperResult& result) {
  std::string text = escaped(result.title) + "\n";
  text += fmt::format("{}{} ({}, {})\n\n", result.simulated ? "SIMULATED DATA: " : "",
                      escaped(result.data), counted(result.rows_n, "row"),
                      counted(result.columns, "column"));
  text += render(columns_of(result));
  text +=
      "\nqueries: of the likelihood, an iteration, for theta and for z; ESS: effective draws of "
      "1,000\niterations, mean and worst parameter; speed-up: ESS a query against regular; "
      "seconds: "
      "for 1,000\neffective draws with set-up; max |z|: of posterior means against flymc, in "
      "standard errors.\n";
  const std::string comparison = paper_comparison(result);
  if (!comparison.empty()) {
    text += "\n" + comparison + "\n";
  }
  for (const std::string& note : result.notes) {
    text += "\nNote: " + escaped(note) + "\n";
  }
  return text;
}

std::string paper_json(const PaperResult& result) {
  constexpr int kIndent = 2;
  Json rows = Json::array();
  for (const PaperRow& row : result.rows) {
    rows.push_back(row_json(row));
  }
  const Json document = {
      {"title", result.title},       {"data", result.data},   {"simulated", result.simulated},
      {"n", result.rows_n},          {"d", result.columns},   {"rows", rows},
      {"settings", result.settings}, {"notes", result.notes}, {"command", result.command}};
  // A file name may hold bytes that are not UTF-8: replaced, where dump() would throw.
  return document.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace flymc::paper
