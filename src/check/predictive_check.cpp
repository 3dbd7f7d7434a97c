#include "check/predictive_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "diagnose/moments.hpp"

namespace flymc {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kResidualBins = 20;
constexpr double kKolmogorov999 = 1.9495;  // the 0.999 quantile of sqrt(n) times the distance
constexpr std::size_t kMostBars = 40;
constexpr std::size_t kChunkNumbers = std::size_t{1} << 22;  // 32 MiB of probabilities

double weight_of(const Table& rows, std::size_t n) {
  return rows.weights.empty() ? 1.0 : rows.weights[n];
}

// `error`: of these rows, for others.
Score summarised(std::string name, const std::vector<double>& draws, double error, double prob,
                 double without) {
  const CentralInterval interval = central_interval(draws, prob, error);
  return {std::move(name), mean(draws), interval.lower, interval.upper, without};
}

// Of a weighted mean of numbers, one a row.
double error_of_mean(const std::vector<double>& values, const Table& rows) {
  double weights = 0.0;
  double sum = 0.0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    weights += weight_of(rows, n);
    sum += weight_of(rows, n) * values[n];
  }
  double squares = 0.0;
  for (std::size_t n = 0; n < values.size(); ++n) {
    const double part = weight_of(rows, n) * (values[n] - sum / weights);
    squares += part * part;
  }
  return std::sqrt(squares) / weights;
}

// Some of the draws, as draws of their own.
RunDraws some_draws(const RunDraws& all, Index first, Index count) {
  RunDraws some{all.run, all.family, all.features, all.constants.middleRows(first, count), {},
                {},      {}};
  for (const Matrix& slopes : all.slopes) {
    some.slopes.push_back(slopes.middleRows(first, count));
  }
  if (all.groups) {
    some.groups = all.groups;
    for (TermDraws& term : some.groups->terms) {
      for (Matrix& levels : term.levels) {
        levels = Matrix(levels.middleRows(first, count));
      }
      term.factors = {term.factors.begin() + first, term.factors.begin() + first + count};
    }
  }
  return some;
}

// What a row says of class k; of two classes, and of successes, k is the second.
double outcome_of(const Table& rows, std::size_t n, std::size_t k, ResponseKind kind) {
  const double response = rows.response.values[n];
  switch (kind) {
    case ResponseKind::kClasses:
    case ResponseKind::kOrdered:
      return response == static_cast<double>(k) ? 1.0 : 0.0;
    case ResponseKind::kSuccesses:
      return response;
    default:
      return response > 0.0 ? 1.0 : 0.0;
  }
}

// Scores of every draw, one draw after another: an area needs the probabilities of all rows.
class ClassCheck {
 public:
  ClassCheck(const Predictor& predictor, const Table& rows, unsigned threads)
      : predictor_(predictor),
        rows_(rows),
        threads_(threads),
        kind_(predictor.draws().family->type().response),
        classes_(predictor.draws().family->type().has_probabilities()
                     ? predictor.draws().predictors()
                     : 1),
        areas_(classes_),
        sums_(classes_, std::vector<double>(rows.rows)) {}

  [[nodiscard]] PredictiveCheck result(double prob) {
    const auto draws = static_cast<Index>(predictor_.draws().draws());
    const auto step = static_cast<Index>(
        std::max<std::size_t>(1, kChunkNumbers / (rows_.rows * predictor_.draws().predictors())));
    for (Index first = 0; first < draws; first += step) {
      add(some_draws(predictor_.draws(), first, std::min(step, draws - first)));
    }
    PredictiveCheck check;
    const Baseline base = baseline();
    std::vector<Event> events;
    std::vector<double> brier(rows_.rows);  // of the mean probabilities
    std::vector<double> log(rows_.rows);
    for (std::size_t k = 0; k < classes_; ++k) {
      const std::size_t first = events.size();
      for (std::size_t n = 0; n < rows_.rows; ++n) {
        const Event event{sums_[k][n] / static_cast<double>(draws), outcome_of(rows_, n, k, kind_),
                          weight_of(rows_, n)};
        brier[n] += brier_of(event);
        log[n] += log_of(event);
        events.push_back(event);
      }
      const std::string name =
          classes_ == 1 ? "AUC" : "AUC of " + shortened(predictor_.draws().run.classes[k]);
      check.scores.push_back(
          summarised(name, areas_[k], error_of_area(std::span(events).subspan(first)), prob, 0.5));
    }
    check.scores.push_back(
        summarised("Brier score", brier_, error_of_mean(brier, rows_), prob, base.brier));
    check.scores.push_back(
        summarised("log score", log_, error_of_mean(log, rows_), prob, base.log));
    check.calibration = calibration_bins(std::move(events));
    return check;
  }

