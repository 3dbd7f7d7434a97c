// A normal linear regression by sums over its rows: density, marginal and evidence against the rows
// themselves, and whole chains against a grid over intercept, slope and log sigma.
#include "linear/linear_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "flymc/error.hpp"
#include "linear/linear_chain.hpp"
#include "support/exact_stats.hpp"
#include "support/thread_ranks.hpp"

namespace flymc {
namespace {

constexpr std::size_t kRows = 12;

struct LinearCase {
  const char* name;
  const char* family = "normal";
  std::vector<PriorTerm> coefficients;
  std::vector<PriorTerm> sigma{};  // its law; none: 0.7
};

const std::vector<LinearCase>& linear_cases() {
  const PriorTerm flat{.kind = PriorKind::kFlat};
  const PriorTerm exponential{.kind = PriorKind::kExponential, .scale = 0.4};
  const PriorTerm half_t{.kind = PriorKind::kHalfT, .scale = 0.5, .shape = 3.0};
  // tight ones, away from what the rows say: R bends with sigma
  const PriorTerm above{.location = 1.2, .scale = 0.3};
  const PriorTerm below{.location = -0.2, .scale = 0.2};
  static const std::vector<LinearCase> all = {
      {.name = "Flat", .coefficients = {flat, flat}, .sigma = {exponential}},
      {.name = "Normal", .coefficients = {above, below}, .sigma = {half_t}},
      {.name = "FlatIntercept", .coefficients = {flat, below}, .sigma = {exponential}},
      {.name = "Lognormal",
       .family = "lognormal",
       .coefficients = {above, below},
       .sigma = {exponential}},
      {.name = "KnownSigmaFlat", .coefficients = {flat, flat}},
      {.name = "KnownSigma", .coefficients = {above, below}},
      {.name = "LognormalKnownSigma", .family = "lognormal", .coefficients = {above, below}},
  };
  return all;
}

// y = 0.4 + 0.5 x + offset + 0.7 normal, or e to that; weights 1 and 2, one row of weight 0.
Table linear_table(bool positive = false, double shift = 0.0, double unit = 1.0) {
  Stream stream(31, 0, Purpose::kTest, 0);
  Table table;
  table.rows = kRows;
  table.columns = {"x"};
  for (std::size_t n = 0; n < kRows; ++n) {
    table.x.push_back(stream.normal() + 0.5);
    table.offset.push_back(unit * 0.8 * stream.normal());
    table.weights.push_back(n == 4 ? 0.0 : 1.0 + static_cast<double>(stream.below(2)));
    const double y =
        shift + unit * (0.4 + 0.5 * table.x.back() + 0.7 * stream.normal()) + table.offset.back();
    table.response.values.push_back(positive ? std::exp(y) : y);
  }
  return table;
}

struct LinearRows {
  explicit LinearRows(const LinearCase& of, Table table)
      : type(of.sigma.empty() ? find_family(of.family).with({{"sigma", 0.7}})
                              : find_family(of.family)),
        family(type.make(of.sigma.empty() ? Settings{{"sigma", 0.7}} : Settings{}, 0)),
        data(std::move(table), options_of(of)),
        prior(terms_of(of)),
        law({.data = data,
             .family = *family,
             .prior = prior,
             .log_sigma = of.sigma.empty() ? std::log(0.7) : 0.0}) {}
  explicit LinearRows(const LinearCase& of)
      : LinearRows(of, linear_table(of.family == std::string("lognormal"))) {}

  static Dataset::Options options_of(const LinearCase& of) {
    Dataset::Options options;
    if (!of.sigma.empty()) {
      options.predictors = {{0, 1}, {0}};
    }
    return options;
  }
  static Prior terms_of(const LinearCase& of) {
    std::vector<PriorTerm> terms = of.coefficients;
    terms.insert(terms.end(), of.sigma.begin(), of.sigma.end());
    return Prior(terms);
  }

  // The definition, row by row.
  [[nodiscard]] double log_posterior(const Vector& theta) const {
    double sum = prior.log_density(theta), scratch = 0.0;
    for (std::size_t n = 0; n < data.rows(); ++n) {
      const Dataset::Row row = data.row(n, &scratch);
      std::vector<double> eta{theta[0] + theta[1] * row.raw[0] + row.offset};
      if (theta.size() > 2) {
        eta.push_back(theta[2]);
      }
      double value = 0.0;
      family->log_likelihoods(
          {eta.data(), 1, static_cast<Index>(eta.size()), Eigen::OuterStride<>(1)}, row.response,
          1.0, {&value, 1});
      sum += row.weight * value;
    }
    return sum;
  }

