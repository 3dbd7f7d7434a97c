// Chains with a parameter that all rows share against quadrature: the size of counts, the scale of
// Student's t; regions so small that levels and the parameter leave them all the time, and default.
#include <gtest/gtest.h>

#include "groups/chain_moments.hpp"
#include "groups/small_shared.hpp"

namespace flymc {
namespace {

using test::Kind;
using test::SmallGroups;

struct SharedCase {
  const char* name;
  test::Kind kind;
  double radius;  // of all regions; 0: the default
  bool all_beacons = false;
};

constexpr std::size_t kSharedMoments = 11;
using Moments = std::array<double, kSharedMoments>;
Moments moments_at(double beta, const double* u, double psi, double alpha, double u0_squared) {
  return {beta,      u[0],       u[2],          psi,          alpha,      beta * beta,
          psi * psi, u0_squared, alpha * alpha, alpha * beta, alpha * psi};
}

// By the trapezoidal rule over (beta, psi, alpha), for each over every level.
Moments quadrature(Kind kind, const SmallGroups& small) {
  constexpr int kBetas = 41, kPsis = 61, kAlphas = 45, kNodes = 51;
  Moments sum{};
  double total = 0.0;
  for (int ia = 0; ia < kAlphas; ++ia) {
    const double low = kind == Kind::kSize ? -7.0 : -4.5, high = kind == Kind::kSize ? 4.5 : 2.5;
    const double alpha = low + (high - low) * ia / (kAlphas - 1);
    for (int ip = 0; ip < kPsis; ++ip) {
      const double psi = -8.0 + 9.8 * ip / (kPsis - 1);
      const double tau = std::exp(psi);
      for (int ib = 0; ib < kBetas; ++ib) {
        const double beta = -6.5 + 13.0 * ib / (kBetas - 1);
        double log_weight = -0.5 * tau * tau + psi + test::log_prior_of_shared(kind, alpha) -
                            0.5 * beta * beta / (SmallGroups::kBetaSd * SmallGroups::kBetaSd);
        double first[3]{}, second[3]{};
        for (std::size_t g = 0; g < 3; ++g) {
          double zeroth = 0.0, most = -1e300, log_density[kNodes];
          for (int k = 0; k < kNodes; ++k) {
            const double v = -6.0 + 12.0 * k / (kNodes - 1);
            log_density[k] = -0.5 * v * v;
            for (const std::size_t n : small.grouping.rows(g)) {
              log_density[k] += test::log_likelihood(kind, beta + tau * v + small.data.offset(n),
                                                     alpha, small.data.response(n));
            }
            most = std::max(most, log_density[k]);
          }
          for (int k = 0; k < kNodes; ++k) {
            const double u = tau * (-6.0 + 12.0 * k / (kNodes - 1));
            const double density = std::exp(log_density[k] - most);
            zeroth += density;
            first[g] += density * u;
            second[g] += density * u * u;
          }
          log_weight += std::log(zeroth) + most;
          first[g] /= zeroth;
          second[g] /= zeroth;
        }
        const double weight = std::exp(log_weight + (kind == Kind::kSize ? 0.0 : 10.0));
        const Moments here = moments_at(beta, first, psi, alpha, second[0]);
        for (std::size_t i = 0; i < kSharedMoments; ++i) {
          sum[i] += weight * here[i];
        }
        total += weight;
      }
    }
  }
  for (double& moment : sum) {
    moment /= total;
  }
  return sum;
}

class SharedQuadrature : public testing::TestWithParam<SharedCase> {};

TEST_P(SharedQuadrature, ChainHasTheMomentsOfThePosterior) {
  const SharedCase& given = GetParam();
  const SmallGroups small = test::make_small_shared(given.kind);
  const Moments expected = quadrature(given.kind, small);
  const GroupBounds bounds = make_group_bounds(small.problem, Vector::Zero(1),
                                               {.level_radius = given.radius,
                                                .fixed_radius = given.radius,
                                                .all_beacons = given.all_beacons,
                                                .beacons = given.radius == 0.0});
  const GroupSetting setting{small.problem, bounds};
  test::expect_chain_moments(setting, GroupMoveSet{}, expected, [](const Vector& theta) {
    return moments_at(theta[0], theta.data() + 1, theta[4], theta[5], theta[1] * theta[1]);
  });
}

INSTANTIATE_TEST_SUITE_P(Cases, SharedQuadrature,
                         testing::Values(SharedCase{"size_default", Kind::kSize, 0.0},
                                         SharedCase{"size_small", Kind::kSize, 0.7},
                                         SharedCase{"size_middle", Kind::kSize, 2.0},
                                         SharedCase{"size_all_rows", Kind::kSize, 0.0, true},
                                         SharedCase{"scale_default", Kind::kScale, 0.0},
                                         SharedCase{"scale_small", Kind::kScale, 0.7},
                                         SharedCase{"scale_all_rows", Kind::kScale, 0.0, true}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace flymc