 private:
  // Scores of the shares of the classes alone.
  struct Baseline {
    double brier = 0.0;
    double log = 0.0;
  };
  [[nodiscard]] Baseline baseline() const {
    Baseline base;
    for (std::size_t k = 0; k < classes_; ++k) {
      double share = 0.0;
      double weight = 0.0;
      for (std::size_t n = 0; n < rows_.rows; ++n) {
        share += weight_of(rows_, n) * outcome_of(rows_, n, k, kind_);
        weight += weight_of(rows_, n);
      }
      share /= weight;
      base.brier += share * (1.0 - share);
      base.log += share > 0.0 ? share * std::log(share) : 0.0;
      base.log += classes_ == 1 && share < 1.0 ? (1.0 - share) * std::log1p(-share) : 0.0;
    }
    return base;
  }

  void add(RunDraws draws) {
    const Predictor some(std::move(draws));
    const auto count = static_cast<Index>(some.draws().draws());
    const std::size_t step = some.block_rows();
    const auto total = static_cast<Index>(rows_.rows);
    std::vector<Matrix> given(classes_, Matrix(total, count));  // rows x draws
    parallel_for((rows_.rows + step - 1) / step, threads_, [&](std::size_t b) {
      const RowRange range{b * step, std::min(rows_.rows, (b + 1) * step)};
      const auto first = static_cast<Index>(range.first);
      const auto size = static_cast<Index>(range.size());
      const Matrix means = some.means(rows_, range);
      for (std::size_t k = 0; k < classes_; ++k) {
        given[k].middleRows(first, size) =
            means.middleCols(static_cast<Index>(k) * size, size).transpose();
      }
    });
    for (std::size_t k = 0; k < classes_; ++k) {
      // By columns: each row in one order, so that ties stay ties.
      for (const auto& probabilities : given[k].colwise()) {
        Eigen::Map<Vector>(sums_[k].data(), total) += probabilities;
      }
    }
    const std::size_t before = brier_.size();
    for (std::vector<double>* const scores : {&brier_, &log_}) {
      scores->resize(before + static_cast<std::size_t>(count));
    }
    for (std::vector<double>& area : areas_) {
      area.resize(before + static_cast<std::size_t>(count));
    }
    parallel_for(static_cast<std::size_t>(count), threads_,
                 [&](std::size_t s) { score(given, s, before + s); });
  }

  [[nodiscard]] static double brier_of(const Event& event) {
    const auto& [p, y, weight] = event;
    return y * (1.0 - p) * (1.0 - p) + (1.0 - y) * p * p;
  }
  // Of one class among several what came alone.
  [[nodiscard]] double log_of(const Event& event) const {
    const auto& [p, y, weight] = event;
    return (y > 0.0 ? y * std::log(p) : 0.0) +
           (classes_ == 1 && y < 1.0 ? (1.0 - y) * std::log1p(-p) : 0.0);
  }

  // One draw.
  void score(const std::vector<Matrix>& given, std::size_t draw, std::size_t to) {
    double weights = 0.0;
    double brier = 0.0;
    double log = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      std::vector<Event> events(rows_.rows);
      for (std::size_t n = 0; n < rows_.rows; ++n) {
        const double p = given[k](static_cast<Index>(n), static_cast<Index>(draw));
        const double y = outcome_of(rows_, n, k, kind_);
        const double weight = weight_of(rows_, n);
        events[n] = {p, y, weight};
        weights += k == 0 ? weight : 0.0;
        brier += weight * brier_of(events[n]);
        log += weight * log_of(events[n]);
      }
      areas_[k][to] = area_under_curve(events);
    }
    brier_[to] = brier / weights;
    log_[to] = log / weights;
  }

  const Predictor& predictor_;
  const Table& rows_;
  unsigned threads_;
  ResponseKind kind_;
  std::size_t classes_;  // whose probabilities there are
  std::vector<std::vector<double>> areas_;
  std::vector<double> brier_;
  std::vector<double> log_;
  std::vector<std::vector<double>> sums_;  // over draws, of every row
};

// Residuals of rows in blocks, all draws at once.
class NumberCheck {
 public:
  NumberCheck(const Predictor& predictor, const Table& rows)
      : predictor_(predictor), rows_(rows), residuals_(rows.rows), log_densities_(rows.rows) {
    if (predictor.draws().family->type().response == ResponseKind::kCounts) {
      const double top = quantile(rows.response.values, 0.99) + 2.0;
      bars_ = std::min(kMostBars, static_cast<std::size_t>(top));
    }
  }

