// Areas against all pairs, scores against their definitions draw by draw, and residuals that are
// uniform where rows come from the model, for few draws, counts and censored times alike.
#include "check/predictive_check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include "check/check.hpp"
#include "diagnose/moments.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

constexpr std::size_t kDraws = 19;

// Draws of (constant, slope) of every predictor, and a table of one column.
class PredictiveChecks : public ::testing::Test {
 protected:
  void make(const std::string& family, std::size_t rows, std::size_t classes = 2) {
    const FamilyType& type = find_family(family);
    RunDraws draws;
    draws.run.options.family = family;
    for (std::size_t k = 0; k < classes; ++k) {
      draws.run.classes.push_back(fmt::format("{}", k));
    }
    draws.family = type.make({}, classes);
    draws.features = {"x"};
    const auto predictors = static_cast<Index>(draws.family->predictors());
    draws.constants.resize(kDraws, predictors);
    draws.slopes.assign(static_cast<std::size_t>(predictors), Matrix(kDraws, 1));
    for (Index s = 0; s < static_cast<Index>(kDraws); ++s) {
      for (Index k = 0; k < predictors; ++k) {
        draws.constants(s, k) = 0.3 + spread_ * stream_.normal();
        draws.slopes[static_cast<std::size_t>(k)](s, 0) = 0.4 + spread_ * stream_.normal();
      }
    }
    table_.rows = rows;
    table_.columns = {"x"};
    for (std::size_t n = 0; n < rows; ++n) {
      table_.x.push_back(stream_.normal());
    }
    predictor_.emplace(std::move(draws));
  }
  // A response of a row under parameters in the middle of the draws.
  [[nodiscard]] double response(std::size_t n) {
    std::vector<double> eta;
    for (std::size_t k = 0; k < predictor_->draws().predictors(); ++k) {
      eta.push_back(0.3 + 0.4 * table_.x[n]);
    }
    return predictor_->draws().family->sample(stream_, eta, {});
  }
  void respond(const std::function<double(std::size_t)>& of_row) {
    for (std::size_t n = 0; n < table_.rows; ++n) {
      table_.response.values.push_back(of_row(n));
    }
  }
  [[nodiscard]] PredictiveCheck check(double prob = 0.8) const {
    return check_predictions(*predictor_, table_, prob, 2);
  }
  [[nodiscard]] double eta(std::size_t s, std::size_t n, std::size_t k = 0) const {
    const RunDraws& draws = predictor_->draws();
    return draws.constants(static_cast<Index>(s), static_cast<Index>(k)) +
           draws.slopes[k](static_cast<Index>(s), 0) * table_.x[n];
  }
  [[nodiscard]] double weight(std::size_t n) const {
    return table_.weights.empty() ? 1.0 : table_.weights[n];
  }
  void expect_uniform(const ResidualCheck& found) const {
    const auto rows = static_cast<double>(table_.rows);
    EXPECT_LT(found.distance, found.by_chance);
    EXPECT_NEAR(found.by_chance, 1.9495 / std::sqrt(rows), 1e-9);
    EXPECT_NEAR(found.within_50, 0.5, 4.0 * std::sqrt(0.25 / rows));
    EXPECT_NEAR(found.within_95, 0.95, 4.0 * std::sqrt(0.95 * 0.05 / rows));
    for (const double share : found.bins) {
      EXPECT_NEAR(share, 0.05, 4.5 * std::sqrt(0.05 * 0.95 / rows));
    }
  }
  static void expect_score(const Score& found, const std::string& name,
                           const std::vector<double>& draws) {
    EXPECT_EQ(found.name, name);
    EXPECT_NEAR(found.mean, mean(draws), 1e-10);
    const CentralInterval of_draws{quantile(draws, 0.1), quantile(draws, 0.9)};
    EXPECT_LT(found.lower, of_draws.lower);
    EXPECT_NEAR(error_in(found.mean - found.lower, found.mean - of_draws.lower),
                error_in(found.upper - found.mean, of_draws.upper - found.mean), 1e-6);
  }
  // What rows add to an end at this distance from the mean, of 80 %.
  static double error_in(double with_rows, double of_draws) {
    return std::sqrt(with_rows * with_rows - of_draws * of_draws) / 1.2815515655446004;
  }
  static double error_in(const Score& found, const std::vector<double>& draws) {
    return error_in(found.upper - found.mean, quantile(draws, 0.9) - found.mean);
  }

  double spread_ = 0.5;  // of the draws; 0: all alike, so that rows do not share their error
  Stream stream_{11, 0, Purpose::kTest, 3};
  Table table_;
  std::optional<Predictor> predictor_;
};

