// bs() of formulas: knots on any number of ranks, sums of the splines, what R's predict says
// outside of the knots. (Columns inside of them against model.matrix: formula_r_test.cpp.)
#include "data/table/b_splines.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "data/load_support.hpp"
#include "support/r_here.hpp"
#include "support/thread_ranks.hpp"

namespace flymc {
namespace {

using testing::on_ranks;
using testing::TempDir;

std::vector<double> knots_of(std::size_t df, std::vector<double> values) {
  return find_knots(df, single_process(), values);
}

std::vector<double> splines_at(const std::vector<double>& knots, double value) {
  std::vector<double> b(knots.size() + 1);
  set_b_splines(knots, value, b.data());
  return b;
}

const std::vector<double> kValues = {1, 2, 4, 7, 11, 16};
// Many at both ends, where inner knots fall on outer ones.
const std::vector<double> kTied = {0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 9, 9, 9, 9};

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], 1e-13 * (1.0 + std::abs(expected[i]))) << i;
  }
}

TEST(BSplines, KnotsAreTheRangeAndTheQuantilesBetween) {
  EXPECT_EQ(knots_of(3, kValues), (std::vector<double>{1, 16}));
  EXPECT_EQ(knots_of(4, kValues), (std::vector<double>{1, 5.5, 16}));
  expect_near(knots_of(7, kTied), {0, 0, 1.2, 3.8, 9, 9});
}

TEST(BSplines, KnotsDoNotDependOnRanks) {
  std::vector<double> values(1000);
  for (std::size_t n = 0; n < values.size(); ++n) {
    values[n] = static_cast<double>((n * 7919) % 1009) / 7.0 - 50.0;
  }
  const std::vector<double> expected = knots_of(9, values);
  for (const int size : {2, 3}) {
    on_ranks(size, [&](Ranks& ranks) {
      std::vector<double> mine;  // the first rank has more than the others
      for (std::size_t n = 0; n < values.size(); ++n) {
        const int owner = static_cast<int>(n % 5) < ranks.size() ? static_cast<int>(n % 5) : 0;
        if (owner == ranks.rank()) {
          mine.push_back(values[n]);
        }
      }
      EXPECT_EQ(find_knots(9, ranks, mine), expected);
    });
  }
}

// With the one that is left out they add up to one; none is negative between the ends.
TEST(BSplines, AddUpToOne) {
  for (const std::vector<double>& values : {kValues, kTied}) {
    for (const std::size_t df : {3U, 4U, 7U, 12U}) {
      const std::vector<double> knots = knots_of(df, values);
      for (double x = knots.front(); x <= knots.back(); x += 0.01) {
        const std::vector<double> b = splines_at(knots, x);
        const double sum = std::accumulate(b.begin(), b.end(), 0.0);
        const double end = knots[1];  // of the first spline, (1 - x)^3
        const double left_out = x < end ? std::pow((end - x) / (end - knots[0]), 3.0) : 0.0;
        EXPECT_NEAR(sum + left_out, 1.0, 1e-13) << "df " << df << ", x " << x;
        EXPECT_GE(*std::min_element(b.begin(), b.end()), 0.0) << "df " << df << ", x " << x;
      }
    }
  }
}

TEST(BSplines, OutsideTheyAreTheNumbersOfR) {
  const std::vector<double> knots = knots_of(4, kValues);
  expect_near(splines_at(knots, -1.0),
              {-2.2257338820301781901, 0.2199176954732509903, -0.0079012345679012348, 0.0});
  expect_near(splines_at(knots, 20.0), {-0.0270899470899470911, 0.3976417233560091691,
                                        -2.0040686750890830403, 2.6335168988230215348});
}

TEST(BSplines, OutsideOfKnotsThatCoincideTheyAreContinuous) {
  const std::vector<double> knots = knots_of(7, kTied);
  expect_near(splines_at(knots, -1e-15), splines_at(knots, 0.0));
  expect_near(splines_at(knots, 9.0 + 2e-15), splines_at(knots, 9.0));
  expect_near(splines_at(knots, 9.0), {0, 0, 0, 0, 0, 1, 0});
}

TEST(BSplinesInR, PredictAsItsBasisDoes) {
  if (!testing::has_r_package("splines")) {
    GTEST_SKIP() << "no Rscript here";
  }
  const TempDir dir;
  const std::string script = dir.write("show.R",
                                       "x <- c(1, 2, 4, 7, 11, 16)\n"
                                       "for (df in c(3, 4, 6)) for (at in seq(-9, 30, by = 1.5))\n"
                                       "  cat(format(suppressWarnings(predict(splines::bs(x, df), "
                                       "at)), digits = 17), '\\n')\n");
  std::istringstream in_r(testing::output_of_r(script));
  for (const std::size_t df : {3U, 4U, 6U}) {
    const std::vector<double> knots = knots_of(df, kValues);
    for (int i = 0; i <= 26; ++i) {
      for (const double b : splines_at(knots, -9.0 + 1.5 * i)) {
        double expected = 0.0;
        ASSERT_TRUE(in_r >> expected);
        EXPECT_NEAR(b, expected, 1e-10 * (1.0 + std::abs(expected))) << df << ", " << i;
      }
    }
  }
}

}  // namespace
}  // namespace flymc