  const FamilyType& type;
  std::shared_ptr<const Family> family;
  Dataset data;
  Prior prior;
  LinearLaw law;
};

constexpr std::size_t kMoments = 10;  // of (a, b, s), their products, and sigma^2

std::array<double, kMoments> moments_of(const Vector& theta, double log_sigma) {
  const double a = theta[0], b = theta[1], s = log_sigma;
  return {a, b, s, a * a, a * b, b * b, a * s, b * s, s * s, std::exp(2.0 * s)};
}

struct GridIntegral {
  double log_total = -1e300;
  std::array<double, kMoments> means{};
};

// Over intercept and slope at this sigma, in its units about 0.4 and 0.5, added to what is there.
void add_plane(const LinearRows& rows, double log_sigma, GridIntegral& integral) {
  constexpr double kStep = 0.25, kReach = 11.0;
  const double unit = std::exp(log_sigma) / std::sqrt(static_cast<double>(kRows));
  Vector theta(rows.law.dimension());
  theta.tail(1)[0] = log_sigma;
  for (double u = -kReach; u <= kReach; u += kStep) {
    for (double v = -kReach; v <= kReach; v += kStep) {
      theta[0] = 0.4 + unit * u;
      theta[1] = 0.5 + unit * v;
      const double log_mass = rows.log_posterior(theta) + 2.0 * std::log(unit * kStep);
      const double top = std::max(log_mass, integral.log_total);
      const double before = std::exp(integral.log_total - top), here = std::exp(log_mass - top);
      const auto moments = moments_of(theta, log_sigma);
      for (std::size_t k = 0; k < kMoments; ++k) {
        integral.means[k] = (before * integral.means[k] + here * moments[k]) / (before + here);
      }
      integral.log_total = top + std::log(before + here);
    }
  }
}

GridIntegral grid_of(const LinearRows& rows) {
  GridIntegral integral;
  if (!rows.law.infers_sigma()) {
    add_plane(rows, std::log(0.7), integral);
    return integral;
  }
  constexpr double kStep = 0.05;
  for (double s = -2.0; s <= 2.0; s += kStep) {
    add_plane(rows, s, integral);
  }
  integral.log_total += std::log(kStep);
  return integral;
}

class LinearLawOf : public ::testing::TestWithParam<LinearCase> {};

TEST_P(LinearLawOf, LogPosteriorIsAsDefined) {
  const LinearRows rows(GetParam());
  Stream stream(5, 0, Purpose::kTest, 0);
  Vector theta(rows.law.dimension());
  for (int i = 0; i < 50; ++i) {
    for (double& value : theta) {
      value = 1.5 * stream.normal();
    }
    const double defined = rows.log_posterior(theta);
    EXPECT_NEAR(rows.law.log_posterior(theta), defined, 1e-12 * (1.0 + std::abs(defined)));
  }
}

TEST_P(LinearLawOf, MarginalIsTheIntegralOverCoefficients) {
  const LinearRows rows(GetParam());
  const std::vector<double> places = rows.law.infers_sigma()
                                         ? std::vector<double>{-0.8, -0.5, -0.1, 0.6}
                                         : std::vector<double>{std::log(0.7)};
  for (const double s : places) {
    GridIntegral integral;
    add_plane(rows, s, integral);
    EXPECT_NEAR(rows.law.log_marginal(s), integral.log_total, 1e-7) << s;
  }
}

TEST_P(LinearLawOf, EvidenceIsThatOfTheGrid) {
  const LinearRows rows(GetParam());
  EXPECT_NEAR(rows.law.log_evidence(), grid_of(rows).log_total, 1e-6);
}

TEST_P(LinearLawOf, ChainHasTheMomentsOfTheGrid) {
  constexpr std::size_t kDraws = 100'000;
  const LinearRows rows(GetParam());
  const GridIntegral expected = grid_of(rows);
  const Streams streams{7, 0};
  ChainCore chain(linear_parts(rows.law, streams),
                  linear_start(rows.law, streams.at(1, Purpose::kInit)));
  std::vector<exact::BatchMean> means(kMoments, exact::BatchMean(kDraws));
  double before = 0.0;
  exact::BatchMean product(kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) {
    std::ignore = chain.iterate({});
    const Vector& theta = chain.current().zeta;
    const double s = rows.law.log_sigma(theta);
    const auto moments = moments_of(theta, s);
    for (std::size_t k = 0; k < kMoments; ++k) {
      means[k].add(moments[k]);
    }
    const double off = s - expected.means[2];
    product.add(off * before);
    before = off;
  }
  for (std::size_t k = 0; k < kMoments; ++k) {
    EXPECT_LE(std::abs(means[k].mean() - expected.means[k]),
              exact::kZThreshold * means[k].standard_error() + 1e-9)
        << "moment " << k << ": " << means[k].mean() << " for " << expected.means[k];
  }
  // draws are as good as independent
  const double variance = expected.means[8] - expected.means[2] * expected.means[2];
  EXPECT_LE(std::abs(product.mean()), 0.03 * variance + 1e-12);
  EXPECT_EQ(chain.density().queries_total(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Cases, LinearLawOf, ::testing::ValuesIn(linear_cases()),
                         [](const auto& one) { return std::string(one.param.name); });

std::vector<Vector> some_draws(const LinearLaw& law, std::size_t count) {
  const Streams streams{3, 0};
  ChainCore chain(linear_parts(law, streams), linear_start(law, streams.at(1, Purpose::kInit)));
  std::vector<Vector> draws;
  for (std::size_t i = 0; i < count; ++i) {
    std::ignore = chain.iterate({});
    draws.push_back(chain.current().zeta);
  }
  return draws;
}

const LinearCase kScaleFree{
    .name = "ScaleFree",
    .coefficients = {{.kind = PriorKind::kFlat}, {.kind = PriorKind::kFlat}},
    .sigma = {{.kind = PriorKind::kUniform}}};

// Under flat priors another origin and another unit of the response give the same draws in them,
// to the eight digits that a search for a maximum has, and those that the response has there.
TEST(LinearLaw, DrawsMoveWithOriginAndUnit) {
  const std::vector<Vector> draws = some_draws(LinearRows(kScaleFree).law, 200);
  const std::vector<Vector> scaled =
      some_draws(LinearRows(kScaleFree, linear_table(false, 0.0, 1e6)).law, 200);
  const std::vector<Vector> shifted =
      some_draws(LinearRows(kScaleFree, linear_table(false, 1e9, 1.0)).law, 200);
  for (std::size_t i = 0; i < draws.size(); ++i) {
    EXPECT_NEAR(scaled[i][0], 1e6 * draws[i][0], 0.5);
    EXPECT_NEAR(scaled[i][1], 1e6 * draws[i][1], 0.5);
    EXPECT_NEAR(scaled[i][2], draws[i][2] + std::log(1e6), 5e-7);
    EXPECT_NEAR(shifted[i][0] - 1e9, draws[i][0], 2e-6);
    EXPECT_NEAR(shifted[i][1], draws[i][1], 2e-6);
    EXPECT_NEAR(shifted[i][2], draws[i][2], 2e-6);
  }
}

// With the coefficients integrated out y ~ N(X m, sigma^2 I + X P^-1 X'), however few the rows are,
// and however far from what the prior wants: where sigma is small, differences of large numbers
// would be rounding, and that a mode of its own.
class FewRows : public ::testing::TestWithParam<double> {};

TEST_P(FewRows, MarginalIsTheNormalDensityOfTheResponse) {
  constexpr Index kFew = 6, kColumns = 9;
  constexpr double kScale = 1.7, kMean = 0.4;
  Stream stream(19, 0, Purpose::kTest, 0);
  Table table;
  table.rows = kFew;
  Matrix x = Matrix::Ones(kFew, kColumns + 1);
  Vector y(kFew);
  for (Index n = 0; n < kFew; ++n) {
    for (Index j = 1; j <= kColumns; ++j) {
      x(n, j) = stream.normal();
      table.x.push_back(x(n, j));
    }
    y[n] = GetParam() + 3.0 * x(n, 1) + stream.normal();
    table.response.values.push_back(y[n]);
  }
  std::vector<Index> all{0};
  for (Index j = 1; j <= kColumns; ++j) {
    table.columns.push_back("x" + std::to_string(j));
    all.push_back(j);
  }
  const Dataset data(table, {.center = {}, .scale = {}, .predictors = {all, {0}}});
  const auto family = find_family("normal").make({}, 0);
  std::vector<PriorTerm> terms(kColumns + 1, {.location = kMean, .scale = kScale});
  terms.push_back({.kind = PriorKind::kExponential, .scale = 0.5});
  const Prior prior(terms), of_sigma({terms.back()});
  const LinearLaw law({.data = data, .family = *family, .prior = prior});
  const Vector off = y - x * Vector::Constant(kColumns + 1, kMean);
  const double left_out = static_cast<double>(kColumns + 1) * std::log(kScale) +
                          0.5 * static_cast<double>(kColumns + 1) * std::log(2.0 * std::acos(-1.0));
  for (const double s : {-20.0, -15.0, -11.0, -7.0, -3.0, -1.0, 0.0, 2.0, 5.0}) {
    Matrix covariance = kScale * kScale * x * x.transpose();
    covariance.diagonal().array() += std::exp(2.0 * s);
    const Eigen::LLT<Matrix> llt(covariance);
    const double known = -0.5 * off.dot(llt.solve(off)) -
                         llt.matrixLLT().diagonal().array().log().sum() + left_out +
                         of_sigma.log_density(Vector::Constant(1, s));
    EXPECT_NEAR(law.log_marginal(s), known, 1e-9 * (100.0 + std::abs(known))) << s;
  }
}

INSTANTIATE_TEST_SUITE_P(Responses, FewRows, ::testing::Values(2.0, 50.0, -1e4));

// Three rows far from what a prior expects: either the prior is right and noise is wide, or rows
// are and it is narrow, as narrow as it may be. Both have their share of the draws. Of the density:
// y ~ N(0, sigma^2 I + tau^2 11'), whose eigenvalues are sigma^2, twice, and sigma^2 + 3 tau^2.
class TwoModes : public ::testing::TestWithParam<std::pair<double, double>> {};

TEST_P(TwoModes, HaveTheirShares) {
  constexpr std::size_t kDraws = 50'000;
  const auto [apart, tau] = GetParam();
  Table table;
  table.rows = 3;
  table.response.values = {6.0 - 3.0 * apart, 6.0, 6.0 + 5.0 * apart};
  const Dataset data(table, {.center = {}, .scale = {}, .predictors = {{0}, {0}}});
  const auto family = find_family("normal").make({}, 0);
  const Prior prior({{.scale = tau}, {.kind = PriorKind::kHalfT, .scale = 1.0, .shape = 3.0}});
  const LinearLaw law({.data = data, .family = *family, .prior = prior});
  double narrow = 0.0, all = 0.0;
  const double wide = tau * tau * 3.0;
  double mean = 0.0, squares = 0.0;
  for (const double y : table.response.values) {
    mean += y / 3.0;
  }
  for (const double y : table.response.values) {
    squares += (y - mean) * (y - mean);
  }
  const auto defined = [&](double s) {
    const double variance = std::exp(2.0 * s);
    return -2.0 * s - 0.5 * std::log(variance + wide) - 0.5 * squares / variance -
           1.5 * mean * mean / (variance + wide) + s - 2.0 * std::log1p(variance / 3.0);
  };
  const double left_out = law.log_marginal(0.0) - defined(0.0);
  for (double s = -30.0; s < 16.0; s += 0.005) {
    const double mass = std::exp(defined(s) + left_out - law.log_marginal(law.sigma().top()));
    all += mass;
    narrow += s < -2.0 ? mass : 0.0;
    EXPECT_NEAR(law.log_marginal(s), defined(s) + left_out, 1e-6 * (10.0 + std::abs(defined(s))))
        << s;
  }
  const double share = narrow / all;
  ASSERT_GT(share, 0.02);
  ASSERT_LT(share, 0.98);
  exact::BatchMean is_narrow(kDraws);
  for (const Vector& theta : some_draws(law, kDraws)) {
    is_narrow.add(theta[1] < -2.0 ? 1.0 : 0.0);
  }
  EXPECT_LT(std::abs(is_narrow.z_score(share)), exact::kZThreshold)
      << is_narrow.mean() << " for " << share;
}

INSTANTIATE_TEST_SUITE_P(Responses, TwoModes,
                         ::testing::Values(std::pair{1e-4, 1.0}, std::pair{1e-7, 0.85},
                                           std::pair{1e-8, 0.85}));

Table many_rows(Ranks& ranks) {
  const std::vector<std::size_t> sections{900, 300, 1500, 800};
  Table table;
  table.columns = {"x"};
  table.shard = Shard(ranks, testing::dealt(ranks, sections));
  Stream stream(13, 0, Purpose::kTest, 0);
  for (std::size_t n = 0; n < 3500; ++n) {
    const double x = stream.normal(), y = 0.4 + 0.5 * x + stream.normal();
    if (table.shard.holds(n)) {
      table.x.push_back(x);
      table.response.values.push_back(y);
      ++table.rows;
    }
  }
  return table;
}

// As they are held: the same bits.
TEST(LinearLaw, IsTheSameForAnyNumberOfThreadsAndRanks) {
  const auto draws_of = [](Ranks& ranks, unsigned threads) {
    const Dataset data(many_rows(ranks), LinearRows::options_of(kScaleFree));
    const auto family = find_family("normal").make({}, 0);
    const Prior prior = LinearRows::terms_of(kScaleFree);
    const LinearLaw law(
        {.data = data, .family = *family, .prior = prior, .log_sigma = 0.0, .threads = threads});
    EXPECT_EQ(law.passes(), 2);
    EXPECT_EQ(law.queries(), 2U * 3500U);
    return some_draws(law, 20);
  };
  const std::vector<Vector> alone = draws_of(single_process(), 1);
  EXPECT_EQ(draws_of(single_process(), 4), alone);
  testing::on_ranks(3, [&](Ranks& ranks) { EXPECT_EQ(draws_of(ranks, 1), alone); });
}

std::string why_not(const LinearCase& of, Table table) {
  try {
    const LinearRows rows(of, std::move(table));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(LinearLaw, RefusesWhatIsNotProper) {
  Table line = linear_table();
  line.offset.clear();
  for (std::size_t n = 0; n < kRows; ++n) {
    line.response.values[n] = 3.0 + 2.0 * line.x[n];
  }
  EXPECT_NE(why_not(linear_cases()[0], line).find("without noise"), std::string::npos);
  Table few = linear_table();
  few.rows = 3;
  few.x.resize(3);
  few.response.values.resize(3);
  few.offset.resize(3);
  few.weights = {1.0, 1.0, 1.0};
  EXPECT_NE(why_not(kScaleFree, few).find("not proper"), std::string::npos);
  // far out (k - N) log sigma + log p(sigma), k coefficients: weights of 10^-3 leave that of half-t
  Table light = linear_table();
  std::ranges::fill(light.weights, 1e-3);
  EXPECT_EQ(why_not(linear_cases()[1], light), "");
  LinearCase loose = linear_cases()[0];
  loose.sigma = {{.kind = PriorKind::kHalfT, .scale = 0.5, .shape = 1.0}};
  EXPECT_NE(why_not(loose, light).find("not proper"), std::string::npos);
  Table same = linear_table();
  for (double& x : same.x) {
    x = 1.0;
  }
  EXPECT_NE(why_not(kScaleFree, same).find("linearly dependent"), std::string::npos);
}

// A narrow and a wide normal density, 30 of the wide's standard deviations apart.
TEST(ScalarLaw, IntegralIsThatOfBothMaxima) {
  const auto log_density = [](double x) {
    const double wide = (x - 20.0) / 0.8, narrow = (x + 4.0) / 0.01;
    const double log_wide = std::log(3.0 / 0.8) - 0.5 * wide * wide;
    const double log_narrow = std::log(1.0 / 0.01) - 0.5 * narrow * narrow;
    const double top = std::max(log_wide, log_narrow);
    return top + std::log(std::exp(log_wide - top) + std::exp(log_narrow - top));
  };
  const ScalarLaw law(log_density, -10.0, 30.0);
  EXPECT_NEAR(law.top(), -4.0, 1e-6);
  EXPECT_NEAR(law.log_integral(log_density), std::log(4.0 * std::sqrt(2.0 * std::acos(-1.0))),
              1e-9);
}

}  // namespace
}  // namespace flymc
