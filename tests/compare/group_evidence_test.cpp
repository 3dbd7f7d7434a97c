// Evidence where a coefficient varies by level: the integral of every level against a rule of many
// points, and the whole against the closed form of normal rows and against quadrature.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "compare/conjugate.hpp"
#include "compare/evidence.hpp"
#include "compare/level_integral.hpp"
#include "family/prior_constant.hpp"
#include "flymc/fit.hpp"

namespace flymc::testing {
namespace {

double log_of_sum(const Vector& values) {
  const double top = values.maxCoeff();
  return top + std::log((values.array() - top).exp().sum());
}

// Rows of levels 0, 1, ... in turn, so many each.
struct LevelsCase {
  const char* name;
  const char* family;
  std::vector<std::size_t> sizes;
  bool slope = false;  // of x, in the place of the intercept
};

FitSettings settings_of(const LevelsCase& of) {
  FitSettings settings;
  settings.family = of.family;
  settings.prior = {.automatic = false, .kind = PriorKind::kNormal, .scale = 1.5};
  GroupTerm term{.factor = "g"};
  if (of.slope) {
    term.intercept = false;
    term.slopes = {"x"};
  }
  settings.groups = {term};
  return settings;
}

// Responses are small counts, or classes; the first level has none above zero.
Table table_of(const LevelsCase& of, std::uint64_t seed) {
  Stream stream(seed, 5, Purpose::kTest, 0);
  Table table;
  table.columns = {"x"};
  table.response.name = "y";
  Factor g{.name = "g", .labels = {}, .codes = {}};
  const bool classes = std::string(of.family) == "logistic";
  const bool numbers = std::string(of.family) == "student-t" || std::string(of.family) == "normal";
  std::vector<double> x;
  for (std::size_t level = 0; level < of.sizes.size(); ++level) {
    g.labels.push_back(std::string(1, static_cast<char>('a' + level)));
    for (std::size_t i = 0; i < of.sizes[level]; ++i) {
      g.codes.push_back(static_cast<std::uint32_t>(level));
      x.push_back(stream.normal());
      const double count = std::floor((classes ? 2.0 : 5.0) * stream.uniform());
      table.response.values.push_back(numbers ? 2.0 * stream.normal() : level == 0 ? 0.0 : count);
    }
  }
  table.rows = x.size();
  table.x.resize(x.size());
  std::copy(x.begin(), x.end(), table.x.data());
  table.factors = {g};
  return table;
}

// log int prod p(y_n | theta, u) N(u; 0, tau^2) du of one level, by 4,001 points over 12 tau.
double brute_integral(const Problem& problem, std::size_t level, const Vector& theta, double tau,
                      bool slope) {
  constexpr Index kPoints = 4001;
  const double h = 24.0 * tau / static_cast<double>(kPoints - 1);
  const Vector u = Vector::LinSpaced(kPoints, -12.0 * tau, 12.0 * tau);
  Vector sum = (-0.5 * u.array().square() / (tau * tau)).matrix();
  std::vector<double> one(kPoints);
  Matrix eta(kPoints, problem.predictors());
  for (std::size_t n = 0; n < problem.data.rows(); ++n) {
    if (problem.data.factors().front().codes[n] != level) {
      continue;
    }
    const RowMatrix x = standardised(problem.data, std::vector<std::size_t>{n});
    eta.setConstant(theta.size() > 2 ? theta[2] : 0.0);
    eta.col(0) = (theta[0] + theta[1] * x(0, 1) + (slope ? x(0, 1) : 1.0) * u.array()).matrix();
    log_densities(problem, n, {eta.data(), kPoints, eta.cols(), Eigen::OuterStride<>(kPoints)},
                  one);
    sum += Eigen::Map<const Vector>(one.data(), kPoints);
  }
  return log_of_sum(sum) + std::log(h / tau) - 0.5 * std::log(2.0 * std::numbers::pi);
}

class LevelIntegralsOf : public ::testing::TestWithParam<LevelsCase> {};

TEST_P(LevelIntegralsOf, AreThoseOfManyPoints) {
  const LevelsCase& of = GetParam();
  const Problem problem = prepare(table_of(of, 3), settings_of(of));
  const Index parameters = problem.data.design().parameters(problem.predictors());
  const Vector tau{{0.02, 0.3, 1.0, 3.0}};
  Matrix at(parameters + 1, tau.size());
  Stream stream(8, 6, Purpose::kTest, 0);
  for (double& value : at.reshaped()) {
    value = 0.7 * stream.normal();
  }
  at.bottomRows(1) = tau.array().log().matrix().transpose();
  Matrix levels(50, static_cast<Index>(of.sizes.size()));  // somewhere near
  for (double& value : levels.reshaped()) {
    value = 0.3 + 0.6 * stream.normal();
  }
  const Matrix common = Matrix::Zero(parameters + 1, 50);
  const LevelIntegrals integrals = level_integrals(problem, {common, levels}, at);
  for (Index s = 0; s < tau.size(); ++s) {
    double sum = 0.0;
    for (std::size_t level = 0; level < of.sizes.size(); ++level) {
      sum += brute_integral(problem, level, at.col(s).head(parameters), tau[s], of.slope);
    }
    EXPECT_LT(integrals.errors[s], 0.01) << tau[s];
    EXPECT_NEAR(integrals.values[s], sum, 1e-4 + integrals.errors[s]) << tau[s];
  }
}

INSTANTIATE_TEST_SUITE_P(Family, LevelIntegralsOf,
                         ::testing::Values(LevelsCase{"logistic", "logistic", {1, 1, 4, 40}},
                                           LevelsCase{"slopes", "logistic", {5, 9, 30}, true},
                                           LevelsCase{"poisson", "poisson", {1, 2, 30}},
                                           LevelsCase{"sizes", "negative-binomial", {3, 6, 20}},
                                           LevelsCase{"robust", "student-t", {2, 5, 40}}),
                         [](const auto& one) { return std::string(one.param.name); });

LogEvidence evidence_of_fit(const Fit& fit) {
  const Evidence found =
      bridged_evidence_of_levels(fit.problem(), linear_draws(fit.problem(), fit.chains(), 4000), 1);
  EXPECT_TRUE(found.is_known()) << found.why_not.in(field_wording());
  return found.log;
}

// log int p(tau) f(log tau) d log tau, the law of tau being that of the problem.
template <class LogLikelihood>
double over_scales(const Problem& problem, const LogLikelihood& log_likelihood, double low = -9.0,
                   double step = 0.1) {
  const Prior law({problem.groups->sd_priors.front()});
  constexpr Index kPoints = 120;
  Vector values(kPoints);
  for (Index i = 0; i < kPoints; ++i) {
    const Vector at = Vector::Constant(1, low + step * static_cast<double>(i));
    values[i] = law.log_density(at) + log_constant(law) + log_likelihood(std::exp(at[0]));
  }
  return log_of_sum(values) + std::log(step);
}

// log N(y; 0, V + s^2 X X'), V = sigma^2 I + tau^2 Z Z' by levels of as many rows each: of a level
// V^-1 a = (a - shrunk mean of a)/sigma^2, and X is taken in by the matrix determinant lemma.
double log_normal_levels(const Table& table, std::size_t each, double tau) {
  constexpr double kNoise = 1.44;
  constexpr double kPrior = 2.25;
  const auto n = static_cast<Index>(table.rows);
  const auto m = static_cast<double>(each);
  Matrix a(n, 3);  // 1, x, y
  for (Index i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    a.row(i) << 1.0, table.x.data()[row], table.response.values[row];
  }
  const double shrink = m * tau * tau / (m * tau * tau + kNoise);
  Matrix solved = a;
  for (Index first = 0; first < n; first += static_cast<Index>(each)) {
    auto level = solved.middleRows(first, static_cast<Index>(each));
    level.rowwise() -= shrink * level.colwise().mean().eval();
  }
  const Matrix gram = a.transpose() * solved / kNoise;
  const Matrix inner = Matrix::Identity(2, 2) / kPrior + gram.topLeftCorner(2, 2);
  const Vector cross = gram.col(2).head(2);
  const double log_det = static_cast<double>(n) * std::log(kNoise) +
                         static_cast<double>(n) / m * std::log1p(m * tau * tau / kNoise) +
                         std::log(inner.determinant()) + 2.0 * std::log(kPrior);
  return -0.5 * (gram(2, 2) - cross.dot(inner.ldlt().solve(cross)) + log_det +
                 static_cast<double>(n) * std::log(2.0 * std::numbers::pi));
}

// y ~ N(0, sigma^2 I + s^2 X X' + tau^2 Z Z').
TEST(GroupEvidence, OfANormalRegressionIsTheClosedForm) {
  const LevelsCase of{"normal", "normal", {3, 8, 5, 12, 7, 4, 9, 6}};
  FitSettings settings = settings_of(of);
  settings.own = {{"sigma", 1.2}};
  settings.schedule = {.warmup = 300, .draws = 1000, .thin = 1};
  const Table table = table_of(of, 4);
  Fit fit(table, settings);
  fit.run();
  const auto n = static_cast<Index>(table.rows);
  Matrix x = Matrix::Ones(n, 2);
  Matrix z = Matrix::Zero(n, 8);
  Vector y(n);
  for (Index i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    x(i, 1) = table.x.data()[row];
    z(i, table.factors.front().codes[row]) = 1.0;
    y[i] = table.response.values[row];
  }
  const double expected = over_scales(fit.problem(), [&](double tau) {
    const Eigen::LLT<Matrix> factor(1.44 * Matrix::Identity(n, n) + 2.25 * x * x.transpose() +
                                    tau * tau * z * z.transpose());
    return -0.5 * y.dot(factor.solve(y)) - factor.matrixLLT().diagonal().array().log().sum() -
           0.5 * static_cast<double>(n) * std::log(2.0 * std::numbers::pi);
  });
  const LogEvidence found = evidence_of_fit(fit);
  EXPECT_LT(found.se, 0.05);
  EXPECT_NEAR(found.value, expected, 4.0 * found.se);
}

// Levels whose modes move by many of their widths with the intercept, and more levels than an error
// of a millionth each would leave a number for.
TEST(GroupEvidence, OfFewLargeLevelsAndOfManyIsTheClosedForm) {
  for (const auto& [levels, each] : {std::pair<std::size_t, std::size_t>{6, 150}, {3000, 2}}) {
    Stream stream(9, 7, Purpose::kTest, levels);
    Table table;
    table.columns = {"x"};
    table.response.name = "y";
    table.rows = levels * each;
    table.x.resize(table.rows);
    Factor g{.name = "g", .labels = {}, .codes = {}};
    for (std::size_t level = 0; level < levels; ++level) {
      g.labels.push_back(fmt::format("{:04}", level));
      const double u = 4.0 * stream.normal();
      for (std::size_t i = 0; i < each; ++i) {
        table.x.data()[g.codes.size()] = stream.normal();
        g.codes.push_back(static_cast<std::uint32_t>(level));
        table.response.values.push_back(u + 1.2 * stream.normal());
      }
    }
    table.factors = {g};
    FitSettings settings = settings_of({"", "normal", {}});
    settings.own = {{"sigma", 1.2}};
    settings.levels = flymc::LevelDraws::kAll;
    settings.schedule = {.warmup = 300, .draws = 400, .thin = 1};
    Fit fit(table, settings);
    fit.run();
    const auto likelihood = [&](double tau) { return log_normal_levels(table, each, tau); };
    const double expected = levels < 100 ? over_scales(fit.problem(), likelihood)
                                         : over_scales(fit.problem(), likelihood, 1.15, 0.004);
    const LogEvidence found = evidence_of_fit(fit);
    EXPECT_LT(found.se, 0.1);
    EXPECT_NEAR(found.value, expected, 4.0 * found.se) << levels;
  }
}

class GroupEvidenceOf : public ::testing::TestWithParam<LevelsCase> {};

TEST_P(GroupEvidenceOf, SmallProblemIsThatOfQuadrature) {
  const LevelsCase& of = GetParam();
  FitSettings settings = settings_of(of);
  settings.schedule = {.warmup = 500, .draws = 2000, .thin = 2};
  Fit fit(table_of(of, 5), settings);
  fit.run();
  const Problem& problem = fit.problem();
  const double constant = log_prior_constant(problem);
  const Matrix common = Matrix::Zero(3, 100);  // no guess but where levels lie
  const LinearDraws draws = linear_draws(problem, fit.chains(), 100);
  const Matrix& levels = draws.levels->terms.front().levels.front();
  const double expected = over_scales(problem, [&](double tau) {
    constexpr Index kPoints = 25;  // of each coefficient
    constexpr double kStep = 0.32;
    Matrix at(3, kPoints * kPoints);
    Vector values(at.cols());
    for (Index i = 0; i < values.size(); ++i) {
      at.col(i) << kStep * static_cast<double>(i % kPoints - kPoints / 2),
          kStep * static_cast<double>(i / kPoints - kPoints / 2), std::log(tau);
      values[i] = problem.prior.log_density(at.col(i).head(2)) + constant;
    }
    values += level_integrals(problem, {common, levels}, at).values;
    return log_of_sum(values) + 2.0 * std::log(kStep);
  });
  const LogEvidence found = evidence_of_fit(fit);
  EXPECT_LT(found.se, 0.05);
  EXPECT_NEAR(found.value, expected, 4.0 * found.se);
}

INSTANTIATE_TEST_SUITE_P(Family, GroupEvidenceOf,
                         ::testing::Values(LevelsCase{"logistic", "logistic", {4, 7, 6, 9}},
                                           LevelsCase{"poisson", "poisson", {2, 4, 7}}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace flymc::testing