  [[nodiscard]] PredictiveCheck result(double prob, unsigned threads) {
    const std::size_t step = predictor_.block_rows();
    const std::size_t blocks = (rows_.rows + step - 1) / step;
    std::vector<Block> parts(blocks);
    parallel_for(blocks, threads, [&](std::size_t b) {
      parts[b] = block({b * step, std::min(rows_.rows, (b + 1) * step)});
    });
    const auto draws = static_cast<Index>(predictor_.draws().draws());
    Block all{Vector::Zero(draws), Vector::Zero(static_cast<Index>(bars_))};
    for (const Block& part : parts) {
      all.log_density += part.log_density;
      all.expected += part.expected;
    }
    std::vector<double> weights(rows_.rows);
    for (std::size_t n = 0; n < rows_.rows; ++n) {
      weights[n] = weight_of(rows_, n);
    }
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    all.log_density /= total;
    PredictiveCheck check;
    check.scores.push_back(summarised("log score",
                                      {all.log_density.data(), all.log_density.data() + draws},
                                      error_of_mean(log_densities_, rows_), prob, kNone));
    check.residuals = summarise_residuals(residuals_, weights);
    check.counts = bars(all.expected / static_cast<double>(draws));
    return check;
  }

 private:
  struct Block {
    Vector log_density;  // of every draw, rows summed
    Vector expected;     // how often each count was drawn
  };

  [[nodiscard]] Block block(RowRange range) {
    const Matrix densities = predictor_.log_densities(rows_, range);
    const Matrix drawn = predictor_.responses(rows_, range, 0);
    Block sums{Vector::Zero(densities.rows()), Vector::Zero(static_cast<Index>(bars_))};
    for (std::size_t n = range.first; n < range.last; ++n) {
      const auto column = static_cast<Index>(n - range.first);
      const double weight = weight_of(rows_, n);
      sums.log_density += weight * densities.col(column);
      log_densities_[n] = mean_of(densities.col(column));
      residuals_[n] = residual(drawn.col(column), n);
      for (Index s = 0; s < drawn.rows() && bars_ > 0; ++s) {
        if (const double count = drawn(s, column); count < static_cast<double>(bars_)) {
          sums.expected[static_cast<Index>(count)] += weight;
        }
      }
    }
    return sums;
  }

  [[nodiscard]] double residual(const Eigen::Ref<const Vector>& drawn, std::size_t n) const {
    const double response = predictor_.draws().family->observed(rows_.response.values[n]);
    const bool censored =
        predictor_.draws().family->type().takes_censored && response < 0.0;  // beyond -response
    const double at = censored ? -response : response;
    const auto below = static_cast<double>((drawn.array() < at).count());
    const auto equal = static_cast<double>((drawn.array() == at).count());
    const auto all = static_cast<double>(drawn.size()) + 1.0;
    Stream stream(predictor_.draws().run.options.seed, 2, Purpose::kSimulate, n);
    return (below + stream.uniform() * (censored ? all - below : equal + 1.0)) / all;
  }

  [[nodiscard]] std::vector<CountBar> bars(const Vector& expected) const {
    std::vector<CountBar> bars(bars_);
    for (std::size_t c = 0; c < bars_; ++c) {
      bars[c].expected = expected[static_cast<Index>(c)];
    }
    for (std::size_t n = 0; n < rows_.rows && bars_ > 0; ++n) {
      if (const double count = rows_.response.values[n]; count < static_cast<double>(bars_)) {
        bars[static_cast<std::size_t>(count)].observed += weight_of(rows_, n);
      }
    }
    return bars;
  }

  const Predictor& predictor_;
  const Table& rows_;
  std::size_t bars_ = 0;
  std::vector<double> residuals_;
  std::vector<double> log_densities_;  // of every row, the mean over draws
};

}  // namespace

ResidualCheck summarise_residuals(std::span<const double> residuals,
                                  std::span<const double> weights) {
  std::vector<std::size_t> order(residuals.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t n) { return residuals[n]; });
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  ResidualCheck check{.bins = std::vector<double>(kResidualBins)};
  double squares = 0.0;
  double below = 0.0;
  for (const std::size_t n : order) {
    const double u = residuals[n];
    const double share = weights[n] / total;
    check.distance = std::max({check.distance, u - below, below + share - u});
    below += share;
    squares += share * share;
    check.bins[std::min(kResidualBins - 1,
                        static_cast<std::size_t>(u * static_cast<double>(kResidualBins)))] += share;
    check.within_50 += std::abs(u - 0.5) < 0.25 ? share : 0.0;
    check.within_95 += std::abs(u - 0.5) < 0.475 ? share : 0.0;
  }
  check.by_chance = kKolmogorov999 * std::sqrt(squares);
  return check;
}

PredictiveCheck check_predictions(const Predictor& predictor, const Table& rows, double prob,
                                  unsigned threads) {
  const ResponseKind kind = predictor.draws().family->type().response;
  return are_numbers(kind) || kind == ResponseKind::kTallies
             ? NumberCheck(predictor, rows).result(prob, threads)
             : ClassCheck(predictor, rows, threads).result(prob);
}

}  // namespace flymc
