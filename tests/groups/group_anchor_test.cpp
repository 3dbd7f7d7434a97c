// Where bounds of one factor touch: fixed effects at the mode of their own posterior, levels summed
// out, not where they are together with the modes of the levels.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "flymc/family/logistic.hpp"
#include "flymc/family/poisson.hpp"
#include "flymc/random.hpp"
#include "groups/group_bounds.hpp"

namespace flymc {
namespace {

// Few rows in each of many levels: fixed effects are known far better than any level.
struct ManyLevels {
  static constexpr std::size_t kLevels = 3000;
  static constexpr std::size_t kRowsALevel = 6;

  ManyLevels(std::unique_ptr<RowModel> a_model, bool counts)
      : model(std::move(a_model)), data(make_table(counts), {}) {}

  static Table make_table(bool counts) {
    Stream stream(5, 0, Purpose::kTest, 0);
    Table table;
    table.columns = {"x"};
    table.rows = kLevels * kRowsALevel;
    std::vector<double> u(kLevels);
    for (double& level : u) {
      level = 0.9 * stream.normal();
    }
    for (std::size_t n = 0; n < table.rows; ++n) {
      table.x.push_back(stream.normal());
      const double eta = 0.4 + 0.7 * table.x.back() + u[n % kLevels];
      table.response.values.push_back(
          counts ? static_cast<double>(stream.poisson(std::exp(eta - 1.0)))
                 : (stream.uniform() < 1.0 / (1.0 + std::exp(-eta)) ? 1.0 : -1.0));
    }
    return table;
  }
  static Factor make_factor() {
    Factor factor{"g", {}, {}};
    for (std::size_t n = 0; n < kLevels * kRowsALevel; ++n) {
      factor.codes.push_back(static_cast<std::uint32_t>(n % kLevels));
    }
    for (std::size_t g = 0; g < kLevels; ++g) {
      factor.labels.push_back("g" + std::to_string(g));
    }
    return factor;
  }

  // Of the log posterior of beta at this scale: every level by the trapezoidal rule.
  [[nodiscard]] Vector slope(const Vector& beta, double tau) const {
    constexpr int kNodes = 61;
    Vector sum = -prior.precision.cwiseProduct(beta - prior.mean);
    for (std::size_t g = 0; g < kLevels; ++g) {
      Vector pull = Vector::Zero(2);
      double total = 0.0;
      for (int k = 0; k < kNodes; ++k) {
        const double v = -6.0 + 12.0 * k / (kNodes - 1);
        double log_density = -0.5 * v * v;
        Vector here = Vector::Zero(2);
        for (const std::size_t n : grouping.rows(g)) {
          double x[2];
          data.copy_row(n, x);
          const double eta = beta[0] + beta[1] * x[1] + tau * v;
          double value = 0.0;
          double slope = 0.0;
          double information = 0.0;
          model->evaluate({1, &eta, data.responses(n)}, &value, &slope, &information);
          log_density += value;
          here += slope * ConstVectorView(x, 2);
        }
        const double density = std::exp(log_density);
        total += density;
        pull += density * here;
      }
      sum += pull / total;
    }
    return sum;
  }

  std::unique_ptr<RowModel> model;
  Dataset data;
  Factor factor = make_factor();
  Grouping grouping{data, factor, {.factor = "g"}};
  FixedPrior prior{Vector::Zero(2), Vector::Constant(2, 0.01)};
  GroupScales scales{{{.kind = PriorKind::kHalfNormal, .scale = 1.0}}, true};
  GroupProblem problem{data, grouping, *model, prior, scales};
};

// From the anchor to the mode at the scale that the search for it ended with, in standard
// deviations; from the mode together with the levels' it is 2.2 for yes and no, 4.7 for counts.
double far_from_mode(const ManyLevels& groups, double tau) {
  const GroupBounds bounds = make_group_bounds(groups.problem, Vector::Zero(2), {});
  const Vector& beta = bounds.anchor.beta;
  constexpr double kStep = 1e-3;
  Matrix bend(2, 2);
  for (Index j = 0; j < 2; ++j) {
    const Vector step = kStep * Vector::Unit(2, j);
    bend.col(j) = (groups.slope(beta - step, tau) - groups.slope(beta + step, tau)) / (2.0 * kStep);
  }
  const Vector off = bend.partialPivLu().solve(groups.slope(beta, tau));
  return std::sqrt(off.dot(bend * off));
}

TEST(GroupAnchor, IsWhereFixedEffectsOfYesAndNoAre) {
  EXPECT_LT(far_from_mode({std::make_unique<RowModelOf<Logistic>>(Logistic{}), false}, 0.739), 1.0);
}

TEST(GroupAnchor, IsWhereFixedEffectsOfCountsAre) {
  EXPECT_LT(far_from_mode({std::make_unique<RowModelOf<Poisson>>(Poisson{}), true}, 0.837), 0.5);
}

// About the middle of what the level's own posterior leaves as much of on both sides; a ball about
// the mean leaves a hundred times as much below as above.
TEST(GroupAnchor, RegionsOfLevelsThatLeanAreTheirQuantiles) {
  const ManyLevels groups{std::make_unique<RowModelOf<Poisson>>(Poisson{}), true};
  const GroupBounds bounds = make_group_bounds(groups.problem, Vector::Zero(2), {.beacons = false});
  const double tau = std::exp(bounds.psi[0] + 2.0 * std::sqrt(bounds.psi_spread(0, 0)));
  double leans = 0.0;
  for (std::size_t g = 0; g < 100; ++g) {
    const double one = 1.0;
    const double sd =
        1.0 / std::sqrt(bounds.region.level_norm2(g, &one, Vector::Zero(2).eval().data()));
    const double half = bounds.level_radius[g] * sd;
    double below = 0.0;
    double above = 0.0;
    for (double u = -6.0 * tau; u < 6.0 * tau; u += 1e-3) {
      double log_density = -0.5 * u * u / (tau * tau);
      for (const std::size_t n : groups.grouping.rows(g)) {
        double x[2];
        groups.data.copy_row(n, x);
        const double eta = bounds.anchor.beta[0] + bounds.anchor.beta[1] * x[1] + u;
        log_density += groups.data.response(n) * eta - std::exp(eta);
      }
      const double du = u - bounds.anchor.u[g];
      below += du < -half ? std::exp(log_density) : 0.0;
      above += du > half ? std::exp(log_density) : 0.0;
    }
    leans += std::log(below / above) / 100.0;
  }
  EXPECT_NEAR(leans, 0.0, 1.0);
}

}  // namespace
}  // namespace flymc
