// Smooth terms, whose coefficients are those of columns and have a scale that is unknown: whole
// chains against quadrature, alone and beside a factor, with regions so small that they are left
// all the time, and the default.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "groups/normal_quadrature.hpp"
#include "groups/small_families.hpp"

namespace flymc {
namespace {

// Nine rows with an intercept and two columns of splines, or one, and then two levels beside it.
struct SmallSmooth {
  static constexpr double kBetaSd = 0.7;
  static constexpr std::size_t kRows = 9;

  SmallSmooth(bool has_factor, std::unique_ptr<RowModel> a_model,
              const std::function<double(Stream&, double)>& respond,
              test::LogLikelihood a_likelihood)
      : splines(has_factor ? 1 : 2),
        model(std::move(a_model)),
        log_likelihood(std::move(a_likelihood)),
        data(make_table(has_factor, respond), {}),
        memberships(data, data.factors(), terms(has_factor)),
        prior{Vector::Zero(1 + splines), Vector::Zero(1 + splines)},
        scales(std::vector<PriorTerm>(memberships.terms(),
                                      {.kind = PriorKind::kHalfNormal, .scale = 1.0}),
               false),
        problem{data, memberships, *model, prior, scales} {
    prior.precision[0] = 1.0 / (kBetaSd * kBetaSd);
  }

  static std::vector<GroupTerm> terms(bool has_factor) {
    if (has_factor) {
      return {{.factor = "g"}, {.factor = "s(x)", .splines = {"s(x).1"}}};
    }
    return {{.factor = "s(x)", .splines = {"s(x).1", "s(x).2"}}};
  }
  static Table make_table(bool has_factor, const std::function<double(Stream&, double)>& respond) {
    Stream stream(19, 0, Purpose::kTest, 0);
    Table table;
    table.columns = {"s(x).1"};
    if (has_factor) {
      table.factors = {{"g", {"1", "2"}, {0, 1, 1, 0, 1, 0, 1, 1, 0}}};
    } else {
      table.columns.emplace_back("s(x).2");
    }
    for (std::size_t n = 0; n < kRows; ++n) {
      const double x = static_cast<double>(n) / 4.0 - 1.0;
      table.offset.push_back(0.5 * stream.normal());
      double eta = 0.2 + table.offset.back() + 1.2 * std::sin(2.5 * x);
      table.x.push_back(std::sin(2.5 * x));
      if (has_factor) {
        eta += table.factors[0].codes[n] == 0 ? -0.7 : 0.4;
      } else {
        table.x.push_back(0.8 * std::cos(4.0 * x) + 0.1);
      }
      table.response.values.push_back(respond(stream, eta));
    }
    table.rows = kRows;
    return table;
  }

  // Of theta = (intercept, splines, levels, log scales): each and its square, and a product.
  [[nodiscard]] static std::vector<double> moments_of(const Vector& theta) {
    std::vector<double> moments;
    for (const double value : theta) {
      moments.push_back(value);
      moments.push_back(value * value);
    }
    moments.push_back(theta[0] * theta[1]);
    return moments;
  }

