// Models with groups under their own prior. Getting it right (Geweke 2004): data given the
// coefficients, bounds and coins given both, then a step; coefficients and scales keep the law of
// their prior. And simulation-based calibration (Talts et al. 2018): of data drawn from the prior,
// the rank of the true scale among draws of the posterior is uniform.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "flymc/family/logistic.hpp"
#include "flymc/family/poisson.hpp"
#include "groups/one_step.hpp"

namespace flymc {
namespace {

constexpr double kPriorBetaSd = 0.7;
using RespondTo = double (*)(Stream&, double eta);

double poisson_response(Stream& stream, double eta) { return Poisson{}.sample(stream, eta, {}); }
double logistic_response(Stream& stream, double eta) {
  return Logistic{}.sample(stream, eta, {}) > 0.0 ? 1.0 : -1.0;
}

// eta = beta + offset + levels of one factor, or of two; theta = (beta, levels, log scales).
struct PriorDesign {
  std::vector<Factor> factors;
  std::vector<double> offset;
  GroupScales scales;

  PriorDesign(std::size_t count, std::size_t first, std::size_t second)
      : scales(std::vector<PriorTerm>(second > 0 ? 2 : 1,
                                      {.kind = PriorKind::kHalfNormal, .scale = 1.0}),
               false) {
    const auto factor = [](const char* name, std::size_t levels) {
      Factor made{name, {}, {}};
      for (std::size_t i = 0; i < levels; ++i) {
        made.labels.push_back(std::to_string(i));
      }
      return made;
    };
    factors.push_back(factor("g", first));
    if (second > 0) {
      factors.push_back(factor("h", second));
    }
    for (std::size_t n = 0; n < count; ++n) {
      offset.push_back(0.6 * std::sin(static_cast<double>(n)));
      factors[0].codes.push_back(static_cast<std::uint32_t>(n % first));
      if (second > 0) {
        factors[1].codes.push_back(static_cast<std::uint32_t>(n / first % second));
      }
    }
  }

