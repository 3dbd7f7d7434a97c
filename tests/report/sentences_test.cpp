// What a report says in sentences, from the numbers of a summary.
#include "report/sentences.hpp"

#include <gtest/gtest.h>

namespace flymc {
namespace {

Answer answer(const std::string& label, double mean, double half, double prob_positive = 1.0) {
  return {.label = label,
          .mean = mean,
          .median = mean,
          .sd = 0.5 * half,
          .mcse_mean = 0.01 * half,
          .lower = mean - half,
          .upper = mean + half,
          .prob_positive = prob_positive};
}

Summary summary(const std::string& model) {
  Summary s;
  s.model = model;
  s.references = {"city=Oslo"};
  const std::pair<const char*, Answer> all[] = {{"alpha", answer("(intercept)", -2.0, 0.1)},
                                                {"beta.1", answer("age", 0.02, 0.004)},
                                                {"beta.2", answer("city=Rome", 0.5, 0.05)},
                                                {"beta.3", answer("income", 0.01, 0.1, 0.58)},
                                                {"sd.shop", answer("sd(shop)", 0.42, 0.05)}};
  for (const auto& [column, one] : all) {
    s.parameters.push_back({column, one.label, {}});
    s.answers.push_back(one);
  }
  return s;
}

double spread(const std::string& column) { return column == "beta.1" ? 10.0 : RunRecord::kUnknown; }

TEST(Sentences, RatiosWhereCoefficientsAreLogarithms) {
  const auto said = sentences(summary("logistic"), spread);
  ASSERT_EQ(said.size(), 4U);                               // the intercept has none
  EXPECT_EQ(said[0].about, "city=Rome against city=Oslo");  // farthest from zero
  EXPECT_EQ(said[0].words, "odds \u00d7 1.649 [1.568, 1.733]");
  EXPECT_EQ(said[1].about, "age");
  EXPECT_EQ(said[1].words,
            "odds \u00d7 1.0202 [1.0161, 1.0243] a unit; "
            "\u00d7 1.221 [1.174, 1.271] a standard deviation (10)");
  EXPECT_EQ(said[2].words,
            "odds \u00d7 1.01 [0.91, 1.12]; the sign is open: above 1 with probability 0.58");
  EXPECT_EQ(said[3].about, "sd(shop)");
  EXPECT_EQ(said[3].words, "standard deviation between levels 0.420 [0.370, 0.470]");
}

// A column in units that none of its rows is apart: odds x 1.083042424808726e+15 a unit.
TEST(Sentences, NoRatioOfAUnitThatIsOutOfReach) {
  Summary s = summary("logistic");
  s.answers[1] = answer("age", 34.0, 5.0);
  const auto tiny = [](const std::string&) { return 0.01; };
  EXPECT_EQ(sentences(s, tiny)[1].words,
            "odds \u00d7 1.405 [1.336, 1.477] a standard deviation (0.01)");
  const auto said = sentences(s, [](const std::string&) { return RunRecord::kUnknown; });
  EXPECT_EQ(said[1].words, "odds \u00d7 5.8e+14 [3.9e+12, 8.7e+16]");
}

// odds x 1.00000064e+00 [9.9999992e-01, 1.00000133e+00] a unit says nothing to anybody.
TEST(Sentences, SpeakOfAStepThatRowsAreApart) {
  Summary s = summary("logistic");
  s.answers[1] = answer("income", 6.4e-7, 6.9e-7, 0.96);
  const auto wide = [](const std::string& column) {
    return column == "beta.1" ? 23'360.0 : RunRecord::kUnknown;
  };
  EXPECT_EQ(sentences(s, wide)[1].words,
            "odds \u00d7 1.0064 [0.9995, 1.0134] per 10,000; \u00d7 1.015 [0.999, 1.032] a "
            "standard deviation (23,360); the sign is open: above 1 with probability 0.96");
}

TEST(Sentences, CurvesAreToldElsewhere) {
  Summary s = summary("logistic");
  s.answers[1] = answer("poly(log(age), 2)1", 3.0, 0.1);
  s.answers[2] = answer("poly(log(age), 2)2", 2.0, 0.1);
  s.answers[3] = answer("a:bs(b, 5)12", 2.0, 0.1);
  const auto said = sentences(s, spread);
  ASSERT_EQ(said.size(), 3U);
  EXPECT_EQ(said[0].about, "poly(log(age), 2)");
  EXPECT_EQ(said[0].words, "a curve, which has no number a unit: see Average effects");
  EXPECT_EQ(said[1].about, "a:bs(b, 5)");
}

// No row of a level with a response of 1: odds x 7e-107 [0.0000000, 4.5e-07].
TEST(Sentences, RatiosThatTheDataLeaveOpenSaySo) {
  Summary s = summary("logistic");
  s.answers[2] = answer("city=Rome", -245.0, 230.0);
  EXPECT_EQ(
      sentences(s, spread)[1].words,
      "odds \u00d7 3.1e-07 or less; how much less the data do not tell, as where all rows that "
      "have it share one response (separation)");
  s.answers[2] = answer("city=Rome", 60.0, 10.0);
  EXPECT_TRUE(sentences(s, spread)[0].words.starts_with(
      "odds \u00d7 5.2e+21 or more; how much more the data do not tell"));
  s.answers[2] = answer("city=Rome", 2.0, 20.0);
  EXPECT_EQ(
      sentences(s, spread)[1].words,
      "odds open by more than ten orders of magnitude: the data hardly tell, as where few rows "
      "have it");
}

TEST(Sentences, ChangesElsewhere) {
  const auto said = sentences(summary("student-t"), spread);
  EXPECT_EQ(said[0].words, "0.500 [0.450, 0.550]");
  EXPECT_EQ(said[2].words, "0.01 [-0.09, 0.11]; the sign is open: positive with probability 0.58");
  EXPECT_TRUE(sentences(summary("poisson"), spread)[0].words.starts_with("rate "));
}

}  // namespace
}  // namespace flymc
