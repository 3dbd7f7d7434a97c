// What is said of a new response that is a class.
#include "flymc/detail/diagnose/class_answer.hpp"

#include <gtest/gtest.h>

namespace flymc {
namespace {

using Classes = std::vector<std::size_t>;

ClassAnswer answer_of(const std::vector<double>& shares, double prob, bool ordered) {
  return class_answer(shares, 0.5 * (1.0 - prob), ordered);
}

TEST(ClassAnswers, AreTheFewestClassesThatHoldSoMuch) {
  const std::vector<double> shares = {0.05, 0.6, 0.05, 0.3};
  EXPECT_EQ(answer_of(shares, 0.5, false).set, (Classes{1}));
  EXPECT_EQ(answer_of(shares, 0.6, false).set, (Classes{1}));
  EXPECT_EQ(answer_of(shares, 0.9, false).set, (Classes{1, 3}));
  EXPECT_EQ(answer_of(shares, 0.91, false).set, (Classes{1, 3, 0}));
  EXPECT_EQ(answer_of(shares, 0.99, false).set, (Classes{1, 3, 0, 2}));
  EXPECT_EQ(answer_of(shares, 0.9, false).most, 1U);
  EXPECT_EQ(answer_of({0.0, 0.5, 0.5}, 0.5, false).most, 1U);
}

// With F the distribution function: q_p is the lowest class with F >= p, as of numbers.
TEST(ClassAnswers, OfOrderedClassesAreBetweenTwoQuantiles) {
  const std::vector<double> shares = {0.04, 0.02, 0.5, 0.4, 0.04};
  EXPECT_EQ(answer_of(shares, 0.9, true).set, (Classes{1, 2, 3}));
  EXPECT_EQ(answer_of(shares, 0.95, true).set, (Classes{0, 1, 2, 3, 4}));
  EXPECT_EQ(answer_of(shares, 0.8, true).set, (Classes{2, 3}));
  EXPECT_EQ(answer_of(shares, 0.8, true).most, 2U);
  EXPECT_EQ(answer_of({0.0, 0.0, 1.0}, 0.9, true).set, (Classes{2}));
  EXPECT_EQ(answer_of({0.5, 0.0, 0.5}, 0.9, true).set, (Classes{0, 1, 2}));
}

// 0.7 + 0.1 + 0.1 is less than 0.9.
TEST(ClassAnswers, DoNotHangOnRounding) {
  EXPECT_EQ(answer_of({0.7, 0.1, 0.1, 0.1}, 0.9, false).set, (Classes{0, 1, 2}));
  EXPECT_EQ(answer_of({0.05, 0.7, 0.1, 0.1, 0.05}, 0.9, true).set, (Classes{0, 1, 2, 3}));
}

}  // namespace
}  // namespace flymc
