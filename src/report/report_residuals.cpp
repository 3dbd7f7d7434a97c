#include "report/report_residuals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "diagnose/moments.hpp"
#include "report/numbers.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 1500;
constexpr std::size_t kResidualBins = 20;

// Each row once: what it is, what the model expects, their difference in units of its spread.
struct Residuals {
  std::vector<double> fitted, observed, scaled, weight, spread;
  const RowMatrix& eta;  // as Fitted has them

  [[nodiscard]] std::span<const double> predictors(std::size_t i) const {
    return {eta.data() + static_cast<Index>(i) * eta.cols(), static_cast<std::size_t>(eta.cols())};
  }
};

bool are_counts(const Problem& problem) {
  return problem.family->type().response == ResponseKind::kCounts;
}

Residuals residuals_of(const Problem& problem, const Fitted& fit) {
  Residuals residuals{{}, {}, {}, {}, {}, fit.eta};
  for (std::size_t i = 0; i < fit.rows.size(); ++i) {
    const double mean = fit.mean(static_cast<Index>(i), 0);
    const double observed = problem.data.response(fit.rows[i]);
    const double spread = problem.family->spread(
        mean, fit.eta.rows() > 0 ? residuals.predictors(i) : std::span<const double>(), 1.0);
    residuals.spread.push_back(spread);
    residuals.fitted.push_back(mean);
    residuals.observed.push_back(observed);
    residuals.scaled.push_back((observed - mean) / spread);
    residuals.weight.push_back(problem.data.weight(fit.rows[i]));
  }
  return residuals;
}

// Three digits are more than a plot can show.
double short_number(double value) { return std::stod(fmt::format("{:.4g}", value)); }

// Points, and in bins of like fitted value the 5 %, 50 % and 95 % quantiles of the residuals.
Json scatter(const Residuals& r, const char* y_title) {
  std::vector<std::size_t> order(r.fitted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return r.fitted[a] < r.fitted[b]; });
  Json bins = Json::array();
  const std::size_t count = std::clamp<std::size_t>(order.size() / 50, 1, kResidualBins);
  for (std::size_t b = 0; b < count; ++b) {
    std::vector<double> x, y;
    for (std::size_t i = b * order.size() / count; i < (b + 1) * order.size() / count; ++i) {
      x.push_back(r.fitted[order[i]]);
      y.push_back(r.scaled[order[i]]);
    }
    bins.push_back({short_number(quantile(x, 0.5)), short_number(quantile(y, 0.05)),
                    short_number(quantile(y, 0.5)), short_number(quantile(y, 0.95))});
  }
  Json x = Json::array(), y = Json::array();
  const std::size_t points = std::min(kMostPoints, r.fitted.size());
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t at = i * r.fitted.size() / points;
    x.push_back(short_number(r.fitted[at]));
    y.push_back(short_number(r.scaled[at]));
  }
  return {{"kind", "scatter"},       {"x", std::move(x)},        {"y", std::move(y)},
          {"bins", std::move(bins)}, {"x_title", "fitted mean"}, {"y_title", y_title},
          {"points", points},        {"rows", r.fitted.size()}};
}

// The density of a scaled residual: with auxiliary parameters that of the rows on average, else of
// a number whose predictor is its location.
double residual_density(const Residuals& r, const Family& family, double residual) {
  if (r.eta.rows() == 0) {
    constexpr double kLocation = 0.0;
    const double scale = family.spread(kLocation, {}, 1.0);
    return scale * std::exp(family.log_density({&kLocation, 1}, scale * residual));
  }
  double sum = 0.0, weight = 0.0;
  const std::size_t step = 1 + r.fitted.size() / kMostPoints;
  for (std::size_t i = 0; i < r.fitted.size(); i += step) {
    const double density =
        std::exp(family.log_density(r.predictors(i), r.fitted[i] + r.spread[i] * residual));
    sum += r.weight[i] * r.spread[i] * (std::isfinite(density) ? density : 0.0);
    weight += r.weight[i];
  }
  return sum / weight;
}

