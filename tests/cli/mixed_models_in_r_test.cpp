// Group effects against R's estimates, where they are installed: many levels of many rows each, for
// which the posterior under flat priors is about a maximum of the likelihood.
//
// Tolerances. Laplace's approximation, which R maximises, is off by 1 / (8 rows a level) of a log
// likelihood a level at most, hence below 0.02 sd of anything here. Fixed effects: 0.15 sd, Monte
// Carlo error of at least 4,000 effective draws (asserted) 0.07 sd, twice. Scales: their posterior
// is skewed, mean and mode differ by about 1.5 / sqrt(2 levels) sd = 0.08, as much again for the
// fixed effects that maximum likelihood takes as known: 0.3 sd.
#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "cli/cli_data.hpp"
#include "flymc/random.hpp"
#include "support/r_here.hpp"

namespace flymc::testing {
namespace {

constexpr std::uint32_t kShops = 200;
constexpr std::uint32_t kDays = 150;
constexpr int kVisits = 20'000;

class MixedModelsInR : public Cli {
 protected:
  // eta = 0.2 + 0.4 x + u_shop + v_shop x + w_day.
  template <class Respond>
  void write_rows(double slope_sd, double day_sd, const Respond& respond) {
    Stream stream(53, 0, Purpose::kTest, 0);
    std::vector<double> u, v, w;
    for (std::uint32_t level = 0; level < kShops; ++level) {
      u.push_back(0.6 * stream.normal());
      v.push_back(slope_sd * stream.normal());
      w.push_back(day_sd * stream.normal());
    }
    std::string text = "y,x,shop,day\n";
    for (int row = 0; row < kVisits; ++row) {
      const auto shop = static_cast<std::size_t>(stream.below(kShops));
      const auto day = static_cast<std::size_t>(stream.below(kDays));
      const double x = stream.normal();
      const double eta = 0.2 + 0.4 * x + u[shop] + v[shop] * x + w[day];
      text += fmt::format("{},{:.17g},s{},d{}\n", respond(stream, eta), x, shop, day);
    }
    write("t.csv", text);
  }

  // `in_r` fits d and makes `answers`, in the order of these columns.
  void expect_as_in_r(const Words& model, const std::string& in_r, const Words& columns) {
    expect_done(run(Words{"fit", "t.csv", "--prior", "flat", "--draws", "4000", "--warmup", "300",
                          "--seed", "2", "--out", "run", "--quiet"} +
                    model));
    const Json summary = Json::parse(run({"summary", "run", "--json"}).out);
    write("fit.R", "d <- read.csv('" + path("t.csv").string() + "')\n" + in_r +
                       "\ncat(format(answers, digits = 12))\n");
    std::istringstream answers(output_of_r(path("fit.R").string()));
    for (const std::string& column : columns) {
      SCOPED_TRACE(column);
      double expected = 0.0;
      answers >> expected;
      ASSERT_FALSE(answers.fail());
      const auto is_column = [&](const Json& p) { return p["column"] == column; };
      const Json& all = summary["parameters"];
      const auto found = std::find_if(all.begin(), all.end(), is_column);
      ASSERT_NE(found, all.end());
      EXPECT_GT((*found)["ess_bulk"].get<double>(), 4000.0);
      const bool fixed = column.starts_with("alpha") || column.starts_with("beta");
      EXPECT_NEAR((*found)["mean"].get<double>(), expected,
                  (fixed ? 0.15 : 0.3) * (*found)["sd"].get<double>());
    }
  }
};

const auto yes_or_no = [](Stream& stream, double eta) {
  return stream.uniform() < 1.0 / (1.0 + std::exp(-eta)) ? 1.0 : 0.0;
};

TEST_F(MixedModelsInR, LogisticWithCorrelatedSlopesIsGlmers) {
  if (!has_r_package("lme4")) {
    GTEST_SKIP() << "no lme4 here";
  }
  write_rows(0.4, 0.0, yes_or_no);
  expect_as_in_r({"--formula", "y ~ x + (1 + x | shop)", "--model", "logistic"},
                 "f <- lme4::glmer(y ~ x + (1 + x | shop), d, binomial)\n"
                 "v <- as.data.frame(lme4::VarCorr(f))$sdcor\n"
                 "answers <- c(lme4::fixef(f), v)",
                 {"alpha", "beta.1", "sd.shop", "sd.shop.x", "cor.shop.1.2"});
}

TEST_F(MixedModelsInR, PoissonOfTwoFactorsIsGlmers) {
  if (!has_r_package("lme4")) {
    GTEST_SKIP() << "no lme4 here";
  }
  write_rows(0.0, 0.3, [](Stream& stream, double eta) { return stream.poisson(std::exp(eta)); });
  expect_as_in_r({"--formula", "y ~ x + (1 | shop) + (1 | day)", "--model", "poisson"},
                 "f <- lme4::glmer(y ~ x + (1 | shop) + (1 | day), d, poisson)\n"
                 "sd <- sapply(lme4::VarCorr(f), attr, 'stddev')\n"
                 "answers <- c(lme4::fixef(f), sd[c('shop.(Intercept)', 'day.(Intercept)')])",
                 {"alpha", "beta.1", "sd.shop", "sd.day"});
}

TEST_F(MixedModelsInR, CountsOfUnknownSizeAreGlmmTmbs) {
  if (!has_r_package("glmmTMB")) {
    GTEST_SKIP() << "no glmmTMB here";
  }
  write_rows(0.0, 0.0, [](Stream& stream, double eta) {
    return stream.poisson(std::exp(eta) * stream.gamma(2.0) / 2.0);
  });
  expect_as_in_r({"--formula", "y ~ x + (1 | shop)", "--model", "negative-binomial"},
                 "f <- glmmTMB::glmmTMB(y ~ x + (1 | shop), d, family = glmmTMB::nbinom2)\n"
                 "sd <- attr(glmmTMB::VarCorr(f)$cond$shop, 'stddev')\n"
                 "answers <- c(glmmTMB::fixef(f)$cond, sigma(f), sd)",
                 {"alpha", "beta.1", "size", "sd.shop"});
}

}  // namespace
}  // namespace flymc::testing
