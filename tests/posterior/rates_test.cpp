#include "flymc/detail/posterior/rates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "support/unit_statistics.hpp"

namespace flymc {
namespace {

Buffer<float> make_rates(std::size_t rows, const std::function<double(std::size_t)>& rate) {
  Buffer<float> rates(rows);
  for (std::size_t n = 0; n < rows; ++n) {
    rates[n] = static_cast<float>(rate(n));
  }
  return rates;
}

// Rates over twelve orders of magnitude, of which blocks differ too.
Buffer<float> spread_rates(std::size_t rows) {
  Stream stream(1, 0, Purpose::kTest, 0);
  return make_rates(rows, [&](std::size_t n) {
    return std::exp(std::log(1e10) * stream.uniform()) * 1e-10 * (n / 4096 % 3 == 0 ? 1e-2 : 1.0);
  });
}

// Every stride-th row and both ends: a probability costs O(block).
void expect_exact_probabilities(const Buffer<float>& values, std::size_t stride = 1) {
  const Rates rates(values, 2);
  ASSERT_EQ(rates.rows(), values.size());
  long double total = 0.0L;
  for (const float value : values) {
    total += value;
  }
  EXPECT_NEAR(rates.total(), static_cast<double>(total), 1e-15 * static_cast<double>(total));
  for (std::size_t n = 0; n < values.size();
       n = n + 1 == values.size() ? n + 1 : std::min(n + stride, values.size() - 1)) {
    const auto expected = static_cast<double>(values[n] / total);
    ASSERT_NEAR(rates.probability(static_cast<Datum>(n)), expected, 1e-12 * expected) << n;
    ASSERT_EQ(rates.rate(static_cast<Datum>(n)), static_cast<double>(values[n]));
  }
}

TEST(Rates, InduceTheirShareOfTheTotalOverTwelveOrdersOfMagnitude) {
  expect_exact_probabilities(spread_rates(4096));
  expect_exact_probabilities(spread_rates(3 * 4096 + 17), 7);
  expect_exact_probabilities(spread_rates(1'000'003), 9973);
}

TEST(Rates, AreExactForOneRowEqualRowsAndNearlyEqualRows) {
  expect_exact_probabilities(make_rates(1, [](std::size_t) { return 1e-10; }));
  expect_exact_probabilities(make_rates(9000, [](std::size_t) { return 0.3; }));
  expect_exact_probabilities(
      make_rates(9000, [](std::size_t n) { return 0.3 + 1e-4 * std::sin(double(n)); }));
}

TEST(Rates, AreExactBesideAGiantAndAWholeRangeOfGiants) {
  expect_exact_probabilities(
      make_rates(9000, [](std::size_t n) { return n == 77 ? 1.0 : 1e-10 * double(n % 5 + 1); }));
  expect_exact_probabilities(make_rates(
      4096, [](std::size_t n) { return n % 64 == 0 ? double(n) : 0.9 + 0.2 * double(n % 2); }));
}

TEST(Rates, NeverDrawARateOfZero) {
  const auto one = make_rates(20'000, [](std::size_t n) { return n == 12'345 ? 1e-8 : 0.0; });
  const Rates alone(one, 1);
  expect_exact_probabilities(one, 3);
  const Rates alternating(make_rates(9'001, [](std::size_t n) { return double(n % 2); }), 1);
  Stream stream(2, 0, Purpose::kTest, 0);
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_EQ(alone.draw(stream), 12'345U);
    ASSERT_EQ(alternating.draw(stream) % 2, 1U);
  }
}

TEST(Rates, HaveTotalZeroWhereThereIsNothingToDraw) {
  EXPECT_EQ(Rates().total(), 0.0);
  EXPECT_EQ(Rates().rows(), 0U);
  EXPECT_EQ(Rates(Buffer<float>{}, 1).total(), 0.0);
  const Rates zeros(make_rates(5'000, [](std::size_t) { return 0.0; }), 2);
  EXPECT_EQ(zeros.total(), 0.0);
  EXPECT_EQ(zeros.rows(), 5'000U);
}

TEST(Rates, AreDrawnWithTheirProbabilities) {
  constexpr std::size_t kDraws = 400'000;
  constexpr std::size_t kRows = 4096 + 200;  // two blocks, one ragged
  const Rates rates(make_rates(kRows, [](std::size_t n) { return 1.0 + double(n % 4); }), 1);
  Stream stream(3, 0, Purpose::kTest, 0);
  std::vector<double> counts(kRows, 0.0);
  std::vector<double> expected(kRows);
  for (std::size_t i = 0; i < kDraws; ++i) {
    counts[rates.draw(stream)] += 1.0;
  }
  for (std::size_t n = 0; n < kRows; ++n) {
    expected[n] = double(kDraws) * rates.rate(static_cast<Datum>(n)) / rates.total();
  }
  EXPECT_LT(unit::chi_square(counts, expected), unit::chi_square_limit(double(kRows - 1)));
}

// Rates a millionth of a neighbour's, which together are drawn 0.4 % of the time.
TEST(Rates, DrawTinyRatesBesideAGiant) {
  constexpr int kDraws = 4'000'000;
  const Rates rates(make_rates(4096, [](std::size_t n) { return n == 9 ? 1.0 : 1e-6; }), 1);
  Stream stream(4, 0, Purpose::kTest, 0);
  double tiny = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    tiny += rates.draw(stream) == 9 ? 0.0 : 1.0;
  }
  const double expected = kDraws * 4095e-6 / rates.total();
  EXPECT_NEAR(tiny, expected, unit::kTwoSided * std::sqrt(expected));
}

TEST(Rates, AreTheSameForAnyNumberOfThreads) {
  const Rates one(spread_rates(100'000), 1);
  const Rates four(spread_rates(100'000), 4);
  Stream stream_one(5, 0, Purpose::kTest, 0);
  Stream stream_four(5, 0, Purpose::kTest, 0);
  EXPECT_EQ(one.total(), four.total());
  for (int i = 0; i < 100'000; ++i) {
    ASSERT_EQ(one.draw(stream_one), four.draw(stream_four));
  }
}

}  // namespace
}  // namespace flymc
