// Known answers: posteriors under wide priors against R's maximum likelihood, a table of 100,000
// rows for every family. Means are compared with estimates, standard deviations with standard
// errors; where no package of R has the family, its likelihood is written in R and maximised there.
//
// Tolerances. Draws have an ESS of 7,000 at least (asserted), so that a mean is known to 4.5 /
// sqrt(7000) = 0.054 sd and a standard deviation to 4.5 / sqrt(14000) = 3.8 %. Mean and mode of a
// posterior differ by its skewness / 2 sd, and that falls as 1 / sqrt(n): up to 0.03 sd here (phi);
// counts of a mean near 3 keep it there for size. Observed and expected information differ
// by about 1 / sqrt(n) = 0.3 %, a prior of scale 100 moves nothing by 1e-3 sd. Together: 0.1 sd, 5
// %.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "family/simulate.hpp"
#include "flymc/fit.hpp"
#include "flymc/random.hpp"
#include "support/r_here.hpp"

namespace flymc {
namespace {

constexpr std::size_t kTall = 100'000;
constexpr std::size_t kSlopes = 3;

struct KnownAnswer {
  std::string name;
  std::string family;
  std::string in_r;       // calls show(estimates, standard errors), parameters in flymc's order
  std::string package{};  // of R, that it needs
  std::map<std::string, std::string> prior_aux{};
  std::function<void(Table&, const SimulatedTruth&)> change{};  // of the simulated table
  Settings own{};
  ColumnsOfPredictors columns{};
};

void PrintTo(const KnownAnswer& one, std::ostream* out) { *out << one.name; }

// About a third of the times are cut at a time of their own.
void censor(Table& table, const SimulatedTruth& truth) {
  Stream stream(3, 0, Purpose::kTest, 0);
  const double usual = std::exp(truth.alpha[0]);
  table.trials.resize(table.rows);
  table.trials_name = "censored";
  for (std::size_t n = 0; n < table.rows; ++n) {
    const double seen = -2.0 * usual * std::log(stream.uniform());
    table.trials[n] = table.response.values[n] > seen ? 1.0 : 0.0;
    table.response.values[n] = std::min(table.response.values[n], seen);
  }
}

void ten_trials(Table& table, const SimulatedTruth& /*truth*/) {
  table.trials.assign(table.rows, 10.0);
}

// Errors, normal(0, 1) as simulated, have the standard deviation e^(x1 / 3).
void spread(Table& table, const SimulatedTruth& truth) {
  for (std::size_t n = 0; n < table.rows; ++n) {
    double mean = truth.alpha[0];
    for (std::size_t j = 0; j < kSlopes; ++j) {
      mean += truth.beta(static_cast<Index>(j), 0) * table.x[kSlopes * n + j];
    }
    double& y = table.response.values[n];
    y = mean + (y - mean) * std::exp(table.x[kSlopes * n] / 3.0);
  }
}

const std::string kSurvival =
    "library(survival)\n"
    "survived <- function(law, aux) {\n"
    "  fit <- survreg(Surv(y, 1 - second) ~ x1 + x2 + x3, d, dist = law)\n"
    "  se <- sqrt(diag(fit$var)); value <- aux(fit$scale)\n"
    "  show(c(coef(fit), value), c(se[1:4], if (length(value) > 0) se[5] * value)) }\n";
const std::string kShape = "function(scale) 1 / scale";

// Maximum likelihood of `log_density(eta, a)`, a the auxiliary parameters on their link scales.
std::string maximised(const std::string& log_density, const std::string& links,
                      const std::string& start) {
  return fmt::format("maximise(function(eta, a) {}, c({}), c({}))\n", log_density, links, start);
}

std::string glm(const std::string& family, const std::string& response = "y") {
  return fmt::format(
      "fit <- glm({} ~ x1 + x2 + x3, {}, d, epsilon = 1e-12)\n"
      "show(coef(fit), sqrt(diag(vcov(fit))))\n",
      response, family);
}

std::vector<KnownAnswer> known_answers() {
  const std::string flat = "half_cauchy(100)";
  return {
      {"Logistic", "logistic", glm("binomial")},
      {"Probit", "probit", glm("binomial('probit')")},
      {"Cloglog", "cloglog", glm("binomial('cloglog')")},
      {"Poisson", "poisson", glm("poisson")},
      {.name = "Binomial",
       .family = "binomial",
       .in_r = glm("binomial", "cbind(y, second - y)"),
       .change = ten_trials},
      {.name = "Normal",
       .family = "normal",
       .in_r = "fit <- glm(y ~ x1 + x2 + x3, gaussian, d)\n"
               "s <- sqrt(mean(residuals(fit)^2))\n"
               "show(c(coef(fit), s), c(sqrt(diag(vcov(fit))), s / sqrt(2 * n)))\n",
       .prior_aux = {{"sigma", flat}}},
      {.name = "Gamma",
       .family = "gamma",
       .in_r = "fit <- glm(y ~ x1 + x2 + x3, Gamma('log'), d, epsilon = 1e-12)\n"
               "a <- MASS::gamma.shape(fit)\n"
               "show(c(coef(fit), a$alpha), "
               "c(sqrt(diag(summary(fit, dispersion = 1 / a$alpha)$cov.scaled)), a$SE))\n",
       .package = "MASS",
       .prior_aux = {{"shape", flat}}},
      {.name = "NegativeBinomial",
       .family = "negative-binomial",
       .in_r = "fit <- MASS::glm.nb(y ~ x1 + x2 + x3, d)\n"
               "show(c(coef(fit), fit$theta), c(sqrt(diag(vcov(fit))), fit$SE.theta))\n",
       .package = "MASS",
       .prior_aux = {{"size", flat}}},
      {.name = "Weibull",
       .family = "weibull",
       .in_r = kSurvival + "survived('weibull', " + kShape + ")\n",
       .package = "survival",
       .prior_aux = {{"shape", flat}},
       .change = censor},
      {.name = "Exponential",
       .family = "exponential",
       .in_r = kSurvival + "survived('exponential', function(scale) NULL)\n",
       .package = "survival",
       .change = censor},
      {.name = "LogLogistic",
       .family = "log-logistic",
       .in_r = kSurvival + "survived('loglogistic', " + kShape + ")\n",
       .package = "survival",
       .prior_aux = {{"shape", flat}},
       .change = censor},
      {.name = "Lognormal",
       .family = "lognormal",
       .in_r = kSurvival + "d$second <- 0\nsurvived('lognormal', identity)\n",
       .package = "survival",
       .prior_aux = {{"sigma", flat}}},
      {.name = "Ordinal",
       .family = "ordinal",
       .in_r = "fit <- MASS::polr(factor(y) ~ x1 + x2 + x3, d, Hess = TRUE, control = list(reltol "
               "= 1e-14))\n"
               "show(c(fit$coefficients, fit$zeta), sqrt(diag(vcov(fit))))\n",
       .package = "MASS",
       .prior_aux = {{"cut", "normal(0, 100)"}}},
      {.name = "Beta",
       .family = "beta",
       .in_r = maximised("{ p <- plogis(eta); dbeta(y, p * exp(a), (1 - p) * exp(a), log = TRUE) }",
                         "exp", "1"),
       .prior_aux = {{"phi", flat}}},
      {.name = "BetaBinomial",
       .family = "beta-binomial",
       .in_r = maximised("{ p <- plogis(eta); f <- exp(a)\n"
                         "  lchoose(second, y) + lbeta(y + p * f, second - y + (1 - p) * f) -\n"
                         "    lbeta(p * f, (1 - p) * f) }",
                         "exp", "1"),
       .prior_aux = {{"phi", flat}},
       .change = ten_trials},
      {.name = "Zip",
       .family = "zip",
       .in_r =
           maximised("log(plogis(a) * (y == 0) + plogis(-a) * dpois(y, exp(eta)))", "plogis", "-1"),
       .prior_aux = {{"zi", "flat"}}},
      {.name = "Zinb",
       .family = "zinb",
       .in_r = maximised("log(plogis(a[2]) * (y == 0) +\n"
                         "  plogis(-a[2]) * dnbinom(y, exp(a[1]), mu = exp(eta)))",
                         "exp, plogis", "0, -1"),
       .prior_aux = {{"size", flat}, {"zi", "flat"}}},
      {.name = "HurdlePoisson",
       .family = "hurdle-poisson",
       .in_r = maximised("ifelse(y == 0, plogis(a, log.p = TRUE), plogis(-a, log.p = TRUE) +\n"
                         "  dpois(y, exp(eta), TRUE) - log(-expm1(-exp(eta))))",
                         "plogis", "-1"),
       .prior_aux = {{"zi", "flat"}}},
      {.name = "StudentTWithItsScale",
       .family = "student-t",
       .in_r = maximised("dt((y - eta) / exp(a), 4, log = TRUE) - a", "exp", "0"),
       .prior_aux = {{"sigma", flat}},
       .own = {{"scale", kInfer}}},
      {.name = "NormalWhoseSigmaHasAColumn",
       .family = "normal",
       .in_r = maximised("dnorm(y, eta, exp(a[1] + a[2] * x[, 2]), log = TRUE)",
                         "identity, identity", "0, 0"),
       .change = spread,
       .columns = {{"", {{"x1", "x2", "x3"}}}, {"sigma", {{"x1"}}}}},
  };
}

// Newton's method, from where the data were made, with the derivatives of every row's log density
// by differences: a sum of 100,000 terms is flat in its last digits as far as 0.05 standard errors
// from its maximum, where optim() stops.
std::string r_preamble(const std::string& path, std::size_t rows, const SimulatedTruth& truth) {
  return fmt::format(R"(
v <- readBin('{}', 'double', 1e7); n <- {}
d <- as.data.frame(matrix(v, n, dimnames = list(NULL, c('y', 'x1', 'x2', 'x3', 'second'))))
truth <- c({}, {}); y <- d$y; second <- d$second; x <- cbind(1, d$x1, d$x2, d$x3)
show <- function(estimates, errors) cat(sprintf('%.17g\n', c(estimates, errors)))
maximise <- function(log_density, links, start) {{
  p <- c(truth, start); k <- length(start); step <- 1e-3
  at <- function(...) {{
    e <- numeric(1 + k)
    for (j in c(...)) e[abs(j)] <- sign(j) * step
    log_density(drop(x %*% p[1:4]) + e[1], p[-(1:4)] + e[-1]) }}
  spread <- function(j, v) if (j == 1) crossprod(x, v) else sum(v)
  here <- function(j) if (j == 1) 1:4 else 3 + j
  for (round in 1:20) {{
    g <- 0 * p; H <- matrix(0, 4 + k, 4 + k); f <- at()
    for (j in 1:(1 + k)) {{
      g[here(j)] <- spread(j, (at(j) - at(-j)) / (2 * step))
      for (l in 1:j) {{
        bend <- if (l == j) (at(j) - 2 * f + at(-j)) / step^2 else
          (at(j, l) - at(j, -l) - at(-j, l) + at(-j, -l)) / (4 * step^2)
        block <- if (j == 1) crossprod(x, bend * x) else spread(l, bend)
        H[here(j), here(l)] <- block; H[here(l), here(j)] <- t(block) }} }}
    se <- sqrt(diag(solve(-H))); move <- solve(-H, g); p <- p + move
    if (all(abs(move) < 1e-3 * se)) break }}
  stopifnot(round < 20)
  for (i in seq_along(links)) {{
    j <- 4 + i; natural <- links[[i]]
    se[j] <- se[j] * (natural(p[j] + step) - natural(p[j] - step)) / (2 * step)
    p[j] <- natural(p[j]) }}
  show(p, se)
}}
)",
                     path, rows, truth.alpha[0], fmt::join(truth.beta.col(0), ", "));
}

// Column after column: y, the slopes' columns, the second number of a response.
void write_columns(const Table& table, const std::filesystem::path& path) {
  std::ofstream out(path, std::ios::binary);
  const auto put = [&out](double value) {
    out.write(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (std::size_t n = 0; n < table.rows; ++n) {
    put(table.response.values[n]);
  }
  for (std::size_t j = 0; j < kSlopes; ++j) {
    for (std::size_t n = 0; n < table.rows; ++n) {
      put(table.x[kSlopes * n + j]);
    }
  }
  for (std::size_t n = 0; n < table.rows; ++n) {
    put(table.trials.empty() ? 0.0 : table.trials[n]);
  }
}

// Estimates, then standard errors.
std::vector<double> answer_of_r(const Table& table, const SimulatedTruth& truth,
                                const KnownAnswer& one) {
  const std::filesystem::path folder = ::testing::TempDir();
  const std::filesystem::path data = folder / ("known-" + one.name + ".bin");
  const std::filesystem::path script = folder / ("known-" + one.name + ".R");
  write_columns(table, data);
  std::ofstream(script) << r_preamble(data.string(), table.rows, truth) << one.in_r;
  std::istringstream printed(testing::output_of_r(script.string()));
  std::filesystem::remove(data);
  std::vector<double> values;
  for (double value = 0.0; printed >> value;) {
    values.push_back(value);
  }
  return values;
}

SimulateOptions simulated_as(const KnownAnswer& one) {
  SimulateOptions options;
  options.family = one.family;
  options.rows = kTall;
  options.columns = kSlopes;
  options.classes = 4;
  options.predictor_sd = 0.7;
  options.seed = 8;  // an intercept of 0.94
  return options;
}

FitSettings wide_settings(const KnownAnswer& one) {
  FitSettings settings;
  settings.family = one.family;
  settings.own = one.own;
  settings.columns = one.columns;
  settings.prior = {.automatic = false, .kind = PriorKind::kNormal, .scale = 100.0};
  settings.prior_aux = one.prior_aux;
  settings.engine = EngineKind::kFly;
  settings.schedule = {.warmup = 500, .draws = 3000};
  return settings;
}

class KnownAnswers : public ::testing::TestWithParam<KnownAnswer> {};

TEST_P(KnownAnswers, AreThoseOfR) {
  const KnownAnswer& one = GetParam();
  const std::string package = one.package.empty() ? "stats" : one.package;
  if (!testing::has_r_package(package)) {
    GTEST_SKIP() << "R's package " << package << " is not here";
  }
  const SimulatedTruth truth = Simulator(simulated_as(one)).truth();
  Table table = simulate(simulated_as(one));
  if (one.change) {
    one.change(table, truth);
  }
  const std::vector<double> expected = answer_of_r(table, truth, one);
  Fit fit(std::move(table), wide_settings(one));
  fit.run();
  const Summary summary = fit.summary();
  const std::size_t count = summary.parameters.size();
  ASSERT_EQ(expected.size(), 2 * count);
  for (std::size_t p = 0; p < count; ++p) {
    SCOPED_TRACE(summary.parameters[p].column);
    const Estimate& estimate = summary.parameters[p].estimate;
    EXPECT_GT(estimate.ess_bulk, 7000.0);
    EXPECT_NEAR((estimate.mean - expected[p]) / expected[count + p], 0.0, 0.1);
    EXPECT_NEAR(estimate.sd / expected[count + p], 1.0, 0.05);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, KnownAnswers, ::testing::ValuesIn(known_answers()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace flymc
