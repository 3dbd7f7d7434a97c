// Priors of auxiliary parameters as they are written.
#include "fit/auxiliary_prior.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "flymc/error.hpp"
#include "flymc/fit.hpp"

namespace flymc {
namespace {

constexpr Auxiliary kSize = concentration("size", 5.0, 1.0, "a Poisson");
constexpr Auxiliary kOwn{.name = "s", .natural = Natural::kPredictor};

TEST(AuxiliaryPrior, IsWrittenAsItIsRead) {
  for (const std::string text : {"half_normal(1)", "half_t(3, 2.5)", "exponential(0.5)",
                                 "gamma(2, 0.1)", "inv_gamma(0.4, 0.3)", "normal(-1, 2)", "flat"}) {
    EXPECT_EQ(to_text(parse_law(text, kSigma)), text);
  }
  EXPECT_EQ(to_text(parse_law("half_cauchy( 2 )", kSigma)), "half_t(1, 2)");
  EXPECT_EQ(to_text(parse_law("flat", kExtraZeros)), "uniform(0, 1)");
  EXPECT_EQ(to_text(parse_law("normal(0,1.5)", kExtraZeros)), "normal(0, 1.5)");
  EXPECT_EQ(to_text(parse_law("normal(0, 5)", kOwn)), "normal(0, 5)");
}

TEST(AuxiliaryPrior, MistakesAreNamed) {
  const auto kind = [](const std::string& text, const Auxiliary& auxiliary) {
    try {
      (void)parse_law(text, auxiliary);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(auxiliary.name), std::string::npos);
      return error.kind();
    }
    return ErrorKind::kInternal;
  };
  for (const std::string text :
       {"", "half_normal", "half_normal()", "half_normal(0)", "half_normal(-1)", "half_normal(1",
        "half_normal(1, 2)", "half_normal(x)", "half_normal(inf)", "half_normal(1) ",
        "normal(0, 0)", "gamma(1, 1e-320)", "gamma(2)", "cauchy(1)", "laplace(0, 1)"}) {
    EXPECT_EQ(kind(text, kSigma), ErrorKind::kUsage) << text;
  }
  EXPECT_EQ(kind("half_normal(1)", kExtraZeros), ErrorKind::kUsage);
  EXPECT_EQ(kind("flat", kOwn), ErrorKind::kUsage);
  EXPECT_EQ(kind("flat", kSize), ErrorKind::kData);
}

// y = +-1 about 0: with s = sum of squares n, the posterior of sigma is by quadrature
//   p(sigma) sigma^-n sigma e^(-n / (2 sigma^2)),  the intercept integrated out.
TEST(AuxiliaryPrior, IsTheOneThatIsSampled) {
  constexpr double kRows = 8.0;
  Table table;
  table.rows = 8;
  table.columns = {"a"};
  table.response.name = "y";
  for (int n = 0; n < 8; ++n) {
    table.x.push_back(n % 4 < 2 ? 1.0 : -1.0);  // says nothing of y: a slope about 0
    table.response.values.push_back(n % 2 == 0 ? 1.0 : -1.0);
  }
  FitSettings settings;
  settings.family = "normal";
  settings.prior = {.automatic = false, .kind = PriorKind::kFlat, .scale = 1.0};
  settings.schedule = {.warmup = 1000, .draws = 20'000};
  settings.chains = 2;
  for (const std::string law : {"flat", "half_normal(0.8)", "inv_gamma(3, 1)", "normal(0, 0.3)"}) {
    settings.prior_aux = {{"sigma", law}};
    Fit fit(table, settings);
    fit.run();
    const auto estimate = fit.summary().parameters[2].estimate;
    double mass = 0.0;
    double mean = 0.0;
    for (double t = -6.0; t < 12.0; t += 1e-4) {  // t = log sigma; two flat coefficients
      const double s = std::exp(t);
      const double prior = law == "flat"               ? t
                           : law == "half_normal(0.8)" ? t - 0.5 * s * s / 0.64
                           : law == "inv_gamma(3, 1)"  ? -3.0 * t - 1.0 / s
                                                       : -0.5 * t * t / 0.09;
      const double density = std::exp(prior - (kRows - 2.0) * t - 0.5 * kRows / (s * s));
      mass += density;
      mean += density * s;
    }
    EXPECT_NEAR(estimate.mean, mean / mass, 4.5 * estimate.mcse_mean) << law;
  }
}

}  // namespace
}  // namespace flymc
