#include "report/check_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "report/numbers.hpp"
#include "report/text_table.hpp"

namespace flymc {
namespace {

using CheckJson = nlohmann::ordered_json;

CheckJson or_null(double value) {
  return std::isfinite(value) ? CheckJson(value) : CheckJson(nullptr);
}

// "over 2,004 rows that the fit has not seen, and 400 draws"
std::string over_words(const CheckedRun& run) {
  const char* const whose = run.which == CheckedRows::kFitted    ? "of the fit itself"
                            : run.which == CheckedRows::kHeldOut ? "that the fit has not seen"
                                                                 : "of the data given";
  const std::string rows = run.rows == run.rows_of
                               ? fmt::format("{} {}", counted(run.rows, "row"), whose)
                               : fmt::format("{} of {} {}, taken at random,", with_commas(run.rows),
                                             counted(run.rows_of, "row"), whose);
  return fmt::format("over {} and {}", rows, counted(run.draws, "draw"));
}

std::string score_number(const Score& score, double value) {
  const double half = 0.5 * (score.upper - score.lower);
  return std::isfinite(half) && half > 0.0
             ? fixed(value, std::max(3, interval_decimals(score.lower, score.upper, 0.1 * half)))
             : fixed(value, 4);
}

std::vector<TextColumn> score_columns(const CheckedRun& run) {
  const double tail = 0.5 * (1.0 - run.prob);
  std::vector<TextColumn> columns{{"score", Align::kLeft, {}},
                                  {"mean", Align::kPoint, {}},
                                  {percentile(tail), Align::kPoint, {}},
                                  {percentile(1.0 - tail), Align::kPoint, {}},
                                  {"without columns", Align::kPoint, {}}};
  bool compared = false;
  for (const Score& score : run.check.scores) {
    columns[0].cells.push_back(score.name);
    columns[1].cells.push_back(score_number(score, score.mean));
    columns[2].cells.push_back(score_number(score, score.lower));
    columns[3].cells.push_back(score_number(score, score.upper));
    columns[4].cells.push_back(std::isfinite(score.without) ? score_number(score, score.without)
                                                            : "-");
    compared = compared || std::isfinite(score.without);
  }
  if (!compared) {
    columns.pop_back();
  }
  return columns;
}

std::string calibration_table(const CheckedRun& run) {
  std::vector<TextColumn> columns{{"given", Align::kPoint, {}},
                                  {"came", Align::kPoint, {}},
                                  {"5 %", Align::kPoint, {}},
                                  {"95 %", Align::kPoint, {}},
                                  {"", Align::kLeft, {}}};
  for (const CalibrationBin& bin : run.check.calibration) {
    columns[0].cells.push_back(fixed(bin.given, 3));
    columns[1].cells.push_back(fixed(bin.share, 3));
    columns[2].cells.push_back(fixed(bin.low, 3));
    columns[3].cells.push_back(fixed(bin.high, 3));
    columns[4].cells.emplace_back(bin.share < bin.low || bin.share > bin.high ? "outside" : "");
  }
  return "\nprobabilities given, and what came of them (in 9 of 10 cases between the last two)\n" +
         render(columns);
}

std::string residual_table(const CheckedRun& run) {
  const ResidualCheck& check = run.check.residuals;
  return fmt::format(
      "\n50 % intervals hold   {:.1f} % of the responses\n95 % intervals hold   {:.1f} %\n"
      "quantiles are off by  {:.2f} % at most, by chance up to {:.2f} %\n",
      100.0 * check.within_50, 100.0 * check.within_95, 100.0 * check.distance,
      100.0 * check.by_chance);
}

std::string count_table(const CheckedRun& run) {
  constexpr std::size_t kMostLines = 12;
  std::vector<TextColumn> columns{
      {"count", Align::kRight, {}}, {"rows", Align::kRight, {}}, {"expected", Align::kPoint, {}}};
  for (std::size_t c = 0; c < std::min(kMostLines, run.check.counts.size()); ++c) {
    columns[0].cells.push_back(std::to_string(c));
    columns[1].cells.push_back(rounded_count(run.check.counts[c].observed));
    columns[2].cells.push_back(fixed(run.check.counts[c].expected, 1));
  }
  return "\nhow often counts came\n" + render(columns);
}

CheckJson residual_json(const ResidualCheck& check) {
  return {{"bins", check.bins},
          {"distance", check.distance},
          {"by_chance", check.by_chance},
          {"within_50", check.within_50},
          {"within_95", check.within_95}};
}

CheckJson calibration_json(const std::vector<CalibrationBin>& bins) {
  CheckJson list = CheckJson::array();
  for (const CalibrationBin& bin : bins) {
    list.push_back({{"given", bin.given},
                    {"share", bin.share},
                    {"low", bin.low},
                    {"high", bin.high},
                    {"weight", bin.weight}});
  }
  return list;
}

CheckJson counts_json(const std::vector<CountBar>& bars) {
  CheckJson list = CheckJson::array();
  for (std::size_t c = 0; c < bars.size(); ++c) {
    list.push_back({{"count", c}, {"observed", bars[c].observed}, {"expected", bars[c].expected}});
  }
  return list;
}

CheckJson scores_json(const std::vector<Score>& scores) {
  CheckJson list = CheckJson::array();
  for (const Score& score : scores) {
    list.push_back({{"name", score.name},
                    {"mean", or_null(score.mean)},
                    {"lower", or_null(score.lower)},
                    {"upper", or_null(score.upper)},
                    {"without", or_null(score.without)}});
  }
  return list;
}

constexpr const char* kOfHeldOut = ", rows held out";

// What stands there is of the rows of the fit, and what comes is not.
void say_which_rows(CheckJson& section) {
  constexpr const char* kOfFitted = ", rows of the fit";
  section["held_out"] = true;
  for (CheckJson& number : section["numbers"]) {
    number[0] = number[0].get<std::string>() + kOfFitted;
  }
  for (CheckJson& panel : section["panels"]) {
    panel["of"] = kOfFitted;
  }
}

}  // namespace

std::string name_of(CheckedRows which) {
  switch (which) {
    case CheckedRows::kHeldOut:
      return "held out";
    case CheckedRows::kOther:
      return "other";
    default:
      return "fitted";
  }
}

std::string check_table(const CheckedRun& run) {
  std::string text = fmt::format("{}: {} regression, {}\n\n{}", run.folder, run.model,
                                 over_words(run), render(score_columns(run)));
  text += run.check.calibration.empty() ? residual_table(run) : calibration_table(run);
  if (!run.check.counts.empty()) {
    text += count_table(run);
  }
  text += fmt::format("\n{}{}\n", run.verdict.fits ? "" : "MISFIT: ", run.verdict.words);
  for (const std::string& note : run.notes) {
    text += note + "\n";
  }
  return text;
}

std::string check_json(const CheckedRun& run) {
  const bool classes = !run.check.calibration.empty();
  const CheckJson json{
      {"run", run.folder},
      {"model", run.model},
      {"rows", run.rows},
      {"rows_of", run.rows_of},
      {"draws", run.draws},
      {"which", name_of(run.which)},
      {"prob", run.prob},
      {"fits", run.verdict.fits},
      {"verdict", run.verdict.words},
      {"scores", scores_json(run.check.scores)},
      {"calibration", classes ? calibration_json(run.check.calibration) : CheckJson(nullptr)},
      {"residuals", classes ? CheckJson(nullptr) : residual_json(run.check.residuals)},
      {"counts", run.check.counts.empty() ? CheckJson(nullptr) : counts_json(run.check.counts)},
      {"notes", run.notes}};
  return json.dump(2, ' ', false, CheckJson::error_handler_t::replace) + "\n";
}

void add_check_to_page(const CheckedRun& run, CheckJson& section) {
  constexpr double kNormal99 = 2.5758293035489004;
  const bool held_out = run.which == CheckedRows::kHeldOut;
  if (held_out) {
    say_which_rows(section);
  }
  CheckJson& numbers = section["numbers"];
  for (const Score& score : run.check.scores) {
    std::string words =
        fmt::format("{} [{}, {}]", score_number(score, score.mean),
                    score_number(score, score.lower), score_number(score, score.upper));
    if (std::isfinite(score.without)) {
      words += "; without columns " + score_number(score, score.without);
    }
    numbers.push_back({score.name + (held_out ? kOfHeldOut : ""), std::move(words)});
  }
  numbers.push_back({run.verdict.fits ? "predictions" : "misfit",
                     fmt::format("{} ({})", run.verdict.words, over_words(run))});
  if (run.check.calibration.empty()) {
    const double share = 1.0 / static_cast<double>(run.check.residuals.bins.size());
    section["panels"].push_back(
        {{"kind", "residuals"},
         {"bins", run.check.residuals.bins},
         {"of", held_out ? kOfHeldOut : ""},
         {"band", kNormal99 * std::sqrt(share * (1.0 - share) / static_cast<double>(run.rows))}});
  }
}

}  // namespace flymc