  [[nodiscard]] Index size() const {
    Index size = 1 + static_cast<Index>(factors.size());
    for (const Factor& factor : factors) {
      size += static_cast<Index>(factor.labels.size());
    }
    return size;
  }
  [[nodiscard]] Vector draw_prior(Stream& stream) const {
    Vector theta(size());
    const Index terms = static_cast<Index>(factors.size());
    theta[0] = kPriorBetaSd * stream.normal();
    Index at = 1;
    for (Index t = 0; t < terms; ++t) {
      const double tau = std::abs(stream.normal());
      theta[size() - terms + t] = std::log(tau);
      for (std::size_t i = 0; i < factors[static_cast<std::size_t>(t)].labels.size(); ++i) {
        theta[at++] = tau * stream.normal();
      }
    }
    return theta;
  }
  [[nodiscard]] Dataset draw_data(const Vector& theta, RespondTo respond, Stream& stream) const {
    Table table;
    table.rows = offset.size();
    table.offset = offset;
    for (std::size_t n = 0; n < offset.size(); ++n) {
      double eta = theta[0] + offset[n];
      Index first = 1;
      for (const Factor& factor : factors) {
        eta += theta[first + static_cast<Index>(factor.codes[n])];
        first += static_cast<Index>(factor.labels.size());
      }
      table.response.values.push_back(respond(stream, eta));
    }
    return {std::move(table), {}};
  }
  [[nodiscard]] std::vector<GroupTerm> terms() const {
    std::vector<GroupTerm> all;
    for (const Factor& factor : factors) {
      all.push_back({.factor = factor.name});
    }
    return all;
  }
};

FixedPrior beta_prior() {
  return {Vector::Zero(1), Vector::Constant(1, 1.0 / (kPriorBetaSd * kPriorBetaSd))};
}

GroupTuning untuned_by(const Vector& psi, const Matrix& spread) {
  const Eigen::LLT<Matrix> llt(spread);
  return {.psi_mean = psi, .psi_factor = llt.matrixL()};
}

// One step of the theta-update given new coins.
template <class Target, class Moves, class Setting>
void step_once(const Setting& setting, Vector& theta, Stream& stream) {
  Target target(setting);
  const GroupTuning tuning = untuned_by(setting.bounds.psi, setting.bounds.psi_spread);
  Moves kernel(target, tuning);
  Point point(target.dimension());
  target.from_theta(theta, point);
  std::ignore = test::throw_coins(target, setting.bounds, point, stream);
  target.evaluate(point, Order::kValue);
  std::ignore = kernel.step(target, point, {}, stream);
  target.to_theta(point, theta);
}

// beta, its square; of each scale log tau, its square, tau; of a level u, u^2, u^4, u^2 log tau; a
// product of two levels. Below: their means under the prior, E[tau^s] = 2^(s/2) Gamma((s+1)/2) /
// sqrt(pi).
std::vector<double> calibration_moments(const Vector& theta, const PriorDesign& design) {
  std::vector<double> out = {theta[0], theta[0] * theta[0]};
  const Index terms = static_cast<Index>(design.factors.size());
  Index first = 1;
  for (Index t = 0; t < terms; ++t) {
    const double psi = theta[theta.size() - terms + t], u = theta[first];
    out.insert(out.end(), {psi, psi * psi, std::exp(psi), u, u * u, u * u * psi,
                           u * theta[first + 1], u * theta[0]});
    first += static_cast<Index>(design.factors[static_cast<std::size_t>(t)].labels.size());
  }
  return out;
}
std::vector<double> prior_moments(const PriorDesign& design) {
  std::vector<double> out = {0.0, kPriorBetaSd * kPriorBetaSd};
  constexpr double kMeanLog = -0.63518142273073908, kVarLog = 1.2337005501361697;
  for (std::size_t t = 0; t < design.factors.size(); ++t) {
    // E[tau^2 log tau] = (log 2 + digamma(3/2)) / 2
    out.insert(out.end(), {kMeanLog, kVarLog + kMeanLog * kMeanLog, 0.79788456080286536, 0.0, 1.0,
                           0.36481857726926091, 0.0, 0.0});
  }
  return out;
}

template <class Advance>
void expect_prior_kept(const PriorDesign& design, std::size_t usual, const Advance& advance) {
  const std::size_t iterations = test::wanted(usual);
  const std::vector<double> expected = prior_moments(design);
  std::vector<exact::BatchMean> means(expected.size(), exact::BatchMean(iterations));
  Stream start(41, 0, Purpose::kTest, 0);
  Vector theta = design.draw_prior(start);
  for (std::size_t i = 0; i < iterations; ++i) {
    Stream stream(43, 0, Purpose::kTest, i);
    advance(theta, stream);
    const std::vector<double> here = calibration_moments(theta, design);
    for (std::size_t k = 0; k < here.size(); ++k) {
      means[k].add(here[k]);
    }
  }
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_LT(std::abs(means[k].z_score(expected[k])), test::kMostZ)
        << "moment " << k << ": " << means[k].mean() << " for " << expected[k];
    if (std::getenv("FLYMC_LONG") != nullptr) {
      std::printf("%6.2f", means[k].z_score(expected[k]));
    }
  }
}

template <class Likelihood>
void expect_one_factor_right(RespondTo respond) {
  const PriorDesign design(10, 3, 0);
  const RowModelOf<Likelihood> model{Likelihood{}};
  const FixedPrior prior = beta_prior();
  expect_prior_kept(design, 30'000, [&](Vector& theta, Stream& stream) {
    const Dataset data = design.draw_data(theta, respond, stream);
    const Grouping grouping(data, design.factors[0], design.terms()[0]);
    const GroupProblem problem{data, grouping, model, prior, design.scales};
    const GroupBounds bounds = make_group_bounds(
        problem, Vector::Zero(1), {.level_radius = 1.0, .fixed_radius = 1.0, .beacons = false});
    step_once<GroupTarget, GroupMoves>(GroupSetting{problem, bounds}, theta, stream);
  });
}