double area_of_pairs(const std::vector<Event>& events) {
  double area = 0.0;
  double pairs = 0.0;
  for (const Event& a : events) {
    for (const Event& b : events) {
      const double pair = a.weight * a.outcome * b.weight * (1.0 - b.outcome);
      pairs += pair;
      area += pair * (a.p > b.p ? 1.0 : a.p == b.p ? 0.5 : 0.0);
    }
  }
  return area / pairs;
}

TEST(AreaUnderCurve, IsThatOfAllPairsWithTiesAndWeights) {
  Stream stream(4, 0, Purpose::kTest, 1);
  std::vector<Event> events;
  for (int i = 0; i < 200; ++i) {
    const double p = std::round(12.0 * stream.uniform()) / 12.0;  // ties
    const double share = i % 5 == 0 ? 0.25 : stream.uniform() < p ? 1.0 : 0.0;
    events.push_back({p, share, 0.5 + stream.uniform()});
  }
  const double expected = area_of_pairs(events);
  EXPECT_NEAR(area_under_curve(events), expected, 1e-12);
  std::vector<Event> sure{{0.2, 1.0, 1.0}, {0.3, 1.0, 1.0}};
  EXPECT_TRUE(std::isnan(area_under_curve(sure)));
}

// Against the jackknife: areas without one event after another. Both leave out terms of order 1 /
// n.
TEST(AreaUnderCurve, HasTheErrorOfTheJackknife) {
  Stream stream(5, 0, Purpose::kTest, 1);
  std::vector<Event> events;
  for (int i = 0; i < 300; ++i) {
    const double p = std::round(20.0 * stream.uniform()) / 20.0;
    events.push_back({p, stream.uniform() < p ? 1.0 : 0.0, i % 3 == 0 ? 2.0 : 1.0});
  }
  const auto size = static_cast<double>(events.size());
  std::vector<double> without;
  for (std::size_t i = 0; i < events.size(); ++i) {
    std::vector<Event> others = events;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    without.push_back(area_of_pairs(others));
  }
  const double jackknife = std::sqrt(variance(without) * (size - 1.0) * (size - 1.0) / size);
  EXPECT_NEAR(error_of_area(events), jackknife, 0.01 * jackknife);
}

TEST(Calibration, BinsHaveWhatWasGivenWhatCameAndItsSpread) {
  std::vector<Event> events;
  for (int i = 0; i < 20; ++i) {
    events.push_back({i < 10 ? 0.2 : 0.7, i % 2 == 0 ? 1.0 : 0.0, i % 2 == 0 ? 3.0 : 1.0});
  }
  const std::vector<CalibrationBin> bins = calibration_bins(events);
  ASSERT_EQ(bins.size(), 2U);
  EXPECT_NEAR(bins[0].given, 0.2, 1e-12);
  EXPECT_NEAR(bins[0].share, 0.75, 1e-12);
  EXPECT_NEAR(bins[0].weight, 20.0, 1e-12);
  EXPECT_NEAR(bins[0].sd, std::sqrt(20.0 * 0.2 * 0.8) / 20.0, 1e-12);
  EXPECT_NEAR(bins[1].high, 0.7 + 1.6448536 * std::sqrt(20.0 * 0.7 * 0.3) / 20.0, 1e-7);
}

// Equal rows merged, one event an outcome, are not apart because of how they came out.
TEST(Calibration, KeepsEqualProbabilitiesTogether) {
  std::vector<Event> events;
  for (int i = 0; i < 67; ++i) {  // no twelfth of the weight ends between two probabilities
    const double p = 0.1 + 0.01 * i;
    events.push_back({p, 0.0, 100.0 * (1.0 - p)});
    events.push_back({p, 1.0, 100.0 * p});
  }
  const std::vector<CalibrationBin> bins = calibration_bins(events);
  EXPECT_EQ(bins.size(), 12U);
  for (const CalibrationBin& bin : bins) {
    EXPECT_NEAR(bin.share, bin.given, 1e-12);
    EXPECT_NEAR(bin.weight, 6700.0 / 12.0, 100.0);
  }
}

