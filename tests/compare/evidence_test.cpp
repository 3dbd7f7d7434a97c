// The evidence against closed forms, against quadrature for every family, and against R's
// bridgesampling.
#include "compare/evidence.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "compare/conjugate.hpp"
#include "data/load_support.hpp"
#include "family/simulate.hpp"
#include "flymc/fit.hpp"
#include "support/r_here.hpp"

namespace flymc::testing {
namespace {

constexpr double kBar = 0.05;  // of every small problem

TEST(Evidence, OfANormalRegressionIsTheClosedForm) {
  for (const std::size_t columns : {1U, 5U, 20U, 150U}) {
    const Conjugate model(400, columns, 11 + columns);
    const Evidence evidence =
        bridged_evidence(model.problem(columns), model.draws(4000, columns), 1);
    ASSERT_TRUE(evidence.is_known());
    EXPECT_LT(evidence.log.se, 0.02);
    EXPECT_NEAR(evidence.log.value, model.log_evidence(), 4.0 * evidence.log.se) << columns;
  }
}

// Savage and Dickey: the Bayes factor of a slope that is 0 over one with a prior is the posterior's
// density at 0 over the prior's.
TEST(Evidence, OfNestedModelsGivesTheKnownBayesFactor) {
  const Conjugate wide(80, 2, 5);
  Conjugate narrow = wide;
  narrow.x.conservativeResize(Eigen::NoChange, 2);
  narrow.precision.compute(narrow.x.transpose() * narrow.x / 2.25 + Matrix::Identity(2, 2) / 4.0);
  narrow.mean = narrow.precision.solve(narrow.x.transpose() * narrow.y / 2.25);
  const Evidence with = bridged_evidence(wide.problem(2), wide.draws(4000, 1), 1);
  const Evidence without = bridged_evidence(wide.problem(1), narrow.draws(4000, 2), 2);
  const double variance = wide.precision.solve(Matrix::Identity(3, 3))(2, 2);
  const double known = log_normal_density(0.0, wide.mean[2], variance) -
                       log_normal_density(0.0, 0.0, Conjugate::kPriorSd * Conjugate::kPriorSd);
  EXPECT_NEAR(without.log.value - with.log.value, known,
              4.0 * std::hypot(with.log.se, without.log.se));
}

// The errors that it gives are those it has.
TEST(Evidence, StandardErrorIsTrue) {
  constexpr int kReplicates = 60;
  double squares = 0.0;
  for (std::uint64_t seed = 1; seed <= kReplicates; ++seed) {
    const Conjugate model(40, 4, seed);
    const Evidence evidence = bridged_evidence(model.problem(4), model.draws(400, seed), seed);
    ASSERT_TRUE(evidence.is_known());
    squares += std::pow((evidence.log.value - model.log_evidence()) / evidence.log.se, 2);
  }
  // Five standard errors of a mean of squares of standard normals.
  EXPECT_NEAR(squares / kReplicates, 1.0, 5.0 * std::sqrt(2.0 / kReplicates));
}

// The density of a coordinate t, by the law of the parameter itself.
double prior_density(const PriorTerm& term, double t) {
  const double s = std::exp(t);
  const double a = term.shape;
  const double b = term.scale;
  switch (term.kind) {
    case PriorKind::kNormal:
      return std::exp(log_normal_density(t, term.location, b * b));
    case PriorKind::kLaplace:
      return std::exp(-std::abs(t - term.location) / b) / (2.0 * b);
    case PriorKind::kExponential:
      return s * std::exp(-s / b) / b;
    case PriorKind::kInverseGamma:
      return s * std::pow(b, a) / std::tgamma(a) * std::pow(s, -a - 1.0) * std::exp(-b / s);
    case PriorKind::kUniformShare:
      return s / ((1.0 + s) * (1.0 + s));
    default:
      ADD_FAILURE() << "no such law here";
      return 0.0;
  }
}

// Of a problem whose columns are as given.
class Quadrature {
 public:
  Quadrature(const Problem& problem, const ThetaDraws& draws) : problem_(problem) {
    mean_ = draws.theta.rowwise().mean();
    const Matrix centred = draws.theta.colwise() - mean_;
    root_ = Matrix(
        Eigen::LLT<Matrix>(centred * centred.transpose() / static_cast<double>(draws.draws() - 1))
            .matrixL());
  }

