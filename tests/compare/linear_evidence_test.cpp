// The evidence of a normal linear regression, an integral over sigma alone, against the closed form
// and against the bridge over all rows.
#include <gtest/gtest.h>

#include <cmath>

#include "compare/conjugate.hpp"
#include "compare/evidence.hpp"
#include "compare/row_density.hpp"
#include "family/simulate.hpp"
#include "fit/linear_setup.hpp"
#include "flymc/fit.hpp"

namespace flymc::testing {
namespace {

TEST(LinearEvidence, OfAKnownSigmaIsTheClosedForm) {
  const Conjugate model(40, 2, 5);
  const Problem problem = model.problem(2);
  const FitSettings settings{.family = "normal"};
  ASSERT_TRUE(is_linear(problem, settings));
  const auto evidence = LinearSetup(problem, settings, nullptr).evidence({});
  ASSERT_TRUE(evidence.has_value());
  EXPECT_NEAR(evidence->value + log_constants(problem), model.log_evidence(), 1e-9);
}

TEST(LinearEvidence, IsThatOfTheBridge) {
  for (const char* const family : {"normal", "lognormal"}) {
    SCOPED_TRACE(family);
    FitSettings settings{.family = family};
    settings.schedule = {.warmup = 100, .draws = 1000, .thin = 1};
    Fit fit(simulate({.family = family, .rows = 300, .columns = 2, .seed = 3}), settings);
    fit.run();
    ASSERT_TRUE(fit.result().evidence.has_value());
    const Problem& problem = fit.problem();
    const Evidence bridged = bridged_evidence(problem, theta_draws(problem, fit.chains()), 1);
    ASSERT_TRUE(bridged.is_known());
    EXPECT_NEAR(fit.result().evidence->value + log_constants(problem), bridged.log.value,
                4.5 * bridged.log.se);
    EXPECT_EQ(fit.result().evidence->se, 0.0);
  }
}

TEST(LinearEvidence, OfAFlatPriorIsNone) {
  FitSettings settings{.family = "normal"};
  settings.prior = {.automatic = false, .kind = PriorKind::kFlat};
  settings.schedule = {.warmup = 10, .draws = 20, .thin = 1};
  Fit fit(simulate({.family = "normal", .rows = 300, .columns = 2, .seed = 3}), settings);
  fit.run();
  EXPECT_FALSE(fit.result().evidence.has_value());
}

}  // namespace
}  // namespace flymc::testing
