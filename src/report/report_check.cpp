#include "report/report_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "check/calibration.hpp"
#include "core/text.hpp"
#include "report/numbers.hpp"
#include "report/report_residuals.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

// What the response of a row says about class k.
double outcome_of(const Problem& problem, std::size_t row, std::size_t k) {
  const double response = problem.data.response(row);
  switch (problem.family->type().response) {
    case ResponseKind::kClasses:
    case ResponseKind::kOrdered:
      return response == static_cast<double>(k) ? 1.0 : 0.0;
    case ResponseKind::kSuccesses:
      return response;
    case ResponseKind::kTallies:
      return Tally::of(response).share();
    default:
      return response > 0.0 ? 1.0 : 0.0;
  }
}

// How many outcomes a row is: a tally one a trial, as the weight of a share has it.
double weight_of(const Problem& problem, std::size_t row) {
  const bool tally = problem.family->type().response == ResponseKind::kTallies;
  return problem.data.weight(row) * (tally ? Tally::of(problem.data.response(row)).trials : 1.0);
}

std::vector<Event> events_of(const Problem& problem, const Fitted& fit) {
  std::vector<Event> events;
  for (std::size_t i = 0; i < fit.rows.size(); ++i) {
    for (Index k = 0; k < fit.mean.cols(); ++k) {
      const auto row = static_cast<Index>(i);
      events.push_back({fit.mean(row, k),
                        outcome_of(problem, fit.rows[i], static_cast<std::size_t>(k)),
                        weight_of(problem, fit.rows[i])});
    }
  }
  return events;
}

Json calibration(std::vector<Event> events) {
  Json list = Json::array();
  for (const CalibrationBin& bin : calibration_bins(std::move(events))) {
    list.push_back({{"p", bin.given},
                    {"share", bin.share},
                    {"low", bin.low},
                    {"high", bin.high},
                    {"n", bin.weight}});
  }
  return {{"kind", "calibration"}, {"bins", std::move(list)}};
}

// Sums over rows, weighted: what the classes are and what the model says they are.
struct ClassCounts {
  std::vector<double> observed, expected, right;
  double total = 0.0, correct = 0.0;
};

ClassCounts count_classes(const Problem& problem, const Fitted& fit) {
  const std::size_t classes = std::max<std::size_t>(2, problem.classes.size());
  ClassCounts counts{std::vector<double>(classes), std::vector<double>(classes),
                     std::vector<double>(classes)};
  const bool two = fit.mean.cols() == 1;
  for (std::size_t i = 0; i < fit.rows.size(); ++i) {
    const double weight = weight_of(problem, fit.rows[i]);
    std::size_t likeliest = 0;
    double best = -1.0;
    counts.total += weight;
    for (std::size_t k = 0; k < classes; ++k) {
      const double first = fit.mean(static_cast<Index>(i), two ? 0 : static_cast<Index>(k));
      const double p = two && k == 0 ? 1.0 - first : first;
      const double outcome = outcome_of(problem, fit.rows[i], two ? 1 : k);
      const double share = two && k == 0 ? 1.0 - outcome : outcome;
      likeliest = p > best ? k : likeliest;
      best = std::max(best, p);
      counts.observed[k] += weight * share;
      counts.expected[k] += weight * p;
    }
    const double outcome = outcome_of(problem, fit.rows[i], two ? 1 : likeliest);
    const double hit = two && likeliest == 0 ? 1.0 - outcome : outcome;
    counts.correct += weight * hit;
    counts.right[likeliest] += weight * hit;
  }
  return counts;
}

Json class_numbers(const ClassCounts& counts) {
  const double common = *std::ranges::max_element(counts.observed) / counts.total;
  Json numbers = Json::array();
  numbers.push_back(
      {"classified right", fmt::format("{}; always the commonest class: {}",
                                       percent(counts.correct / counts.total), percent(common))});
  return numbers;
}

Json class_table(const ClassCounts& counts, const std::vector<std::string>& classes) {
  constexpr std::size_t kMostClasses = 30;
  Json rows = Json::array();
  for (std::size_t k = 0; k < std::min(kMostClasses, classes.size()); ++k) {
    const auto share = [](double part, double whole) {
      return whole > 0.0 ? fmt::format("{:.1f} %", 100.0 * part / whole) : "-";
    };
    rows.push_back({shortened(classes[k]), share(counts.observed[k], counts.total),
                    share(counts.expected[k], counts.total),
                    share(counts.right[k], counts.observed[k])});
  }
  return {{"kind", "table"},
          {"titles", {"class", "rows", "expected", "classified right"}},
          {"rows", std::move(rows)}};
}

Json check_classes(const Problem& problem, const Fitted& fit) {
  const ClassCounts counts = count_classes(problem, fit);
  Json panels = Json::array({calibration(events_of(problem, fit))});
  if (!problem.classes.empty()) {
    panels.push_back(class_table(counts, problem.classes));
  }
  return {{"numbers", class_numbers(counts)}, {"panels", std::move(panels)}};
}

std::string which_rows(const Problem& problem, const Fitted& fit) {
  const std::size_t total = problem.data.rows();
  const std::string rows =
      fit.rows.size() == total
          ? "all " + counted(total, problem.rows == total ? "row" : "distinct row")
          : fmt::format("{} of {}, evenly spaced", with_commas(fit.rows.size()),
                        counted(total, problem.rows == total ? "row" : "distinct row"));
  return fmt::format("Over {}{}, predictions averaged over {} evenly spaced over the chains.", rows,
                     problem.censored > 0.0 ? ", censored ones left out" : "",
                     counted(fit.draws, "draw"));
}

}  // namespace

Json check_fit(const Problem& problem, const Fitted& fit) {
  const ResponseKind response = problem.family->type().response;
  const bool numbers = are_numbers(response);
  Json check = numbers ? check_residuals(problem, fit) : check_classes(problem, fit);
  check["words"] = which_rows(problem, fit);
  return check;
}

}  // namespace flymc
