// Classes against one of them: the differences that the data tell.
#include "diagnose/class_contrasts.hpp"

#include <gtest/gtest.h>

#include "flymc/error.hpp"

namespace flymc {
namespace {

struct Softmax {
  RunRecord record;
  RunChains run;
};

// Three classes of an intercept and one slope, two chains of three draws.
Softmax softmax() {
  Softmax s;
  s.record.model = "softmax";
  s.record.status = "complete";
  s.record.n = 10;
  s.record.classes = {"bus", "car", "walk"};
  s.record.class_rows = {3, 5, 2};
  const char* const columns[] = {"alpha.1",  "alpha.2",  "alpha.3",
                                 "beta.1.1", "beta.2.1", "beta.3.1"};
  const char* const labels[] = {"bus: (intercept)", "car: (intercept)", "walk: (intercept)",
                                "bus: age",         "car: age",         "walk: age"};
  for (std::size_t chain = 0; chain < 2; ++chain) {
    ChainDraws draws;
    draws.columns = {"lp__"};
    draws.values = {{-1.0, -2.0, -3.0}};
    for (std::size_t i = 0; i < std::size(columns); ++i) {
      draws.columns.emplace_back(columns[i]);
      const double at = static_cast<double>((i + 1) * (i + 2)) + 0.5 * static_cast<double>(chain);
      draws.values.push_back({at, 2.0 * at, 0.25});
    }
    s.run.chains.push_back(std::move(draws));
  }
  for (std::size_t i = 0; i < std::size(columns); ++i) {
    s.record.parameters.push_back({columns[i], labels[i], i < 3 ? RunRecord::kUnknown : 4.0});
  }
  return s;
}

TEST(ClassContrasts, AreDifferencesToTheMostFrequentClass) {
  const Softmax s = softmax();
  ASSERT_TRUE(has_class_vectors(s.record));
  const ClassDifferences compared = compare_classes(s.record, s.run, "");
  EXPECT_EQ(compared.reference, "car");
  const std::vector<ParameterName>& names = compared.record.parameters;
  ASSERT_EQ(names.size(), 4U);
  EXPECT_EQ(names[0].label, "bus vs car: (intercept)");
  EXPECT_EQ(names[3].label, "walk vs car: age");
  EXPECT_EQ(names[3].column, "beta.3.1 - beta.2.1");
  EXPECT_EQ(names[3].column_sd, 4.0);
  for (std::size_t chain = 0; chain < 2; ++chain) {
    const auto difference = compared.run.chains[chain].column("beta.3.1 - beta.2.1");
    const auto a = s.run.chains[chain].column("beta.3.1");
    const auto b = s.run.chains[chain].column("beta.2.1");
    for (std::size_t draw = 0; draw < 3; ++draw) {
      EXPECT_EQ(difference[draw], a[draw] - b[draw]);
    }
  }
  EXPECT_FALSE(has_class_vectors(compared.record));  // differences are compared with nothing
}

TEST(ClassContrasts, AnotherReferenceTurnsTheSign) {
  const Softmax s = softmax();
  const ClassDifferences to_bus = compare_classes(s.record, s.run, "bus");
  const ClassDifferences to_car = compare_classes(s.record, s.run, "car");
  const auto forth = to_bus.run.chains[0].column("beta.2.1 - beta.1.1");
  const auto back = to_car.run.chains[0].column("beta.1.1 - beta.2.1");
  for (std::size_t draw = 0; draw < 3; ++draw) {
    EXPECT_EQ(forth[draw], -back[draw]);
  }
  EXPECT_THROW((void)compare_classes(s.record, s.run, "tram"), Error);
}

TEST(ClassContrasts, SummaryAnswersThemAndNotTheVectors) {
  const Softmax s = softmax();
  const Summary summary = summarise(s.record, s.run, "run/", {.per_sd = true});
  EXPECT_EQ(summary.reference_class, "car");
  ASSERT_EQ(summary.class_contrasts.size(), 4U);
  EXPECT_EQ(summary.parameters.size(), 6U);  // as in the chain files
  double sum = 0.0;
  for (const ChainDraws& chain : s.run.chains) {
    for (std::size_t draw = 0; draw < 3; ++draw) {
      sum += chain.column("beta.3.1")[draw] - chain.column("beta.2.1")[draw];
    }
  }
  EXPECT_DOUBLE_EQ(summary.class_contrasts[3].mean, 4.0 * sum / 6.0);  // per standard deviation
}

TEST(ClassContrasts, OneVectorHasNone) {
  Softmax s = softmax();
  s.record.classes = {"no", "yes"};
  s.record.parameters = {{"alpha", "(intercept)"}, {"beta.1", "age"}};
  EXPECT_FALSE(has_class_vectors(s.record));
  EXPECT_THROW((void)summarise(s.record, s.run, "run/", {.reference = "yes"}), Error);
}

}  // namespace
}  // namespace flymc