  // log of the sum over a grid of so many standard deviations to each side.
  [[nodiscard]] double log_evidence(double reach, double step) const {
    const auto half = static_cast<int>(reach / step);
    std::vector<double> values;
    std::vector<int> at(static_cast<std::size_t>(mean_.size()), -half);
    Vector unit(mean_.size());
    while (true) {
      for (Index j = 0; j < unit.size(); ++j) {
        unit[j] = step * at[static_cast<std::size_t>(j)];
      }
      values.push_back(log_joint(mean_ + root_ * unit));
      std::size_t j = 0;
      while (j < at.size() && ++at[j] > half) {
        at[j++] = -half;
      }
      if (j == at.size()) {
        break;
      }
    }
    const double top = *std::max_element(values.begin(), values.end());
    double sum = 0.0;
    for (const double value : values) {
      sum += std::exp(value - top);
    }
    return top + std::log(sum) + root_.diagonal().array().log().sum() +
           static_cast<double>(mean_.size()) * std::log(step);
  }

 private:
  [[nodiscard]] double log_joint(const Vector& theta) const {
    const Dataset& data = problem_.data;
    Matrix folded(data.folded_rows(), problem_.predictors());
    data.fold(theta, folded);
    double sum = 0.0;
    for (Index j = 0; j < theta.size(); ++j) {
      sum += std::log(prior_density(problem_.prior.terms()[static_cast<std::size_t>(j)], theta[j]));
    }
    std::vector<double> eta(static_cast<std::size_t>(problem_.predictors()));
    Vector scratch(data.columns());
    for (std::size_t n = 0; n < data.rows(); ++n) {
      data.predict_row(n, folded, eta.data(), scratch.data());
      const double trials = data.weight(n);  // one trial, or a weight of the test's own
      double value = 0.0;
      problem_.family->log_likelihoods(
          {eta.data(), 1, problem_.predictors(), Eigen::OuterStride<>(1)}, data.response(n), trials,
          {&value, 1});
      sum += value + problem_.family->log_constant(data.response(n), trials);
    }
    return sum;
  }

