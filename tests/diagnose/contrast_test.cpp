// Linear expressions of coefficients: what they say, and where a mistake is.
#include "diagnose/contrast.hpp"

#include <gtest/gtest.h>

#include "flymc/error.hpp"

namespace flymc {
namespace {

using Weights = std::vector<std::pair<std::size_t, double>>;

const std::vector<ParameterName>& names() {
  static const std::vector<ParameterName> kNames = {
      {"alpha", "(intercept)"}, {"beta.1", "city=Rome"},     {"beta.2", "city=New York - East"},
      {"beta.3", "age"},        {"beta.4", "age:city=Rome"}, {"beta.5", "2nd class"}};
  return kNames;
}

Contrast parsed(const std::string& text) {
  return parse_contrast(text, names(), {{"city=Oslo", {}}, {"a vs b: age", {{3, 1.0}, {1, -1.0}}}});
}

std::string mistake(const std::string& text) {
  try {
    (void)parsed(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "parsed without an error";
}

TEST(Contrast, IsALinearExpressionOfLabelsAndColumns) {
  EXPECT_EQ(parsed("city=Rome - age").weights, (Weights{{1, 1.0}, {3, -1.0}}));
  EXPECT_EQ(parsed("-beta.1+beta.3").weights, (Weights{{1, -1.0}, {3, 1.0}}));
  EXPECT_EQ(parsed("2*age + 0.5 age:city=Rome").weights, (Weights{{3, 2.0}, {4, 0.5}}));
  EXPECT_EQ(parsed("age * 10 - age/4").weights, (Weights{{3, 10.0}, {3, -0.25}}));
  EXPECT_EQ(parsed("(intercept) + 1e1 * age").weights, (Weights{{0, 1.0}, {3, 10.0}}));
}

TEST(Contrast, NamesMayHoldAnythingAndTheLongestFits) {
  EXPECT_EQ(parsed("city=New York - East - city=Rome").weights, (Weights{{2, 1.0}, {1, -1.0}}));
  EXPECT_EQ(parsed("2nd class - 2*2nd class").weights, (Weights{{5, 1.0}, {5, -2.0}}));
  EXPECT_EQ(parsed("`city=New York - East` - `age`").weights, (Weights{{2, 1.0}, {3, -1.0}}));
}

TEST(Contrast, BracketsHoldExpressions) {
  EXPECT_EQ(parsed("(city=Rome + age)/2 - beta.4").weights,
            (Weights{{1, 0.5}, {3, 0.5}, {4, -1.0}}));
  EXPECT_EQ(parsed("-2*(age - (city=Rome - (intercept)))*3").weights,
            (Weights{{3, -6.0}, {1, 6.0}, {0, -6.0}}));
  EXPECT_EQ(parsed("((age))").weights, (Weights{{3, 1.0}}));
}

TEST(Contrast, ALevelThatOthersAreComparedWithIsNothing) {
  EXPECT_EQ(parsed("city=Rome - city=Oslo").weights, (Weights{{1, 1.0}}));
  EXPECT_TRUE(parsed("city=Oslo").weights.empty());
}

TEST(Contrast, ANameMayStandForADifference) {
  EXPECT_EQ(parsed("a vs b: age").weights, (Weights{{3, 1.0}, {1, -1.0}}));
  EXPECT_EQ(parsed("age - 2*a vs b: age").weights, (Weights{{3, 1.0}, {3, -2.0}, {1, 2.0}}));
}

TEST(Contrast, MistakesShowThePlace) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "a coefficient is missing; at character 1 (the end)."},
      {"age -", "a coefficient is missing; at character 6 (the end)."},
      {"age age", "expected + or -; at character 5 ('age')."},
      {"city=Rom - age", "no coefficient 'city=Rom' (character 1); did you mean 'city=Rome'?"},
      {"ages", "no coefficient 'ages' (character 1); did you mean 'age'?"},
      {"city",
       "no coefficient 'city' (character 1); coefficients are city=Oslo, city=Rome, "
       "age:city=Rome, city=New York - East, age, "},
      {"5", "a coefficient is missing"},
      {"age*", "expected a number"},
      {"age/0", "expected a number"},
      {"(age", "expected + or - or ); at character 5 (the end)."},
      {"age)", "expected + or -; at character 4 (')')."},
      {"(ages)/2", "no coefficient 'ages' (character 2); did you mean 'age'?"},
      {"()", "no coefficient"},
      {"`age", "no coefficient '`age'"}};
  for (const auto& [text, message] : cases) {
    EXPECT_NE(mistake(text).find(message), std::string::npos) << text << "\n" << mistake(text);
  }
  EXPECT_NE(mistake(std::string(100, '(')).find("too many brackets"), std::string::npos);
}

}  // namespace
}  // namespace flymc
