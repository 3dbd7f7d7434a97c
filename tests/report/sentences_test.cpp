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

TEST(Sentences, ChangesElsewhere) {
  const auto said = sentences(summary("student-t"), spread);
  EXPECT_EQ(said[0].words, "0.500 [0.450, 0.550]");
  EXPECT_EQ(said[2].words, "0.01 [-0.09, 0.11]; the sign is open: positive with probability 0.58");
  EXPECT_TRUE(sentences(summary("poisson"), spread)[0].words.starts_with("rate "));
}

}  // namespace
}  // namespace flymc