// Residuals beside the density the family gives them; what lies beyond the ends counts there.
Json residual_histogram(const Residuals& r, const Family& family) {
  constexpr double kEnd = 6.0;
  constexpr std::size_t kBars = 48;
  constexpr double kWidth = 2.0 * kEnd / kBars;
  std::vector<double> observed(kBars, 0.0), expected;
  const double total = std::accumulate(r.weight.begin(), r.weight.end(), 0.0);
  for (std::size_t i = 0; i < r.scaled.size(); ++i) {
    const double bar = std::clamp((r.scaled[i] + kEnd) / kWidth, 0.0, kBars - 1.0);
    observed[static_cast<std::size_t>(bar)] += r.weight[i] / total;
  }
  for (std::size_t b = 0; b < kBars; ++b) {
    const double middle = -kEnd + (static_cast<double>(b) + 0.5) * kWidth;
    expected.push_back(short_number(kWidth * residual_density(r, family, middle)));
  }
  const double beyond = 0.5 * (1.0 - std::accumulate(expected.begin(), expected.end(), 0.0));
  expected.front() += std::max(0.0, beyond);
  expected.back() += std::max(0.0, beyond);
  std::ranges::transform(observed, observed.begin(), short_number);
  return {{"kind", "histogram"},  {"low", -kEnd},         {"high", kEnd},
          {"observed", observed}, {"expected", expected}, {"x_title", "residual / scale"}};
}

// How often each count occurs beside how often it should, at the fitted means.
Json count_bars(const Residuals& r, const Family& family) {
  constexpr double kMostBars = 40.0;
  const auto bars = static_cast<std::size_t>(std::min(kMostBars, quantile(r.observed, 0.99) + 2.0));
  std::vector<double> observed(bars, 0.0), expected(bars, 0.0);
  for (std::size_t i = 0; i < r.fitted.size(); ++i) {
    if (r.observed[i] < static_cast<double>(bars)) {
      observed[static_cast<std::size_t>(r.observed[i])] += r.weight[i];
    }
    const double mean = family.predictors() == 1 ? family.predictor(r.fitted[i]) : 0.0;
    const std::span<const double> eta =
        family.predictors() == 1 ? std::span(&mean, 1) : r.predictors(i);
    for (std::size_t c = 0; c < bars; ++c) {
      expected[c] += r.weight[i] * std::exp(family.log_density(eta, static_cast<double>(c)));
    }
  }
  std::ranges::transform(expected, expected.begin(), short_number);
  return {{"kind", "histogram"},  {"low", -0.5},          {"high", static_cast<double>(bars) - 0.5},
          {"observed", observed}, {"expected", expected}, {"x_title", "count"}};
}

double weighted_square(const Residuals& r) {
  double sum = 0.0, weight = 0.0;
  for (std::size_t i = 0; i < r.scaled.size(); ++i) {
    sum += r.weight[i] * r.scaled[i] * r.scaled[i];
    weight += r.weight[i];
  }
  return sum / weight;
}

Json number_words(const Problem& problem, const Residuals& r) {
  std::vector<double> sizes;
  for (std::size_t i = 0; i < r.scaled.size(); ++i) {
    sizes.push_back(std::abs(r.observed[i] - r.fitted[i]));
  }
  Json numbers = Json::array();
  numbers.push_back({"typical residual", fmt::format("{} (median size); the response has sd {}",
                                                     approximate(quantile(sizes, 0.5)),
                                                     approximate(standard_deviation(r.observed)))});
  if (!are_counts(problem)) {
    const auto [low, high] = std::ranges::minmax_element(r.scaled);
    numbers.push_back({"farthest rows", fmt::format("{} and {} scales from their fitted mean",
                                                    approximate(*low), approximate(*high))});
  } else {
    numbers.push_back({"dispersion", fmt::format("{}; 1 where the model has the right spread, more "
                                                 "where counts vary more than it allows",
                                                 approximate(weighted_square(r)))});
  }
  return numbers;
}

}  // namespace

Json check_residuals(const Problem& problem, const Fitted& fit) {
  const Residuals r = residuals_of(problem, fit);
  const bool counts = are_counts(problem);
  Json panels = Json::array();
  panels.push_back(counts ? count_bars(r, *problem.family)
                          : residual_histogram(r, *problem.family));
  panels.push_back(scatter(r, counts ? "residual / expected sd" : "residual / scale"));
  return {{"numbers", number_words(problem, r)}, {"panels", std::move(panels)}};
}

}  // namespace flymc
