#include "report/report_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/text.hpp"
#include "predict/fitted.hpp"
#include "report/isolated.hpp"
#include "report/numbers.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRows = 50;
constexpr std::size_t kFeaturesShown = 3;

struct BrightRow {
  std::size_t number = 0;  // from 1, the first of equal ones: in run.json among the rows used
  double share = 1.0;      // of the iterations
  bool beacon = false;
  std::size_t equal = 1;  // rows, this one too
};

// Entries that are not as we write them are passed over.
std::vector<BrightRow> read_rows(const nlohmann::json& run) {
  std::vector<BrightRow> rows;
  const auto list = [&](const char* key) {
    return run.contains(key) && run.at(key).is_array() ? run.at(key) : nlohmann::json::array();
  };
  for (const auto& entry : list("brightest")) {
    const bool ours = entry.is_object() && entry.contains("row") && entry.contains("share") &&
                      entry.at("row").is_number_unsigned() && entry.at("share").is_number();
    if (ours && rows.size() < kMostRows) {
      const bool merged = entry.contains("rows") && entry.at("rows").is_number_unsigned();
      rows.push_back({entry.at("row"), entry.at("share"), false,
                      merged ? entry.at("rows").get<std::size_t>() : 1});
    }
  }
  std::size_t beacons = 0;
  for (const auto& entry : list("beacon_rows")) {
    if (entry.is_number_unsigned() && beacons++ < kMostRows) {
      rows.push_back({entry, 1.0, true});
    }
  }
  return rows;
}

// Mean and sd of each column as the engine sees it, over some rows.
ColumnMoments seen_moments(const Dataset& data) {
  constexpr std::size_t kEnough = 10000;
  const std::size_t count = std::min(kEnough, data.rows());
  Vector sum = Vector::Zero(data.columns()), square = sum, row = sum;
  for (std::size_t i = 0; i < count; ++i) {
    data.copy_row(i * data.rows() / count, row.data());
    sum += row;
    square += row.cwiseAbs2();
  }
  const Vector mean = sum / static_cast<double>(count);
  return {mean, (square / static_cast<double>(count) - mean.cwiseAbs2()).cwiseMax(0.0).cwiseSqrt()};
}

// "age +4.1 sd, income -3.2 sd".
std::string extreme_features(const Dataset& data, const ColumnMoments& moments, std::size_t n) {
  Vector row(data.columns());
  data.copy_row(n, row.data());
  const Index first = data.intercept() ? 1 : 0;
  std::vector<std::pair<double, std::size_t>> far;
  for (Index j = first; j < row.size(); ++j) {
    if (moments.sd[j] > 0.0) {
      far.emplace_back((row[j] - moments.mean[j]) / moments.sd[j],
                       static_cast<std::size_t>(j - first));
    }
  }
  const auto size = [](const auto& entry) { return -std::abs(entry.first); };
  std::ranges::stable_sort(far, {}, size);
  std::string words;
  for (std::size_t i = 0; i < std::min(kFeaturesShown, far.size()); ++i) {
    words += fmt::format("{}{} {:+.1f} sd", i > 0 ? ", " : "",
                         isolated(escaped(data.names()[far[i].second])), far[i].first);
  }
  return words;
}

std::string response_words(const Problem& problem, std::size_t n) {
  const double response = problem.data.response(n);
  if (problem.classes.empty()) {
    if (problem.family->type().response == ResponseKind::kTallies) {
      return approximate(Tally::of(response).share());
    }
    return problem.censored > 0.0 && response < 0.0
               ? "more than " + approximate(-response)
               : approximate(problem.family->observed(response));
  }
  const bool two = !problem.family->type().has_probabilities();
  const auto k = static_cast<std::size_t>(two ? (response > 0.0 ? 1.0 : 0.0) : response);
  return shortened(problem.classes.at(k));
}

// Three decimals, and more where that would be 0.
std::string probability(double p) { return p < 0.001 ? approximate(p) : fmt::format("{:.3f}", p); }

// The probability of the class the row has, or its fitted mean.
std::string fitted_words(const Problem& problem, const Fitted& fit, std::size_t i) {
  const auto row = static_cast<Index>(i);
  const double response = problem.data.response(fit.rows[i]);
  if (problem.classes.empty()) {
    return approximate(fit.mean(row, 0));
  }
  if (fit.mean.cols() > 1) {
    return probability(fit.mean(row, static_cast<Index>(response)));
  }
  return probability(response > 0.0 ? fit.mean(row, 0) : 1.0 - fit.mean(row, 0));
}

// Where the data have them; empty unless they have all.
std::vector<std::size_t> find_rows(const std::vector<BrightRow>& listed, const Problem* problem) {
  std::vector<std::size_t> places;
  for (const BrightRow& row : listed) {
    const auto found =
        problem != nullptr && row.number >= 1 ? problem->find_row(row.number - 1) : std::nullopt;
    if (!found) {
      return {};
    }
    places.push_back(*found);
  }
  return places;
}

