// Whole chains of logistic rows with correlated intercepts and slopes of one factor, (1 + x | g),
// against quadrature in ten dimensions: given the fixed slope, two scales and their correlation,
// the levels are independent, of two coefficients each.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "groups/chain_moments.hpp"
#include "groups/small_groups.hpp"

namespace flymc {
namespace {

using test::SmallGroups;

// Of theta = (beta, u_11, u_12 .. u_32, log scales, atanh rho): all but squares of the last, whose
// tails are long.
struct SlopesAt {
  double beta = 0.0;
  std::array<double, 6> u{};
  std::array<double, 6> squares{};
  std::array<double, 3> products{};  // of the two of a level
  std::array<double, 2> psi{};
  double rho = 0.0;
};
std::vector<double> slopes_moments(const SlopesAt& at) {
  std::vector<double> out = {at.beta,         at.beta * at.beta, at.rho,
                             at.rho * at.rho, at.beta * at.u[1], at.rho * at.products[0]};
  out.insert(out.end(), at.u.begin(), at.u.end());
  out.insert(out.end(), at.squares.begin(), at.squares.end());
  out.insert(out.end(), at.products.begin(), at.products.end());
  for (const double psi : at.psi) {
    out.insert(out.end(), {psi, psi * psi, std::exp(psi)});
  }
  return out;
}
std::vector<double> slopes_moments_of(const Vector& theta) {
  SlopesAt at{.beta = theta[0], .psi = {theta[7], theta[8]}, .rho = std::tanh(theta[9])};
  for (std::size_t i = 0; i < 6; ++i) {
    at.u[i] = theta[1 + static_cast<Index>(i)];
    at.squares[i] = at.u[i] * at.u[i];
  }
  for (std::size_t g = 0; g < 3; ++g) {
    at.products[g] = at.u[2 * g] * at.u[2 * g + 1];
  }
  return slopes_moments(at);
}

// Integrals over one level: u = K v, and v is a grid. A row's e^(-y eta) is a product of a number
// for each v_1 and one for each v_2, so that a row costs an exponential for each of these alone.
struct LevelIntegral {
  double total = 0.0;
  double u1 = 0.0, u2 = 0.0, u11 = 0.0, u22 = 0.0, u12 = 0.0;
};
class LevelIntegrals {
 public:
  LevelIntegrals(const SmallGroups& small, int nodes) : small_(small) {
    for (int i = 0; i < nodes; ++i) {
      v_.push_back(-5.5 + 11.0 * i / (nodes - 1));
      weight_.push_back(std::exp(-0.5 * v_.back() * v_.back()));
    }
    first_.resize(v_.size());
    second_.resize(v_.size());
    likelihood_.resize(v_.size() * v_.size());
  }

  // K = (a, 0; b, c).
  [[nodiscard]] LevelIntegral of(std::size_t g, double beta, double a, double b, double c) {
    const std::size_t m = v_.size();
    std::ranges::fill(likelihood_, 1.0);
    for (const std::size_t n : small_.grouping.rows(g)) {
      double scratch = 0.0;
      const double x = small_.data.row(n, &scratch).raw[0], y = small_.data.response(n);
      for (std::size_t i = 0; i < m; ++i) {
        first_[i] = std::exp(-y * (small_.data.offset(n) + x * beta + (a + x * b) * v_[i]));
        second_[i] = std::exp(-y * x * c * v_[i]);
      }
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
          likelihood_[i * m + j] *= 1.0 + first_[i] * second_[j];
        }
      }
    }
    LevelIntegral sum;
    double v1 = 0.0, v2 = 0.0, v11 = 0.0, v22 = 0.0, v12 = 0.0;
    for (std::size_t i = 0; i < m; ++i) {
      double zeroth = 0.0, one = 0.0, two = 0.0;
      for (std::size_t j = 0; j < m; ++j) {
        const double w = weight_[j] / likelihood_[i * m + j];
        zeroth += w;
        one += w * v_[j];
        two += w * v_[j] * v_[j];
      }
      const double w = weight_[i], v = v_[i];
      sum.total += w * zeroth;
      v1 += w * v * zeroth;
      v11 += w * v * v * zeroth;
      v2 += w * one;
      v22 += w * two;
      v12 += w * v * one;
    }
    sum.u1 = a * v1 / sum.total;
    sum.u2 = (b * v1 + c * v2) / sum.total;
    sum.u11 = a * a * v11 / sum.total;
    sum.u12 = a * (b * v11 + c * v12) / sum.total;
    sum.u22 = (b * b * v11 + 2.0 * b * c * v12 + c * c * v22) / sum.total;
    return sum;
  }

