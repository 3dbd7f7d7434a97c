// The weighted z-update at a fixed theta, on a target of coins whose laws are given.
#include "kernel/weighted_z.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "flymc/detail/posterior/rates.hpp"
#include "support/unit_statistics.hpp"

namespace flymc {
namespace {

// Coin n has log(L/B - 1) = log_odds[n] wherever theta is, so P(bright) = sigmoid(log_odds[n]).
class Coins final : public Brightable {
 public:
  Coins(std::vector<double> log_odds, Buffer<float> rates, double scale)
      : log_odds_(std::move(log_odds)), rates_(std::move(rates), 1), scale_(scale) {}

  [[nodiscard]] std::size_t rows() const noexcept override { return log_odds_.size(); }
  [[nodiscard]] std::size_t bright_count() const noexcept override { return bright_.size(); }
  [[nodiscard]] Datum bright_at(std::size_t slot) const noexcept override { return bright_[slot]; }
  [[nodiscard]] bool is_bright(Datum n) const noexcept override {
    return slot_of(n) < bright_.size();
  }
  [[nodiscard]] std::size_t slot_of(Datum n) const noexcept override {
    return static_cast<std::size_t>(std::find(bright_.begin(), bright_.end(), n) - bright_.begin());
  }
  void draw_hits(double scale, Stream& stream, Buffer<Datum>& hits) override {
    hits.clear();
    for (std::uint64_t left = stream.poisson(scale * rates_.total()); left > 0; --left) {
      hits.push_back(rates_.draw(stream));
    }
  }
  [[nodiscard]] double bright_rate(std::size_t slot) const noexcept override {
    return rates_.rate(bright_[slot]);
  }
  [[nodiscard]] double queried_rate(std::size_t i) const noexcept override {
    return rates_.rate(queried[i]);
  }
  [[nodiscard]] const Rates& rates() const noexcept { return rates_; }
  [[nodiscard]] double rate_scale(const Point& current) override {
    return scale_ + current.zeta.squaredNorm();
  }
  [[nodiscard]] std::span<const double> query(const Point&, std::span<const Datum> data) override {
    queried.assign(data.begin(), data.end());
    queries += data.size();
    answers_.clear();
    for (const Datum n : data) {
      EXPECT_FALSE(is_bright(n));
      answers_.push_back(log_odds_[n]);
    }
    return answers_;
  }
  void brighten(Point& current, std::size_t i) override {
    EXPECT_FALSE(is_bright(queried[i]));
    bright_.push_back(queried[i]);
    current.log_factors.push_back(answers_[i]);
  }
  void darken(Point& current, std::size_t slot) override {
    darkened.push_back(bright_[slot]);
    bright_[slot] = bright_.back();
    bright_.pop_back();
    current.log_factors[slot] = current.log_factors.back();
    current.log_factors.pop_back();
  }
  void restore(std::span<const Datum>) override {}
  void refresh(Point&, Order) override {}

  [[nodiscard]] double log_odds(Datum n) const { return log_odds_[n]; }

  std::vector<Datum> queried;
  std::vector<Datum> darkened;
  std::size_t queries = 0;

 private:
  std::vector<double> log_odds_;
  Rates rates_;
  double scale_;
  std::vector<Datum> bright_;
  std::vector<double> answers_;
};

// Coins with P(bright) from 0.03 to 0.73, their rates `factor` times log(1 + Lt), where q_n would
// be P(bright).
Coins make_coins(double factor, double scale) {
  std::vector<double> log_odds;
  Buffer<float> rates;
  for (int n = 0; n < 12; ++n) {
    log_odds.push_back(-3.5 + n * 4.5 / 11.0);
    rates.push_back(static_cast<float>(factor * std::log1p(std::exp(log_odds.back()))));
  }
  return {log_odds, rates, scale};
}

struct Chain {
  Chain(double factor, double scale, double zeta = 0.0) : coins(make_coins(factor, scale)) {
    current.zeta[0] = zeta;
  }

  ZInfo sweep(std::uint64_t iteration) {
    coins.queried.clear();
    coins.darkened.clear();
    Stream stream(77, 0, Purpose::kZUpdate, iteration);
    return kernel.step(coins, current, {}, iteration, stream);
  }

  [[nodiscard]] double proposal_probability(Datum n) {
    return -std::expm1(-coins.rate_scale(current) * coins.rates().rate(n));
  }

