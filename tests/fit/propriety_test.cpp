// Flat priors with weights: rows of little weight have tails too heavy to hold theta by themselves.
#include "fit/propriety.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "fit/heavy_tails.hpp"
#include "fit/prepare.hpp"
#include "flymc/error.hpp"

namespace flymc::testing {
namespace {

struct WeightedRow {
  double first;
  double second;
  double weight;
};

Table table_of(const std::vector<WeightedRow>& rows) {
  Table table;
  table.rows = rows.size();
  table.columns = {"a", "b"};
  table.response.name = "y";
  for (const WeightedRow& row : rows) {
    table.x.insert(table.x.end(), {row.first, row.second});
    table.weights.push_back(row.weight);
    table.response.values.push_back(row.first - row.second +
                                    0.1 * static_cast<double>(table.weights.size() % 3));
  }
  return table;
}

bool integrable(const std::vector<WeightedRow>& rows, double exponent) {
  return tails_are_integrable(
      Dataset(table_of(rows), {.intercept = false, .center = {}, .scale = {}}), exponent);
}

// The integral of f over b .. b + reach (or b - |reach|), in steps that are equal near b and grow
// with the distance from it.
template <class F>
double integral_from(double b, double reach, F&& f) {
  constexpr int kSteps = 400;
  const double h = std::asinh(std::abs(reach)) / kSteps;
  double sum = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double t = (i + 0.5) * h;
    sum += h * std::cosh(t) * f(b + std::copysign(std::sinh(t), reach));
  }
  return sum;
}

// The integral of [(1 + |p|) (1 + |q|) (1 + |p + q|)]^-a over |p|, |q| <= r: it has ridges along
// p = 0, q = 0 and p = -q.
double mass_within(double a, double r) {
  return 2.0 * integral_from(0.0, r, [&](double p) {
           const auto density = [&](double q) {
             return std::pow((1.0 + p) * (1.0 + std::abs(q)) * (1.0 + std::abs(p + q)), -a);
           };
           return integral_from(0.0, r, density) + integral_from(0.0, -0.5 * p, density) +
                  integral_from(-p, 0.5 * p, density) + integral_from(-p, p - r, density);
         });
}

TEST(HeavyTails, ManyLightRowsHoldWhatFewDoNot) {
  // Every two of these are independent: a_n = 0.8 add up to 2.4 > 2, and without one to 1.6 > 1.
  EXPECT_TRUE(integrable({{1, 0, 0.8}, {0, 1, 0.8}, {1, 1, 0.8}}, 1.0));
  EXPECT_FALSE(integrable({{1, 0, 0.6}, {0, 1, 0.6}, {1, 1, 0.6}}, 1.0));  // 1.8 < 2
  EXPECT_TRUE(integrable({{1, 0, 0.6}, {0, 1, 0.6}, {1, 1, 0.6}}, 1.5));
  EXPECT_TRUE(integrable({{1, 0, 1.1}, {0, 1, 1.1}}, 1.0));
  EXPECT_FALSE(integrable({{1, 0, 5.0}, {2, 0, 5.0}, {0, 1, 0.9}}, 1.0));  // the second column
  EXPECT_TRUE(integrable({{1, 0, 5.0}, {2, 0, 5.0}, {0, 1, 0.9}, {1, 1, 0.9}}, 1.0));
  EXPECT_TRUE(integrable({{1e9, 0, 0.8}, {0, 1e-9, 0.8}, {1e9, 1e-9, 0.8}}, 1.0));  // no unit
}

TEST(HeavyTails, TheCriterionIsThatOfTheIntegral) {
  const std::vector<WeightedRow> rows{{1, 0, 1.0}, {0, 1, 1.0}, {1, 1, 1.0}};
  // What comes on from a square to one of a thousand times its side: with a tail of R^-(3 a - 1)
  // it falls by 1000^-(3 a - 2) each time, or does not fall.
  const auto growth = [&](double a) {
    const double far = mass_within(a, 1e6);
    return (mass_within(a, 1e9) - far) / (far - mass_within(a, 1e3));
  };
  EXPECT_LT(growth(0.9), 0.5);
  EXPECT_GT(growth(0.6), 1.5);
  EXPECT_TRUE(integrable(rows, 0.9));
  EXPECT_FALSE(integrable(rows, 0.6));
}

FitSettings flat(double nu) {
  FitSettings settings;
  settings.family = "student-t";
  settings.own = {{"nu", nu}, {"scale", 1.0}};
  settings.prior = {.automatic = false, .kind = PriorKind::kFlat, .scale = 1.0};
  settings.threads = 1;
  return settings;
}

Table five_rows(double weight) {
  return table_of({{1, 0, weight}, {0, 1, weight}, {1, 1, weight}, {2, 1, weight}, {1, 3, weight}});
}

TEST(Propriety, StudentTWithAFlatPriorNeedsRowsOfEnoughWeight) {
  EXPECT_NO_THROW(std::ignore = prepare(five_rows(1.0), flat(4.0)));
  EXPECT_NO_THROW(std::ignore = prepare(five_rows(0.15), flat(4.0)));  // 5 x 0.75 > 3
  try {
    std::ignore = prepare(five_rows(0.1), flat(4.0));  // 5 x 0.5 < 3
    FAIL() << "no proper posterior";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_NE(std::string(error.what()).find("weights"), std::string::npos) << error.what();
  }
}

TEST(Propriety, AFlatInterceptAloneNeedsOneRowOfWeightInAll) {
  FitSettings settings = flat(4.0);
  settings.prior = {.automatic = false, .kind = PriorKind::kNormal, .scale = 1.0};
  settings.prior_intercept = PriorSpec{false, PriorKind::kFlat, 1.0};
  EXPECT_NO_THROW(std::ignore = prepare(five_rows(0.05), settings));      // 5 x 0.25 > 1
  EXPECT_THROW(std::ignore = prepare(five_rows(0.03), settings), Error);  // 5 x 0.15 < 1
}

}  // namespace
}  // namespace flymc::testing