  // By the trapezoidal rule over coefficients in units of their scale.
  [[nodiscard]] std::vector<double> quadrature() const {
    const bool has_factor = memberships.levels() > 0;
    constexpr int kScales = 45, kIntercepts = 17;
    const int nodes = has_factor ? 33 : 61;
    const auto levels = static_cast<Index>(memberships.levels());
    std::vector<double> sum;
    double total = 0.0;
    const auto scale_at = [](int i) { return -9.0 + 10.7 * i / (kScales - 1); };
    const auto log_tau_prior = [](double psi) { return -0.5 * std::exp(2.0 * psi) + psi; };
    const auto node = [nodes](int i) { return -5.5 + 11.0 * i / (nodes - 1); };
    Vector theta(1 + splines + levels + static_cast<Index>(memberships.terms()));
    for (int is = 0; is < kScales; ++is) {
      for (int ig = 0; ig < (has_factor ? kScales : 1); ++ig) {
        const double psi = scale_at(is), psi_g = has_factor ? scale_at(ig) : 0.0;
        const double tau = std::exp(psi), tau_g = std::exp(psi_g);
        const double outer = log_tau_prior(psi) + (has_factor ? log_tau_prior(psi_g) : 0.0);
        for (int ib = 0; ib < kIntercepts; ++ib) {
          const double beta = -3.5 + 7.0 * ib / (kIntercepts - 1);
          for (int i = 0; i < nodes; ++i) {
            for (int j = 0; j < (splines > 1 ? nodes : 1); ++j) {
              const double v1 = node(i), v2 = splines > 1 ? node(j) : 0.0;
              double log_weight =
                  outer - 0.5 * (v1 * v1 + v2 * v2) - 0.5 * beta * beta / (kBetaSd * kBetaSd);
              const auto eta = [&](std::size_t n) {
                const double* const x = data_row(n);
                return data.offset(n) + beta + tau * v1 * x[0] +
                       (splines > 1 ? tau * v2 * x[1] : 0.0);
              };
              theta[0] = beta;
              theta[1] = tau * v1;
              if (splines > 1) {
                theta[2] = tau * v2;
              }
              std::vector<double> squares;  // of levels, not of their means
              for (Index g = 0; g < levels; ++g) {
                double of_level = 0.0, first = 0.0, second = 0.0;
                for (int k = 0; k < nodes; ++k) {
                  double log_of_rows = -0.5 * node(k) * node(k);
                  for (std::size_t n = 0; n < kRows; ++n) {
                    if (data.factors()[0].codes[n] == static_cast<std::uint32_t>(g)) {
                      log_of_rows += log_likelihood(eta(n) + tau_g * node(k), data.response(n));
                    }
                  }
                  const double w = std::exp(log_of_rows);
                  of_level += w;
                  first += w * tau_g * node(k);
                  second += w * tau_g * node(k) * tau_g * node(k);
                }
                theta[1 + splines + g] = first / of_level;
                squares.push_back(second / of_level);
                log_weight += std::log(of_level);
              }
              for (std::size_t n = 0; n < kRows && !has_factor; ++n) {
                log_weight += log_likelihood(eta(n), data.response(n));
              }
              if (has_factor) {
                theta[1 + splines + levels] = psi_g;
              }
              theta[theta.size() - 1] = psi;
              std::vector<double> here = moments_of(theta);
              for (std::size_t g = 0; g < squares.size(); ++g) {
                here[2 * (static_cast<std::size_t>(1 + splines) + g) + 1] = squares[g];
              }
              sum.resize(here.size());
              const double weight = std::exp(log_weight);
              for (std::size_t k = 0; k < here.size(); ++k) {
                sum[k] += std::isfinite(here[k]) ? weight * here[k] : 0.0;
              }
              total += weight;
            }
          }
        }
      }
    }
    for (double& value : sum) {
      value /= total;
    }
    return sum;
  }
  [[nodiscard]] const double* data_row(std::size_t n) const {
    static double scratch[2];
    return data.row(n, scratch).raw;
  }

  Index splines;
  std::unique_ptr<RowModel> model;
  test::LogLikelihood log_likelihood;
  Dataset data;
  Memberships memberships;
  FixedPrior prior;
  GroupScales scales;
  CrossedProblem problem;
};

struct SmoothCase {
  const char* name;
  const char* family;
  bool has_factor;
  double radius;  // of all regions; 0: the default
  std::size_t few_levels = 0;
  CrossedMoveSet moves{};
};

SmallSmooth make_small_smooth(const SmoothCase& given) {
  test::SmallFamily made = test::small_family(given.family);
  return {given.has_factor, std::move(made.model), made.respond, made.log_likelihood};
}

class SmoothQuadrature : public ::testing::TestWithParam<SmoothCase> {};

TEST_P(SmoothQuadrature, ChainHasTheMomentsOfThePosterior) {
  const SmoothCase& given = GetParam();
  const SmallSmooth small = make_small_smooth(given);
  static std::map<std::pair<std::string, bool>, std::vector<double>> known;
  std::vector<double>& expected = known[{given.family, given.has_factor}];
  if (expected.empty()) {
    expected = small.quadrature();
  }
  const CrossedBounds bounds =
      make_crossed_bounds(small.problem, Vector::Zero(small.data.columns()),
                          {.rows = {.level_radius = given.radius,
                                    .fixed_radius = given.radius,
                                    .beacons = given.radius == 0.0},
                           .few_levels = given.few_levels});
  test::expect_chain_moments(
      CrossedSetting{small.problem, bounds}, given.moves, expected,
      [&](const Vector& theta) { return SmallSmooth::moments_of(theta); }, 200'000);
}

constexpr CrossedMoveSet kOnlyCentred{.collapsed = false, .proportional = false};
constexpr CrossedMoveSet kOnlyProportional{.centred = false, .collapsed = false};

INSTANTIATE_TEST_SUITE_P(
    Cases, SmoothQuadrature,
    ::testing::Values(SmoothCase{"logistic", "logistic", false, 0.0},
                      SmoothCase{"logistic_small", "logistic", false, 1.0},
                      SmoothCase{"poisson", "poisson", false, 0.0},
                      SmoothCase{"poisson_small", "poisson", false, 1.0},
                      SmoothCase{"poisson_centred", "poisson", false, 2.0, 0, kOnlyCentred},
                      SmoothCase{"poisson_proportional", "poisson", false, 2.0, 0,
                                 kOnlyProportional},
                      SmoothCase{"logistic_beside_levels", "logistic", true, 0.0},
                      SmoothCase{"logistic_beside_levels_small", "logistic", true, 0.9},
                      SmoothCase{"poisson_beside_levels_small", "poisson", true, 0.9},
                      SmoothCase{"poisson_beside_common_levels", "poisson", true, 0.9, 50}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace flymc
