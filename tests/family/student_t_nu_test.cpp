// Student-t with its degrees of freedom unknown is Student-t at every value of them.
#include <gtest/gtest.h>

#include <cmath>

#include "flymc/family/family.hpp"
#include "flymc/family/student_t.hpp"

namespace flymc {
namespace {

TEST(StudentTNu, IsStudentTAtEveryScaleAndNu) {
  const StudentTNu model;
  for (const double nu : {0.7, 2.0, 4.0, 31.0, 400.0}) {
    for (const double scale : {0.2, 1.0, 7.0}) {
      for (const double t : {-3.0, 0.1, 12.0}) {
        const double eta[] = {0.4, std::log(scale), std::log(nu)};
        const double expected = StudentT(nu, scale).log_likelihood(eta[0], t);
        const double found = model.log_likelihood(eta, t, nullptr) + model.log_constant(t, 1.0);
        EXPECT_NEAR(found, expected, 1e-11 * (1.0 + std::abs(expected))) << nu << " " << scale;
      }
    }
  }
}

TEST(StudentTNu, IsChosenByWhatIsToBeInferred) {
  const FamilyType& type = find_family("student-t");
  const auto names = [&](const Settings& given) {
    std::vector<std::string> found;
    for (const Auxiliary& auxiliary : type.with(given).auxiliaries) {
      found.emplace_back(auxiliary.name);
    }
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names({}), Names{"sigma"});
  EXPECT_EQ(names({{"nu", 5.0}}), Names{"sigma"});
  EXPECT_EQ(names({{"nu", 5.0}, {"scale", 2.0}}), Names{});
  EXPECT_EQ(names({{"nu", 5.0}, {"scale", kChoose}}), Names{});
  EXPECT_EQ(names({{"scale", kInfer}}), Names{"sigma"});
  EXPECT_EQ(names({{"nu", kInfer}}), (Names{"sigma", "nu"}));
  EXPECT_EQ(names({{"nu", kInfer}, {"scale", kInfer}}), (Names{"sigma", "nu"}));
  EXPECT_EQ(names({{"nu", kInfer}, {"sigma", 2.0}}), Names{"nu"});
}

}  // namespace
}  // namespace flymc
