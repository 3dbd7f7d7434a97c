// With its constant every law of a coordinate is a density.
#include "family/prior_constant.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace flymc {
namespace {

// In t: heavy tails of s are exponential ones of its logarithm.
double total(const PriorTerm& term) {
  const Prior prior({term});
  constexpr double kStep = 1e-3;
  double sum = 0.0;
  for (double t = -200.0; t < 200.0; t += kStep) {
    sum += kStep *
           std::exp(prior.log_density(Vector::Constant(1, t + 0.5 * kStep)) + log_constant(prior));
  }
  return sum;
}

TEST(PriorConstant, MakesEveryLawADensity) {
  for (const PriorTerm& term :
       {PriorTerm{PriorKind::kNormal, 0.7, 1.9}, PriorTerm{PriorKind::kLaplace, -0.4, 1.3},
        PriorTerm{PriorKind::kExponential, 0.0, 2.5}, PriorTerm{PriorKind::kHalfNormal, 0.0, 0.6},
        PriorTerm{PriorKind::kHalfT, 0.0, 1.7, 3.0}, PriorTerm{PriorKind::kHalfT, 0.0, 0.8, 1.0},
        PriorTerm{PriorKind::kGamma, 0.0, 0.5, 2.2},
        PriorTerm{PriorKind::kInverseGamma, 0.0, 0.3, 0.4},
        PriorTerm{PriorKind::kUniformShare, 0.0, 1.0}}) {
    EXPECT_NEAR(total(term), 1.0, 1e-6) << static_cast<int>(term.kind);  // midpoints, h^2
  }
}

TEST(PriorConstant, OfSeveralCoordinatesAddsUp) {
  const PriorTerm first{PriorKind::kNormal, 0.0, 2.0};
  const PriorTerm second{PriorKind::kLaplace, 0.0, 3.0};
  EXPECT_DOUBLE_EQ(log_constant(Prior({first, second})),
                   log_constant(first) + log_constant(second));
}

}  // namespace
}  // namespace flymc