TEST_F(PredictiveChecks, ScoreTwoClassesDrawByDraw) {
  make("logistic", 120);
  respond([&](std::size_t n) { return response(n) > 0.5 ? 1.0 : -1.0; });
  for (std::size_t n = 0; n < table_.rows; ++n) {
    table_.weights.push_back(1.0 + static_cast<double>(n % 3));
  }
  std::vector<double> area, brier, log;
  double total = 0.0, ones = 0.0;
  for (std::size_t s = 0; s < kDraws; ++s) {
    std::vector<Event> events;
    brier.push_back(0.0);
    log.push_back(0.0);
    total = ones = 0.0;
    for (std::size_t n = 0; n < table_.rows; ++n) {
      const double y = table_.response.values[n] > 0.0 ? 1.0 : 0.0;
      const double p = 1.0 / (1.0 + std::exp(-eta(s, n)));
      events.push_back({p, y, weight(n)});
      brier.back() += weight(n) * (y - p) * (y - p);
      log.back() += weight(n) * std::log(y > 0.5 ? p : 1.0 - p);
      total += weight(n);
      ones += weight(n) * y;
    }
    area.push_back(area_of_pairs(events));
    brier.back() /= total;
    log.back() /= total;
  }
  const PredictiveCheck found = check();
  ASSERT_EQ(found.scores.size(), 3U);
  expect_score(found.scores[0], "AUC", area);
  expect_score(found.scores[1], "Brier score", brier);
  expect_score(found.scores[2], "log score", log);
  // Rows of their own mean: the error of a weighted mean by its definition.
  double squares = 0.0, of_all = 0.0;
  std::vector<double> of_row;
  for (std::size_t n = 0; n < table_.rows; ++n) {
    double p = 0.0;
    for (std::size_t s = 0; s < kDraws; ++s) {
      p += 1.0 / (1.0 + std::exp(-eta(s, n))) / static_cast<double>(kDraws);
    }
    const double y = table_.response.values[n] > 0.0 ? 1.0 : 0.0;
    of_row.push_back((y - p) * (y - p));
    of_all += weight(n) * of_row.back() / total;
  }
  for (std::size_t n = 0; n < table_.rows; ++n) {
    squares += std::pow(weight(n) * (of_row[n] - of_all), 2);
  }
  EXPECT_NEAR(error_in(found.scores[1], brier), std::sqrt(squares) / total, 1e-9);
  const double share = ones / total;
  EXPECT_NEAR(found.scores[1].without, share * (1.0 - share), 1e-12);
  EXPECT_NEAR(found.scores[2].without,
              share * std::log(share) + (1.0 - share) * std::log(1.0 - share), 1e-12);
  double given = 0.0, weights = 0.0;
  for (const CalibrationBin& bin : found.calibration) {
    given += bin.weight * bin.given;
    weights += bin.weight;
  }
  EXPECT_NEAR(weights, total, 1e-9);
  double expected = 0.0;
  for (std::size_t n = 0; n < table_.rows; ++n) {
    for (std::size_t s = 0; s < kDraws; ++s) {
      expected += weight(n) / (1.0 + std::exp(-eta(s, n))) / static_cast<double>(kDraws);
    }
  }
  EXPECT_NEAR(given, expected, 1e-8);
}

TEST_F(PredictiveChecks, ScoreSeveralClassesDrawByDraw) {
  make("softmax", 90, 3);
  respond([&](std::size_t n) { return response(n); });
  std::vector<double> brier, log;
  std::array<std::vector<double>, 3> areas;
  for (std::size_t s = 0; s < kDraws; ++s) {
    std::array<std::vector<Event>, 3> events;
    brier.push_back(0.0);
    log.push_back(0.0);
    for (std::size_t n = 0; n < table_.rows; ++n) {
      double sum = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        sum += std::exp(eta(s, n, k));
      }
      for (std::size_t k = 0; k < 3; ++k) {
        const double p = std::exp(eta(s, n, k)) / sum;
        const double y = table_.response.values[n] == static_cast<double>(k) ? 1.0 : 0.0;
        events[k].push_back({p, y, 1.0});
        brier.back() += (p - y) * (p - y) / 90.0;
        log.back() += y * std::log(p) / 90.0;
      }
    }
    for (std::size_t k = 0; k < 3; ++k) {
      areas[k].push_back(area_of_pairs(events[k]));
    }
  }
  const PredictiveCheck found = check();
  ASSERT_EQ(found.scores.size(), 5U);
  expect_score(found.scores[1], "AUC of 1", areas[1]);
  expect_score(found.scores[3], "Brier score", brier);
  expect_score(found.scores[4], "log score", log);
}

TEST_F(PredictiveChecks, ResidualsOfNumbersFromTheModelAreUniform) {
  spread_ = 0.0;
  make("normal", 20000);
  respond([&](std::size_t n) { return response(n); });
  const PredictiveCheck found = check();
  expect_uniform(found.residuals);
  EXPECT_TRUE(verdict_of(found).fits);
  EXPECT_TRUE(found.calibration.empty());
  EXPECT_TRUE(found.counts.empty());
}