// "17", "17 and 3 equal rows".
std::string row_words(const BrightRow& row) {
  return with_commas(row.number) +
         (row.equal > 1 ? fmt::format(" and {}", counted(row.equal - 1, "equal row")) : "");
}

// How much the response of a row surprises the model: -log of the probability of its class, or the
// distance to its mean in units of its spread.
double surprise(const Problem& problem, const Fitted& fit, std::size_t i) {
  const auto row = static_cast<Index>(i);
  const double response = problem.data.response(fit.rows[i]);
  const double mean = fit.mean(row, 0);
  const bool known = fit.eta.rows() > 0;  // where the spread depends on them
  const std::span<const double> eta(known ? fit.eta.data() + row * fit.eta.cols() : nullptr,
                                    known ? static_cast<std::size_t>(fit.eta.cols()) : 0);
  const auto spreads_away = [&](double value, double trials) {
    return std::abs(value - mean) / problem.family->spread(mean, eta, trials);
  };
  switch (problem.family->type().response) {
    case ResponseKind::kClasses:
    case ResponseKind::kOrdered:
      return -std::log(fit.mean(row, static_cast<Index>(response)));
    case ResponseKind::kTwoClasses:
      return -std::log(response > 0.0 ? mean : 1.0 - mean);
    case ResponseKind::kSuccesses:  // a share of so many trials
      return spreads_away(response, problem.data.weight(fit.rows[i]));
    case ResponseKind::kTallies: {
      const Tally tally = Tally::of(response);
      return spreads_away(tally.share(), tally.trials);
    }
    default:
      return spreads_away(response, 1.0);
  }
}

// Its number in the data, the first of equal ones.
BrightRow given_row(const Problem& problem, std::size_t place) {
  if (problem.merged.empty()) {
    return {problem.gaps.number_of(problem.first_given + place) + 1};
  }
  const MergedRow& merged = problem.merged[place];
  return {problem.gaps.number_of(merged.first) + 1, 1.0, false, merged.count};
}

}  // namespace

Json worst_rows(const Problem& problem, const Fitted& fit) {
  constexpr std::size_t kWorst = 20;
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < fit.rows.size(); ++i) {
    order.emplace_back(surprise(problem, fit, i), i);
  }
  std::ranges::stable_sort(order, std::greater<>(), &std::pair<double, std::size_t>::first);
  order.resize(std::min(order.size(), kWorst));
  const bool classes = !problem.classes.empty();
  const ColumnMoments moments = seen_moments(problem.data);
  Json rows = Json::array();
  Json numbers = Json::array();
  for (const auto& [size, i] : order) {
    const BrightRow row = given_row(problem, fit.rows[i]);
    numbers.push_back(row.number);
    Json cells = {row_words(row), response_words(problem, fit.rows[i]),
                  fitted_words(problem, fit, i)};
    if (!classes) {
      cells.push_back(approximate(size));
    }
    cells.push_back(extreme_features(problem.data, moments, fit.rows[i]));
    rows.push_back(std::move(cells));
  }
  Json titles = {"row", "response", classes ? "its fitted probability" : "fitted mean"};
  if (!classes) {
    titles.push_back("spreads away");
  }
  titles.push_back("most unusual features");
  return {
      {"titles", std::move(titles)}, {"rows", std::move(rows)}, {"numbers", std::move(numbers)}};
}

Json bright_rows(const nlohmann::json& run, const Problem* problem, const RunChains& chains) {
  const std::vector<BrightRow> listed = read_rows(run);
  if (listed.empty()) {
    return nullptr;
  }
  Json titles = {"row", "bright"};
  Fitted fit;
  ColumnMoments moments;
  const std::vector<std::size_t> places = find_rows(listed, problem);
  const bool known = !places.empty();
  if (known) {
    fit = fitted(*problem, chains, places);
    moments = seen_moments(problem->data);
    titles.push_back("response");
    titles.push_back(problem->classes.empty() ? "fitted mean" : "its fitted probability");
    titles.push_back("most unusual features");
  }
  Json rows = Json::array();
  for (std::size_t i = 0; i < listed.size(); ++i) {
    BrightRow row = listed[i];
    if (known) {
      row.number = problem->gaps.number_of(row.number - 1) + 1;
    }
    Json cells = {row_words(row),
                  row.beacon ? "always" : fmt::format("{:.1f} %", 100.0 * row.share)};
    if (known) {
      cells.push_back(response_words(*problem, places[i]));
      cells.push_back(fitted_words(*problem, fit, i));
      cells.push_back(extreme_features(problem->data, moments, places[i]));
    }
    rows.push_back(std::move(cells));
  }
  return {{"titles", std::move(titles)}, {"rows", std::move(rows)}};
}

}  // namespace flymc
