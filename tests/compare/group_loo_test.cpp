// Leave-one-out where coefficients vary by level: against the closed form of normal levels and
// rows, and with the predictors that prediction has.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "compare/conjugate.hpp"
#include "compare/loo.hpp"
#include "flymc/fit.hpp"
#include "predict/predictor.hpp"

namespace flymc::testing {
namespace {

Factor factor_of(const std::string& name, std::size_t rows, std::size_t levels, Stream& stream) {
  Factor factor{.name = name, .labels = {}, .codes = {}};
  for (std::size_t level = 0; level < levels; ++level) {
    factor.labels.push_back(std::string(1, static_cast<char>('a' + level)));
  }
  for (std::size_t n = 0; n < rows; ++n) {  // every level has rows
    factor.codes.push_back(static_cast<std::uint32_t>(
        n < levels ? n : static_cast<std::size_t>(stream.uniform() * static_cast<double>(levels))));
  }
  return factor;
}

// Normal rows of known scale, an intercept, a slope, and two factors whose levels have a known
// spread: (1 + x | g) without correlation, (1 | h).
class ConjugateGroups {
 public:
  ConjugateGroups(std::size_t rows, std::uint64_t seed, double spread = 0.7) : spread_(spread) {
    Stream stream(seed, 2, Purpose::kTest, rows);
    table_.rows = rows;
    table_.columns = {"x"};
    table_.response.name = "y";
    table_.factors = {factor_of("g", rows, kLevels[0], stream),
                      factor_of("h", rows, kLevels[1], stream)};
    w_ = Matrix::Zero(static_cast<Index>(rows), 2 + kG + kG + kH);
    Vector truth(w_.cols());
    for (Index j = 0; j < truth.size(); ++j) {
      truth[j] = (j < 2 ? 1.0 : spread) * stream.normal();
    }
    table_.x.resize(rows);
    y_.resize(w_.rows());
    for (Index n = 0; n < w_.rows(); ++n) {
      const auto i = static_cast<std::size_t>(n);
      const double x = stream.normal();
      table_.x.data()[i] = x;
      w_(n, 0) = 1.0;
      w_(n, 1) = x;
      w_(n, 2 + table_.factors[0].codes[i]) = 1.0;
      w_(n, 2 + kG + table_.factors[0].codes[i]) = x;
      w_(n, 2 + 2 * kG + table_.factors[1].codes[i]) = 1.0;
      y_[n] = w_.row(n).dot(truth) + Conjugate::kSigma * stream.normal();
      table_.response.values.push_back(y_[n]);
    }
    Vector prior = Vector::Constant(w_.cols(), 1.0 / (spread * spread));
    prior.head(2).setConstant(1.0 / (Conjugate::kPriorSd * Conjugate::kPriorSd));
    Matrix precision = w_.transpose() * w_ / kVariance;
    precision.diagonal() += prior;
    precision_.compute(precision);
    mean_ = precision_.solve(w_.transpose() * y_ / kVariance);
  }

  [[nodiscard]] Problem problem() const {
    FitSettings settings;
    settings.family = "normal";
    settings.own = {{"sigma", Conjugate::kSigma}};
    settings.prior = {.automatic = false, .kind = PriorKind::kNormal, .scale = Conjugate::kPriorSd};
    settings.engine = EngineKind::kRegular;
    settings.groups = {g_, h_};
    return prepare(table_, settings);
  }

  [[nodiscard]] LinearDraws draws(std::size_t count, std::uint64_t seed) const {
    Stream stream(seed, 3, Purpose::kTest, count);
    Matrix unit(mean_.size(), static_cast<Index>(count));
    for (double& value : unit.reshaped()) {
      value = stream.normal();
    }
    const Matrix all = precision_.matrixU().solve(unit).colwise() + mean_;
    const auto levels = [&](Index first, Index size) -> Matrix {
      return all.middleRows(first, size).transpose();
    };
    const auto scales = [&](Index q) {
      return std::vector<Matrix>(count, spread_ * Matrix::Identity(q, q));
    };
    return {
        {all.topRows(2), 4},
        GroupDraws{
            {{g_, 0, table_.factors[0].labels, {levels(2, kG), levels(2 + kG, kG)}, scales(2), {0}},
             {h_, 1, table_.factors[1].labels, {levels(2 + 2 * kG, kH)}, scales(1), {}}}}};
  }

  // log p(y_n | y_-n) of every row.
  [[nodiscard]] std::vector<double> elpd() const {
    std::vector<double> values;
    const Matrix all = precision_.reconstructedMatrix();
    for (Index n = 0; n < y_.size(); ++n) {
      const Vector row = w_.row(n).transpose() / Conjugate::kSigma;
      const Eigen::LLT<Matrix> without(all - row * row.transpose());
      const Vector centre = without.solve(all * mean_ - row * y_[n] / Conjugate::kSigma);
      values.push_back(log_normal_density(y_[n], w_.row(n).dot(centre),
                                          kVariance * (1.0 + row.dot(without.solve(row)))));
    }
    return values;
  }

 private:
  static constexpr std::size_t kLevels[] = {6, 4};
  static constexpr Index kG = 6;
  static constexpr Index kH = 4;
  static constexpr double kVariance = Conjugate::kSigma * Conjugate::kSigma;