  const Problem& problem_;
  Vector mean_;
  Matrix root_;
};

FitSettings small_settings(const std::string& family, PriorKind prior) {
  FitSettings settings;
  settings.family = family;
  settings.prior = {.automatic = false, .kind = prior, .scale = 1.5};
  settings.engine = EngineKind::kRegular;
  settings.schedule = {.warmup = 500, .draws = 1000, .thin = 1};
  return settings;
}

class EvidenceOf : public ::testing::TestWithParam<const char*> {};

// One slope and an intercept (of two classes one each), and auxiliary parameters.
TEST_P(EvidenceOf, SmallProblemIsThatOfQuadrature) {
  constexpr std::size_t kRows = 25;
  constexpr std::uint64_t kTrials = 4;
  const bool ordered = std::string(GetParam()) == "ordinal";
  Table table = simulate({.family = GetParam(),
                          .rows = kRows,
                          .columns = 1,
                          .predictor_sd = 0.7,
                          .classes = ordered ? 3U : 2U,
                          .trials = kTrials,
                          .seed = 3});
  if (are_of_trials(find_family(GetParam()).response)) {
    table.trials.assign(kRows, kTrials);
  }
  Fit fit(table, small_settings(GetParam(), PriorKind::kNormal));
  fit.run();
  const ThetaDraws draws = theta_draws(fit.problem(), fit.chains(), 4000);
  ASSERT_LE(draws.theta.rows(), 4);
  const Evidence evidence = bridged_evidence(fit.problem(), draws, 1);
  ASSERT_TRUE(evidence.is_known());
  // Far tails of an auxiliary parameter are long; the rule of trapezoids is exact to the digit.
  const double known = Quadrature(fit.problem(), draws).log_evidence(12.0, 0.8) +
                       (ordered ? std::log(2.0) : 0.0);  // of the orders of two cut points
  EXPECT_NEAR(evidence.log.value, known, kBar);
  EXPECT_NEAR(evidence.log.value, known, 4.0 * evidence.log.se + 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Family, EvidenceOf,
                         ::testing::Values("logistic", "softmax", "student-t", "poisson", "probit",
                                           "binomial", "negative-binomial", "normal", "lognormal",
                                           "gamma", "exponential", "weibull", "log-logistic",
                                           "beta", "beta-binomial", "cloglog", "zip", "zinb",
                                           "hurdle-poisson", "ordinal"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(Evidence, UnderALaplacePriorIsThatOfQuadrature) {
  Fit fit(
      simulate({.family = "logistic", .rows = 25, .columns = 1, .predictor_sd = 0.7, .seed = 3}),
      small_settings("logistic", PriorKind::kLaplace));
  fit.run();
  const ThetaDraws draws = theta_draws(fit.problem(), fit.chains(), 4000);
  const Evidence evidence = bridged_evidence(fit.problem(), draws, 1);
  ASSERT_TRUE(evidence.is_known());
  const double known = Quadrature(fit.problem(), draws).log_evidence(9.0, 0.05);
  EXPECT_NEAR(evidence.log.value, known, kBar);
  EXPECT_NEAR(evidence.log.value, known, 4.0 * evidence.log.se + 1e-3);
}

// Standardised columns with means far from 0: theta comes back from the draws as it was.
TEST(Evidence, OfAnAutomaticPriorIsThatOfStandardisedColumns) {
  Table table =
      simulate({.family = "logistic", .rows = 200, .columns = 3, .predictor_sd = 1.0, .seed = 4});
  Table moved = table;
  for (std::size_t i = 0; i < moved.x.size(); ++i) {
    moved.x.data()[i] = 40.0 + 0.01 * moved.x.data()[i];
  }
  FitSettings settings = small_settings("logistic", PriorKind::kNormal);
  settings.prior = {};
  std::vector<LogEvidence> logs;
  for (Table* one : {&table, &moved}) {
    Fit fit(std::move(*one), settings);
    fit.run();
    const Evidence evidence =
        bridged_evidence(fit.problem(), theta_draws(fit.problem(), fit.chains(), 4000), 1);
    ASSERT_TRUE(evidence.is_known());
    logs.push_back(evidence.log);
  }
  EXPECT_NEAR(logs[0].value, logs[1].value, 4.0 * std::hypot(logs[0].se, logs[1].se));
}

TEST(Evidence, OfWeightedRowsIsThatOfRowsRepeated) {
  Table table =
      simulate({.family = "poisson", .rows = 30, .columns = 1, .predictor_sd = 0.5, .seed = 6});
  std::vector<std::size_t> twice;
  for (std::size_t n = 0; n < 60; ++n) {
    twice.push_back(n / 2);
  }
  Table repeated = copy_rows(table, twice, 1.0, 1);
  table.weights.assign(30, 2.0);
  std::vector<LogEvidence> logs;
  for (Table* one : {&table, &repeated}) {
    Fit fit(std::move(*one), small_settings("poisson", PriorKind::kNormal));
    fit.run();
    logs.push_back(
        bridged_evidence(fit.problem(), theta_draws(fit.problem(), fit.chains(), 4000), 1).log);
  }
  EXPECT_NEAR(logs[0].value, logs[1].value, 4.0 * std::hypot(logs[0].se, logs[1].se));
}

TEST(Evidence, IsNotAvailableUnderAFlatPriorNorFromFewDraws) {
  FitSettings settings = small_settings("logistic", PriorKind::kFlat);
  settings.schedule.draws = 10;
  const Table table =
      simulate({.family = "logistic", .rows = 200, .columns = 2, .predictor_sd = 1.0, .seed = 4});
  Fit flat(table, settings);
  flat.run();
  const auto of = [](const Fit& fit) {
    return bridged_evidence(fit.problem(), theta_draws(fit.problem(), fit.chains(), 4000), 1);
  };
  EXPECT_NE(of(flat).why_not.in(field_wording()).find("the prior is flat"), std::string::npos);
  settings.prior.kind = PriorKind::kNormal;
  Fit few(table, settings);
  few.run();
  EXPECT_NE(of(few).why_not.in(field_wording()).find("too few draws (40)"), std::string::npos);
}

// A model of medium size, and the log likelihood of its rows in R: of columns `x` (a first one of
// ones), responses `y`, coefficients `b` and the parameter beside them, `a`.
struct InR {
  const char* name;
  const char* family;
  const char* auxiliary;  // its name, or empty
  const char* log_likelihood;
  std::size_t rows = 400;
  std::size_t columns = 4;
  double predictor_sd = 0.8;
};

void PrintTo(const InR& one, std::ostream* out) { *out << one.name; }

// The draws as reported: an auxiliary parameter is above 0, on its own scale.
std::string draws_text(const Fit& fit) {
  std::vector<std::vector<double>> columns;
  std::string text;
  for (const ParameterName& parameter : fit.problem().parameters) {
    text += parameter.column + " ";
    columns.push_back(gather(fit.chains(), parameter.column));
  }
  for (std::size_t s = 0; s < columns.front().size(); ++s) {
    text += "\n";
    for (const std::vector<double>& column : columns) {
      text += fmt::format("{:.17g} ", column[s]);
    }
  }
  return text + "\n";
}

std::string rows_text(const Table& table) {
  std::string text;
  for (std::size_t n = 0; n < table.rows; ++n) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      text += fmt::format("{:.17g} ", table.x.data()[n * table.columns.size() + j]);
    }
    text += fmt::format("{:.17g}\n", table.response.values[n]);
  }
  return text;
}

// Value and standard error by R's package: its densities, its change of variables, its bridge.
LogEvidence bridge_in_r(const InR& one, const std::string& rows, const std::string& draws) {
  const TempDir dir;
  const std::string script = dir.write(
      "bridge.R",
      fmt::format(
          "d <- as.matrix(read.table('{}')); p <- ncol(d)\n"
          "draws <- as.matrix(read.table('{}', header = TRUE))\n"
          "known <- list(x = cbind(1, d[, -p]), y = d[, p])\n"
          "of <- grepl('^(alpha|beta)', colnames(draws))\n"
          "f <- function(all, data) {{ x <- data$x; y <- data$y; b <- all[of]; a <- all[!of]\n"
          "  {} + sum(dnorm(b, 0, 1.5, log = TRUE)) + sum(dexp(a, 1, log = TRUE)) }}\n"
          "set.seed(1)\n"
          "b <- bridgesampling::bridge_sampler(draws, log_posterior = f, data = known,\n"
          "  lb = setNames(ifelse(of, -Inf, 0), colnames(draws)),\n"
          "  ub = setNames(rep(Inf, ncol(draws)), colnames(draws)), silent = TRUE)\n"
          "e <- bridgesampling::error_measures(b)\n"
          "cat(sprintf('%.12g %.12g\\n', b$logml, sqrt(e$re2)))\n",
          dir.write("rows.txt", rows), dir.write("draws.txt", draws), one.log_likelihood));
  std::istringstream in_r(output_of_r(script));
  LogEvidence found;
  in_r >> found.value >> found.se;
  EXPECT_FALSE(in_r.fail());
  return found;
}

class EvidenceInR : public ::testing::TestWithParam<InR> {};

TEST_P(EvidenceInR, IsThatOfBridgesampling) {
  if (!has_r_package("bridgesampling")) {
    GTEST_SKIP() << "R's package bridgesampling is not here";
  }
  FitSettings settings = small_settings(GetParam().family, PriorKind::kNormal);
  settings.engine = EngineKind::kFly;
  if (*GetParam().auxiliary != '\0') {
    settings.prior_aux[GetParam().auxiliary] = "exponential(1)";
  }
  const Table table = simulate({.family = GetParam().family,
                                .rows = GetParam().rows,
                                .columns = GetParam().columns,
                                .predictor_sd = GetParam().predictor_sd,
                                .classes = 3,
                                .seed = 8});
  Fit fit(table, settings);
  fit.run();
  settings.engine = EngineKind::kRegular;
  const Problem problem = prepare(table, settings);
  const Evidence evidence = bridged_evidence(problem, theta_draws(problem, fit.chains(), 4000), 1);
  ASSERT_TRUE(evidence.is_known());
  const LogEvidence known = bridge_in_r(GetParam(), rows_text(table), draws_text(fit));
  ASSERT_LT(known.se, 0.1);
  EXPECT_NEAR(evidence.log.value, known.value, 3.0 * std::hypot(evidence.log.se, known.se));
}

INSTANTIATE_TEST_SUITE_P(
    Family, EvidenceInR,
    ::testing::Values(
        InR{"logistic", "logistic", "",
            "sum(plogis(ifelse(y > 0, 1, -1) * (x %*% b), log.p = TRUE))", 2000, 12, 1.5},
        InR{"poisson", "poisson", "", "sum(dpois(y, exp(x %*% b), log = TRUE))"},
        InR{"negativebinomial", "negative-binomial", "size",
            "sum(dnbinom(y, size = a, mu = exp(x %*% b), log = TRUE))"},
        InR{"gamma", "gamma", "shape", "sum(dgamma(y, a, rate = a * exp(-x %*% b), log = TRUE))"},
        InR{"softmax", "softmax", "",
            "{ e <- x %*% rbind(b[1:3], matrix(b[-(1:3)], ncol = 3))\n"
            "  sum(e[cbind(seq_along(y), y - min(y) + 1)]) - sum(log(rowSums(exp(e)))) }"}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace flymc::testing