template <class Likelihood>
void expect_two_factors_right(RespondTo respond) {
  const PriorDesign design(8, 2, 2);
  const RowModelOf<Likelihood> model{Likelihood{}};
  const FixedPrior prior = beta_prior();
  expect_prior_kept(design, 30'000, [&](Vector& theta, Stream& stream) {
    const Dataset data = design.draw_data(theta, respond, stream);
    const Memberships memberships(data, design.factors, design.terms());
    const CrossedProblem problem{data, memberships, model, prior, design.scales};
    const CrossedBounds bounds = make_crossed_bounds(
        problem, Vector::Zero(1),
        {.rows = {.level_radius = 1.0, .fixed_radius = 1.0, .beacons = false}, .few_levels = 0});
    step_once<CrossedTarget, CrossedMoves>(CrossedSetting{problem, bounds}, theta, stream);
  });
}

TEST(GroupsGeweke, OneFactorKeepsItsPriorPoisson) {
  expect_one_factor_right<Poisson>(poisson_response);
}
TEST(GroupsGeweke, OneFactorKeepsItsPriorLogistic) {
  expect_one_factor_right<Logistic>(logistic_response);
}
TEST(GroupsGeweke, TwoFactorsKeepTheirPriorPoisson) {
  expect_two_factors_right<Poisson>(poisson_response);
}
TEST(GroupsGeweke, TwoFactorsKeepTheirPriorLogistic) {
  expect_two_factors_right<Logistic>(logistic_response);
}

// Chi-square of ranks in kBins bins: with 15 degrees of freedom above 52.4 once in 200,000 times.
constexpr std::size_t kBins = 16;
double chi_square_of_ranks(const PriorDesign& design, RespondTo respond, const RowModel& model,
                           std::size_t tables) {
  constexpr std::size_t kDraws = kBins - 1;
  constexpr int kThin = 12;
  const FixedPrior prior = beta_prior();
  std::array<double, kBins> count{};
  for (std::size_t i = 0; i < tables; ++i) {
    Stream stream(47, 0, Purpose::kTest, i);
    const Vector truth = design.draw_prior(stream);
    const Dataset data = design.draw_data(truth, respond, stream);
    const Grouping grouping(data, design.factors[0], design.terms()[0]);
    const GroupProblem problem{data, grouping, model, prior, design.scales};
    const GroupBounds bounds = make_group_bounds(problem, Vector::Zero(1), {});
    const GroupSetting setting{problem, bounds};
    std::uint64_t queries = 0;
    const GroupTuning tuning = tune_groups(setting, i, queries);
    const Streams streams{i, 0};
    ChainParts parts = make_group_parts(setting, tuning, streams);
    ChainCore chain(std::move(parts), group_start(setting, tuning, streams.at(1, Purpose::kInit)));
    for (int k = 0; k < 100; ++k) {
      std::ignore = chain.iterate({});
    }
    std::size_t rank = 0;
    const Index last = chain.current().zeta.size() - 1;
    for (std::size_t draw = 0; draw < kDraws; ++draw) {
      for (int k = 0; k < kThin; ++k) {
        std::ignore = chain.iterate({});
      }
      rank += chain.current().zeta[last] < truth[truth.size() - 1] ? 1 : 0;
    }
    ++count[rank];
  }
  double sum = 0.0;
  const double expected = static_cast<double>(tables) / kBins;
  for (const double seen : count) {
    sum += (seen - expected) * (seen - expected) / expected;
  }
  return sum;
}

constexpr double kMostChiSquare = 52.4;

TEST(GroupsCalibration, RanksOfTheScaleAreUniformWithFiveLevels) {
  EXPECT_LT(chi_square_of_ranks(PriorDesign(30, 5, 0), logistic_response,
                                RowModelOf<Logistic>(Logistic{}), test::wanted(400)),
            kMostChiSquare);
  EXPECT_LT(chi_square_of_ranks(PriorDesign(30, 5, 0), poisson_response,
                                RowModelOf<Poisson>(Poisson{}), test::wanted(400)),
            kMostChiSquare);
}

TEST(GroupsCalibration, RanksOfTheScaleAreUniformWithFiftyLevels) {
  EXPECT_LT(chi_square_of_ranks(PriorDesign(300, 50, 0), logistic_response,
                                RowModelOf<Logistic>(Logistic{}), test::wanted(160)),
            kMostChiSquare);
}

}  // namespace
}  // namespace flymc