TEST_F(PredictiveChecks, ResidualsOfCountsFromTheModelAreUniform) {
  spread_ = 0.0;
  make("poisson", 20000, 0);
  respond([&](std::size_t n) { return response(n); });
  const PredictiveCheck found = check();
  expect_uniform(found.residuals);
  double observed = 0.0, expected = 0.0;
  for (const CountBar& bar : found.counts) {
    observed += bar.observed;
    expected += bar.expected;
  }
  EXPECT_GT(observed, 0.98 * 20000.0);
  EXPECT_LE(expected, 20000.0);
  // By chance a count of 0 comes sqrt(n p q) more or less often; so does each draw of it.
  const double zeros = found.counts[0].expected;
  EXPECT_NEAR(found.counts[0].observed, zeros, 4.5 * std::sqrt(zeros));
  std::vector<double> log;
  for (std::size_t s = 0; s < kDraws; ++s) {
    double sum = 0.0;
    for (std::size_t n = 0; n < table_.rows; ++n) {
      const double y = table_.response.values[n];
      sum += y * eta(s, n) - std::exp(eta(s, n)) - std::lgamma(y + 1.0);
    }
    log.push_back(sum / 20000.0);
  }
  ASSERT_EQ(found.scores.size(), 1U);
  expect_score(found.scores[0], "log score", log);
}

TEST_F(PredictiveChecks, CountRowsWithTheirWeights) {
  make("poisson", 50, 0);
  respond([&](std::size_t n) { return response(n); });
  for (std::size_t n = 0; n < table_.rows; ++n) {
    table_.weights.push_back(1.0 + static_cast<double>(n % 4));
  }
  std::vector<double> log;
  double total = 0.0;
  for (std::size_t s = 0; s < kDraws; ++s) {
    double sum = 0.0;
    total = 0.0;
    for (std::size_t n = 0; n < table_.rows; ++n) {
      const double y = table_.response.values[n];
      sum += weight(n) * (y * eta(s, n) - std::exp(eta(s, n)) - std::lgamma(y + 1.0));
      total += weight(n);
    }
    log.push_back(sum / total);
  }
  const PredictiveCheck found = check();
  expect_score(found.scores[0], "log score", log);
  double observed = 0.0;
  for (const CountBar& bar : found.counts) {
    observed += bar.observed;
  }
  EXPECT_LE(observed, total);
  EXPECT_GT(observed, static_cast<double>(table_.rows));
}

TEST_F(PredictiveChecks, ResidualsOfCensoredTimesAreUniform) {
  spread_ = 0.0;
  make("exponential", 20000, 0);
  respond([&](std::size_t n) {
    const double time = response(n);
    const double end = 0.2 + 3.0 * stream_.uniform();
    return time > end ? -end : time;
  });
  expect_uniform(check().residuals);
}

TEST_F(PredictiveChecks, CallOutCountsThatVaryMoreThanTheModelSays) {
  make("poisson", 2000, 0);
  respond([&](std::size_t n) {
    const double size = 0.7;
    const double mean = std::exp(eta(n % kDraws, n)) * stream_.gamma(size) / size;
    return static_cast<double>(stream_.poisson(mean));
  });
  const Verdict verdict = verdict_of(check());
  EXPECT_FALSE(verdict.fits);
  EXPECT_NE(verdict.words.find("vary more than the model says"), std::string::npos)
      << verdict.words;
}

TEST_F(PredictiveChecks, CallOutProbabilitiesThatAreOff) {
  make("logistic", 2000);
  respond(
      [&](std::size_t n) { return stream_.uniform() < (n % 2 == 0 ? 0.05 : 0.1) ? 1.0 : -1.0; });
  const Verdict verdict = verdict_of(check());
  EXPECT_FALSE(verdict.fits);
  EXPECT_TRUE(verdict.words.starts_with("not calibrated: where the model gives ")) << verdict.words;
}

TEST(Residuals, SayMoreOrLessOnlyWhereBothIntervalsDo) {
  const auto words = [](double within_50, double within_95) {
    PredictiveCheck check;
    check.residuals = {std::vector<double>(20, 0.05), 0.1, 0.01, within_50, within_95};
    return verdict_of(check).words;
  };
  EXPECT_TRUE(words(0.4, 0.9).starts_with("the responses vary more"));
  EXPECT_TRUE(words(0.6, 0.99).starts_with("the responses vary less"));
  EXPECT_TRUE(words(0.4, 0.97).starts_with("the responses are not spread as the model says"));
  EXPECT_TRUE(words(0.6, 0.93).starts_with("the responses are not spread as the model says"));
}

TEST(Residuals, CountWithTheirWeights) {
  const std::vector<double> residuals{0.01, 0.5, 0.8};
  const std::vector<double> weights{1.0, 2.0, 1.0};
  const ResidualCheck found = summarise_residuals(residuals, weights);
  EXPECT_NEAR(found.bins[0], 0.25, 1e-12);
  EXPECT_NEAR(found.bins[10], 0.5, 1e-12);
  EXPECT_NEAR(found.within_50, 0.5, 1e-12);
  EXPECT_NEAR(found.within_95, 0.75, 1e-12);
  EXPECT_NEAR(found.distance, 0.25, 1e-12);  // just below 0.5 a quarter lies, just above three
  EXPECT_NEAR(found.by_chance, 1.9495 * std::sqrt(0.375), 1e-12);
}

}  // namespace
}  // namespace flymc