  Coins coins;
  Point current{1};
  WeightedZ kernel;
};

// A coin is a chain of two states with a = P(dark -> bright) = min(q, Lt), b = P(bright -> dark) =
// min(1, q/Lt): its share of bright sweeps has variance p (1 - p) (2 - a - b) / ((a + b) sweeps).
void expect_exact_coins(Chain chain) {
  constexpr std::uint64_t kSweeps = 40'000;
  std::vector<double> bright(chain.coins.rows(), 0.0);
  for (std::uint64_t iteration = 0; iteration < kSweeps; ++iteration) {
    chain.sweep(iteration);
    for (std::size_t slot = 0; slot < chain.coins.bright_count(); ++slot) {
      bright[chain.coins.bright_at(slot)] += 1.0 / kSweeps;
    }
  }
  for (Datum n = 0; n < chain.coins.rows(); ++n) {
    const double odds = std::exp(chain.coins.log_odds(n));
    const double p = odds / (1.0 + odds);  // 1 - B/L
    const double q = chain.proposal_probability(n);
    const double moves = std::min(q, odds) + std::min(1.0, q / odds);
    const double error = std::sqrt(p * (1.0 - p) * (2.0 - moves) / (moves * kSweeps));
    const double start = 1.0 / (moves * kSweeps);  // all are dark at first
    EXPECT_NEAR(bright[n], p, unit::kTwoSided * error + start) << n;
  }
}

TEST(WeightedZ, KeepsTheLawOfEveryCoinWhateverItsRate) {
  for (const double factor : {0.01, 0.1, 0.5, 1.0, 1.5, 10.0, 100.0}) {
    SCOPED_TRACE(factor);
    expect_exact_coins({factor, 1.0});
  }
}

TEST(WeightedZ, KeepsTheLawOfEveryCoinWhateverTheScaleAtThisTheta) {
  expect_exact_coins({0.5, 1.0, 2.0});
  expect_exact_coins({0.1, 20.0});
}

TEST(WeightedZ, VisitsEachDatumAtMostOnceInASweep) {
  Chain chain(2.0, 1.0);
  std::size_t darkened = 0;
  for (std::uint64_t iteration = 0; iteration < 5'000; ++iteration) {
    chain.sweep(iteration);
    std::set<Datum> seen(chain.coins.darkened.begin(), chain.coins.darkened.end());
    darkened += seen.size();
    for (const Datum n : chain.coins.queried) {
      ASSERT_TRUE(seen.insert(n).second) << "datum " << n << " visited twice";
    }
  }
  EXPECT_GT(darkened, 5'000U);  // else the claim was never put to the test
}

// Queries of a sweep from the dark: one Bernoulli(q_n) a datum.
TEST(WeightedZ, QueriesEachDarkDatumWithItsOwnProbability) {
  constexpr std::uint64_t kSweeps = 20'000;
  std::vector<double> counts(12, 0.0);
  Chain chain(1.0, 3.0);
  for (std::uint64_t iteration = 0; iteration < kSweeps; ++iteration) {
    Chain dark(1.0, 3.0);
    dark.sweep(iteration);
    EXPECT_EQ(dark.coins.queries, dark.coins.queried.size());
    for (const Datum n : dark.coins.queried) {
      counts[n] += 1.0 / kSweeps;
    }
  }
  for (Datum n = 0; n < 12; ++n) {
    const double q = chain.proposal_probability(n);
    EXPECT_NEAR(counts[n], q, unit::kTwoSided * std::sqrt(q * (1.0 - q) / kSweeps)) << n;
  }
}

TEST(WeightedZ, ReportsWhatItChanged) {
  Chain chain(1.5, 1.0);
  for (std::uint64_t iteration = 0; iteration < 500; ++iteration) {
    const std::size_t before = chain.coins.bright_count();
    const ZInfo info = chain.sweep(iteration);
    ASSERT_EQ(info.darkened, chain.coins.darkened.size());
    ASSERT_EQ(before - info.darkened + info.brightened, chain.coins.bright_count());
  }
  EXPECT_TRUE(chain.kernel.starts_dark());
}

TEST(WeightedZ, LeavesDataOfRateZeroAlone) {
  Coins coins({3.0, 3.0, 3.0}, Buffer<float>{0.0F, 1.0F, 0.0F}, 1.0);
  Point current{1};
  WeightedZ kernel;
  for (std::uint64_t iteration = 0; iteration < 1'000; ++iteration) {
    Stream stream(78, 0, Purpose::kZUpdate, iteration);
    kernel.step(coins, current, {}, iteration, stream);
    ASSERT_FALSE(coins.is_bright(0) || coins.is_bright(2));
  }
}

}  // namespace
}  // namespace flymc