  double spread_;  // of levels
  Table table_;
  GroupTerm g_{.factor = "g", .slopes = {"x"}, .correlated = false};
  GroupTerm h_{.factor = "h"};
  Matrix w_;
  Vector y_;
  Vector mean_;
  Eigen::LLT<Matrix> precision_;
};

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Squares of z-scores have mean 1 and variance 2: five standard errors.
TEST(GroupLoo, OfAllRowsIsTheClosedFormWithinItsError) {
  constexpr int kReplicates = 60;
  double squares = 0.0;
  for (std::uint64_t seed = 1; seed <= kReplicates; ++seed) {
    const ConjugateGroups model(150, seed);
    const ElpdEstimate elpd =
        elpd_loo(pointwise_loo(model.problem(), model.draws(1000, seed), 150));
    squares += std::pow((elpd.value - total(model.elpd())) / elpd.mcse, 2);
  }
  EXPECT_NEAR(squares / kReplicates, 1.0, 5.0 * std::sqrt(2.0 / kReplicates));
}

// Means are those of all draws, variances those of 400: of a row's variance v, in units of the
// noise, an error of v sqrt(2/400), and elpd moves by half of it times what the residual makes of
// it, (1 + r^2)/2: a tenth of v for four standard errors and r = 2.
TEST(GroupLoo, CheapValueOfEveryRowIsTheClosedForm) {
  const ConjugateGroups model(400, 7);
  const PointwiseLoo loo = pointwise_loo(model.problem(), model.draws(40'000, 1), 10);
  const std::vector<double> exact = model.elpd();
  for (std::size_t n = 0; n < exact.size(); ++n) {
    EXPECT_NEAR(loo.cheap[n], exact[n], 0.03) << n;
  }
}

TEST(GroupLoo, OfSomeRowsIsThatOfAllWithinItsError) {
  constexpr int kReplicates = 60;
  double squares = 0.0;
  for (std::uint64_t seed = 1; seed <= kReplicates; ++seed) {
    const ConjugateGroups model(500, seed);
    const Problem problem = model.problem();
    const LinearDraws draws = model.draws(1000, seed);
    PointwiseLoo some = pointwise_loo(problem, draws, 60);
    some.draw_variance = 0.0;
    const ElpdEstimate estimate = elpd_loo(some);
    const double all = elpd_loo(pointwise_loo(problem, draws, 500)).value;
    squares += std::pow((estimate.value - all) / estimate.mcse, 2);
  }
  // The errors of 60 of 500 rows are a little less normal than their standard error says.
  EXPECT_NEAR(squares / kReplicates, 1.0, 5.0 * std::sqrt(2.0 / kReplicates));
}

// With draws as few as they are. Weak levels: in them what is linear does not cancel, because the
// likelihood pulls against their prior.
TEST(GroupLoo, OfSomeRowsIsTheClosedFormWithinItsError) {
  constexpr int kReplicates = 1000;
  double squares = 0.0;
  for (std::uint64_t seed = 1; seed <= kReplicates; ++seed) {
    const ConjugateGroups model(120, seed, 0.2);
    const ElpdEstimate elpd = elpd_loo(pointwise_loo(model.problem(), model.draws(200, seed), 119));
    squares += std::pow((elpd.value - total(model.elpd())) / elpd.mcse, 2);
  }
  EXPECT_NEAR(squares / kReplicates, 1.0, 5.0 * std::sqrt(2.0 / kReplicates));
}

struct GroupsCase {
  const char* name;
  const char* family;
  std::vector<GroupTerm> terms;
};

class GroupRows : public ::testing::TestWithParam<GroupsCase> {};

// What chain files have of a fit, put together by row: as prediction does it, number for number.
TEST_P(GroupRows, HaveTheDensitiesThatPredictionHas) {
  constexpr std::size_t kRows = 120;
  Stream stream(5, 4, Purpose::kTest, 0);
  Table table;
  table.rows = kRows;
  table.columns = {"x", "v"};
  table.response.name = "y";
  table.x.resize(2 * kRows);
  for (const GroupTerm& term : GetParam().terms) {
    table.factors.push_back(factor_of(term.factor, kRows, 5, stream));
  }
  for (std::size_t n = 0; n < kRows; ++n) {
    table.x.data()[2 * n] = 3.0 + 2.0 * stream.normal();
    table.x.data()[2 * n + 1] = stream.normal();
    table.offset.push_back(0.2 * stream.normal());
    table.response.values.push_back(std::floor(4.0 * stream.uniform()));
  }
  FitSettings settings;
  settings.family = GetParam().family;
  settings.groups = GetParam().terms;
  settings.chains = 2;
  settings.schedule = {.warmup = 60, .draws = 40, .thin = 1};
  Fit fit(table, settings);
  fit.run();
  const Matrix expected = Predictor(draws_of(fit, {})).log_likelihoods(table, {0, kRows});
  const LinearDraws draws = linear_draws(fit.problem(), fit.chains(), 80);
  std::vector<std::size_t> rows(kRows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Matrix eta = predictors(fit.problem(), rows, standardised(fit.problem().data, rows), draws);
  std::vector<double> values(80);
  for (std::size_t n = 0; n < kRows; ++n) {
    log_densities(fit.problem(), n, predictors_of(eta, n, kRows), values);
    for (std::size_t s = 0; s < values.size(); ++s) {
      const double one = expected(static_cast<Index>(s), static_cast<Index>(n));
      ASSERT_NEAR(values[s], one, 1e-9 * (1.0 + std::abs(one))) << n << " " << s;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Terms, GroupRows,
    ::testing::Values(
        GroupsCase{"slopes", "poisson", {{.factor = "g", .slopes = {"x"}}}},
        GroupsCase{"crossed", "poisson", {{.factor = "g"}, {.factor = "h", .slopes = {"v"}}}},
        GroupsCase{"sizes", "negative-binomial", {{.factor = "g"}}},
        GroupsCase{"numbers", "normal", {{.factor = "g"}, {.factor = "h"}}}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace flymc::testing
