// Few rows with heavy tails: the posterior is far from normal, and set-up must still end soundly.
#include <gtest/gtest.h>

#include <cmath>

#include "family/simulate.hpp"
#include "fit/engine.hpp"
#include "fit/prepare.hpp"
#include "flymc/fit.hpp"

namespace flymc::testing {
namespace {

class SmallFit : public ::testing::TestWithParam<std::tuple<double, double>> {};

// A pilot that samples what has no finite integral ends at 10^152, or not at all.
TEST_P(SmallFit, OfStudentTEndsWhereThePosteriorIs) {
  const auto [nu, scale] = GetParam();
  for (const std::size_t rows : {12, 25, 50}) {
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
      SCOPED_TRACE(::testing::Message() << rows << " rows, seed " << seed);
      FitSettings settings;
      settings.family = "student-t";
      settings.own = {{"nu", nu}, {"scale", scale}};
      settings.chains = 2;
      settings.schedule = {.warmup = 100, .draws = 50, .thin = 1};
      settings.threads = 1;
      Fit fit(simulate({.family = "student-t",
                        .rows = rows,
                        .columns = 1 + seed % 4,
                        .own = {{"nu", nu}},
                        .seed = seed,
                        .threads = 1}),
              settings);
      fit.run();
      const SetupInfo& setup = fit.result().setup;
      ASSERT_TRUE(setup.forecast);
      EXPECT_LT(setup.forecast->fly.queries(), 1e5);
      EXPECT_LT(setup.forecast->regular.queries(), 1e5);
      EXPECT_TRUE(std::isfinite(setup.forecast->fly.total()));
      for (const ParameterSummary& parameter : fit.summary().parameters) {
        EXPECT_LT(std::abs(parameter.estimate.mean), 1e4);  // the prior's scale, and more
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(NuAndScale, SmallFit,
                         ::testing::Combine(::testing::Values(1.0, 2.0, 4.0),
                                            ::testing::Values(kChoose, kInfer)));

}  // namespace
}  // namespace flymc::testing