 private:
  const SmallGroups& small_;
  std::vector<double> v_, weight_, first_, second_;
  std::vector<double> likelihood_;  // one over it
};

// Nodes along each coordinate. With half as many again along all of them moments change by 1e-4 or
// less, where a chain of four million iterations is off by 1e-3.
struct SlopesGrid {
  int betas = 15;
  int scales = 21;
  int correlations = 21;
  int levels = 23;
};

// Posterior means of slopes_moments(), by the trapezoidal rule. A log scale is s - e^-s at equal
// steps of s: its law is long towards small ones, where there is little to resolve.
std::vector<double> slopes_quadrature(const SmallGroups& small, const SlopesGrid& grid) {
  LevelIntegrals levels(small, grid.levels);
  std::vector<double> sum;
  double total = 0.0;
  const auto node = [](int i, int nodes, double from, double to) {
    return from + (to - from) * i / (nodes - 1);
  };
  for (int i1 = 0; i1 < grid.scales; ++i1) {
    for (int i2 = 0; i2 < grid.scales; ++i2) {
      for (int ir = 0; ir < grid.correlations; ++ir) {
        for (int ib = 0; ib < grid.betas; ++ib) {
          const double s1 = node(i1, grid.scales, -2.4, 1.9);
          const double s2 = node(i2, grid.scales, -2.4, 1.9);
          const double tau1 = std::exp(s1 - std::exp(-s1)), tau2 = std::exp(s2 - std::exp(-s2));
          const double rho = std::tanh(node(ir, grid.correlations, -5.5, 5.5));
          const double rest = 1.0 - rho * rho, beta = node(ib, grid.betas, -5.0, 5.0);
          double weight = tau1 * (1.0 + std::exp(-s1)) * tau2 * (1.0 + std::exp(-s2)) * rest *
                          std::exp(-0.5 * (tau1 * tau1 + tau2 * tau2) -
                                   0.5 * std::pow(beta / SmallGroups::kBetaSd, 2));
          SlopesAt at{.beta = beta, .psi = {std::log(tau1), std::log(tau2)}, .rho = rho};
          for (std::size_t g = 0; g < 3; ++g) {
            const LevelIntegral of = levels.of(g, beta, tau1, tau2 * rho, tau2 * std::sqrt(rest));
            weight *= of.total;
            at.u[2 * g] = of.u1;
            at.u[2 * g + 1] = of.u2;
            at.squares[2 * g] = of.u11;
            at.squares[2 * g + 1] = of.u22;
            at.products[g] = of.u12;
          }
          const std::vector<double> here = slopes_moments(at);
          sum.resize(here.size());
          for (std::size_t k = 0; k < here.size(); ++k) {
            sum[k] += weight * here[k];
          }
          total += weight;
        }
      }
    }
  }
  for (double& moment : sum) {
    moment /= total;
  }
  return sum;
}

TEST(SlopesQuadrature, ChainHasTheMomentsOfThePosterior) {
  const SmallGroups small = test::make_small_groups("logistic", true);
  const std::vector<double> expected = slopes_quadrature(small, {});
  for (const double radius : {0.8, 2.0, 0.0}) {  // 0: the default
    SCOPED_TRACE(radius);
    const GroupBounds bounds = make_group_bounds(
        small.problem, Vector::Zero(1),
        {.level_radius = radius, .fixed_radius = radius, .beacons = radius == 0.0});
    const GroupSetting setting{small.problem, bounds};
    test::expect_chain_moments(setting, GroupMoveSet{}, expected, slopes_moments_of);
  }
}

}  // namespace
}  // namespace flymc
