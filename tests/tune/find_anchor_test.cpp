#include "flymc/tune/find_anchor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "support/unit_problem.hpp"

namespace flymc {
namespace {

using unit::Problem;

constexpr unit::Shape kTall{.rows = 100'000, .columns = 4};

template <class M>
Anchor full_newton(const M& model, const Prior& prior, const Dataset& data) {
  return newton(prior, likelihood_pass(model, data, 1), prior.location(),
                {.tolerance = 1e-6, .log_concave = M::kLogConcave})
      .anchor;
}

double distance(const Anchor& anchor, const Anchor& mode) {
  const Vector error = anchor.theta - mode.theta;
  return std::sqrt(error.dot(mode.precision * error));
}

template <class Case>
class FindAnchorOf : public ::testing::Test {};
using FindAnchorCases = ::testing::Types<unit::LogisticCase, unit::StudentTCase, unit::PoissonCase>;
TYPED_TEST_SUITE(FindAnchorOf, FindAnchorCases);

// What one step leaves of the sample's error is about a deviation for logistic rows of unlike
// weights, up to four for skewed or heavy-tailed likelihoods. There set_up, which sees how far the
// mode is, takes another step.
TYPED_TEST(FindAnchorOf, ASampleAndOnePassEndNearTheMode) {
  constexpr bool kMild = std::is_same_v<typename TypeParam::Model, Logistic>;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    const Problem<TypeParam> problem(kTall, BoundKind::kLocal, seed);
    const Anchor mode = full_newton(problem.model, problem.prior, problem.data);
    const Anchor anchor =
        find_anchor(problem.model, problem.prior, problem.data, {.threads = 1, .seed = seed});
    EXPECT_TRUE(anchor.sampled);
    EXPECT_EQ(anchor.passes, 1);
    EXPECT_LT(distance(anchor, mode), kMild ? 1.5 : 4.0);
    const auto sample = anchor_sample(kTall.rows, problem.size(), seed).size();
    EXPECT_GT(anchor.queries, kTall.rows);  // one pass, the rest on the sample
    EXPECT_LT(anchor.queries, kTall.rows + 30 * sample);
    EXPECT_LT((anchor.precision - mode.precision).norm(), 0.2 * mode.precision.norm());
    const Anchor next =
        chord_step(problem.prior, likelihood_pass(problem.model, problem.data, 1), anchor);
    const double left = distance(anchor, mode);
    EXPECT_LT(distance(next, mode), 0.3 * left);  // linear, not quadratic: the chord method
    EXPECT_NEAR(next.decrement, left, 0.3 * left);
  }
}

// One row in a thousand has the only information about the last column: a sample misses most.
TEST(FindAnchor, TakesAllRowsWhereTheSampleHasNoMode) {
  Problem<unit::LogisticCase> problem(
      {.rows = 20'000, .columns = 4, .standardise = false, .weights = false}, BoundKind::kLocal);
  const auto sample = anchor_sample(problem.shape.rows, problem.size(), 1);
  ASSERT_FALSE(sample.empty());
  for (std::size_t n = 0; n < problem.shape.rows; ++n) {
    problem.table.x[4 * n + 3] = 0.0;
  }
  for (std::size_t n = 0, set = 0; set < 40; ++n) {
    if (!std::binary_search(sample.begin(), sample.end(), n)) {
      problem.table.x[4 * n + 3] = ++set % 3 == 0 ? 1.0 : 0.5;
    }
  }
  problem.data = Dataset(problem.table, problem.options);
  const Prior flat(std::vector<PriorTerm>(5, {PriorKind::kFlat}));
  const Anchor anchor = find_anchor(problem.model, flat, problem.data, {.threads = 1});
  EXPECT_FALSE(anchor.sampled);
  EXPECT_GT(anchor.passes, 1);
  EXPECT_EQ(anchor.queries, static_cast<std::uint64_t>(anchor.passes) * problem.shape.rows);
  EXPECT_LT(distance(anchor, full_newton(problem.model, flat, problem.data)), 0.01);
}

TEST(FindAnchor, IsTheSameForAnyNumberOfThreads) {
  const Problem<unit::LogisticCase> problem(kTall, BoundKind::kLocal);
  const Anchor one = find_anchor(problem.model, problem.prior, problem.data, {.threads = 1});
  const Anchor three = find_anchor(problem.model, problem.prior, problem.data, {.threads = 3});
  EXPECT_EQ(one.theta, three.theta);
  EXPECT_EQ(one.precision, three.precision);
}

TEST(AnchorSample, HasDRootNRowsOrThriceThatWhereTheyAreFew) {
  for (const std::size_t rows : {1000U, 20'000U, 1'000'000U, 100'000'000U}) {
    for (const Index d : {1, 5, 9, 50}) {
      const auto sample = anchor_sample(rows, d, 7);
      const auto size = static_cast<double>(sample.size());
      const double natural = static_cast<double>(d) * std::sqrt(static_cast<double>(rows));
      const double all = static_cast<double>(rows);
      if (is_tall(rows, d)) {
        ASSERT_GE(all, std::max(1e5, 256.0 * static_cast<double>(d * d)));
        ASSERT_GE(size + 1.0, std::min(all / 8.0, 3.0 * natural));
        ASSERT_LE(size, std::min(all / 8.0, 6.0 * natural));
      } else if (!sample.empty()) {
        ASSERT_EQ(size, std::floor(std::max(50.0 * static_cast<double>(d), natural)));
        ASSERT_LE(2.0 * size, all);
      }
      for (std::size_t i = 0; i < sample.size(); ++i) {
        ASSERT_TRUE(sample[i] < rows && (i == 0 || sample[i] > sample[i - 1]));
      }
    }
  }
  EXPECT_NE(anchor_sample(20'000, 5, 1), anchor_sample(20'000, 5, 2));
  EXPECT_TRUE(anchor_sample(399, 4, 1).empty());
  EXPECT_TRUE(anchor_sample(0, 4, 1).empty());
}

}  // namespace
}  // namespace flymc
