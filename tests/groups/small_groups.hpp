// Three levels of 2, 4 and 7 rows, offsets, and either intercepts alone, fixed and of levels, or
// intercepts and slopes of levels beside a fixed slope: small enough for quadrature.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "flymc/random.hpp"
#include "groups/group_chain.hpp"
#include "groups/small_families.hpp"

namespace flymc::test {

// Of theta = (beta, u_1, u_2, u_3, psi): everything the tests compare.
inline constexpr std::size_t kMoments = 12;
inline std::array<double, kMoments> moments_of(double beta, const double* u, double psi) {
  return {beta,        u[0],        u[1],        u[2],      psi,         beta * beta,
          u[0] * u[0], u[1] * u[1], u[2] * u[2], psi * psi, beta * u[0], std::exp(psi)};
}

struct SmallGroups {
  static constexpr double kBetaSd = 1.5;

  // Responses drawn with `respond`(stream, eta).
  SmallGroups(std::unique_ptr<RowModel> a_model,
              const std::function<double(Stream&, double)>& respond, bool has_slopes = false,
              SharedLaws shared = {})
      : model(std::move(a_model)),
        data(make_table(respond, has_slopes),
             {.intercept = !has_slopes, .center = {}, .scale = {}}),
        factor{"g", {"a", "b", "c"}, codes()},
        grouping(data, factor, term(has_slopes)),
        prior{Vector::Zero(1), Vector::Constant(1, 1.0 / (kBetaSd * kBetaSd))},
        scales(std::vector<PriorTerm>(has_slopes ? 2 : 1,
                                      {.kind = PriorKind::kHalfNormal, .scale = 1.0}),
               true, std::move(shared)),
        problem{data, grouping, *model, prior, scales} {}

  static GroupTerm term(bool has_slopes) {
    GroupTerm term{.factor = "g"};
    if (has_slopes) {
      term.slopes = {"x"};
    }
    return term;
  }
  static std::vector<std::uint32_t> codes() { return {2, 1, 0, 2, 2, 1, 2, 0, 2, 1, 2, 1, 2}; }

  static Table make_table(const std::function<double(Stream&, double)>& respond, bool has_slopes) {
    constexpr double kLevels[] = {-1.0, 0.3, 1.0}, kSlopes[] = {0.9, -0.4, 0.4};
    Stream stream(5, 0, Purpose::kTest, 0);
    Table table;
    for (const std::uint32_t code : codes()) {
      table.offset.push_back(0.8 * stream.normal());
      double eta = 0.2 + kLevels[code] + table.offset.back();
      if (has_slopes) {
        table.x.push_back(stream.normal());
        eta += (0.3 + kSlopes[code]) * table.x.back();
      }
      table.response.values.push_back(respond(stream, eta));
    }
    if (has_slopes) {
      table.columns = {"x"};
    }
    table.rows = table.offset.size();
    return table;
  }

  // Posterior means of moments_of(), of intercepts alone, by the trapezoidal rule, exact to many
  // digits for these smooth integrands: a grid over (beta, psi), for each one over every level.
  [[nodiscard]] std::array<double, kMoments> quadrature(const LogLikelihood& log_likelihood) const {
    std::array<double, kMoments> sum{};
    double total = 0.0;
    // Below -9 there is a ten thousandth of the mass, but 0.7 % of the square of psi.
    constexpr int kBetas = 81, kPsis = 321, kNodes = 121;
    for (int ip = 0; ip < kPsis; ++ip) {
      const double psi = -20.0 + 22.0 * ip / (kPsis - 1);
      const double tau = std::exp(psi);
      for (int ib = 0; ib < kBetas; ++ib) {
        const double beta = -7.0 + 14.0 * ib / (kBetas - 1);
        double weight = std::exp(-0.5 * tau * tau + psi - 0.5 * beta * beta / (kBetaSd * kBetaSd));
        double first[3], second[3];
        for (std::size_t g = 0; g < 3; ++g) {
          double zeroth = first[g] = second[g] = 0.0;
          for (int k = 0; k < kNodes; ++k) {
            const double v = -7.5 + 15.0 * k / (kNodes - 1);
            double log_density = -0.5 * v * v;
            for (const std::size_t n : grouping.rows(g)) {
              log_density += log_likelihood(beta + tau * v + data.offset(n), data.response(n));
            }
            const double density = std::exp(log_density);
            zeroth += density;
            first[g] += density * tau * v;
            second[g] += density * tau * v * tau * v;
          }
          weight *= zeroth;
          first[g] /= zeroth;
          second[g] /= zeroth;
        }
        if (!(weight > 0.0)) {
          continue;  // so unlikely that it underflows
        }
        const std::array<double, kMoments> here = {
            beta,      first[0],  first[1],  first[2],        psi, beta * beta, second[0],
            second[1], second[2], psi * psi, beta * first[0], tau};
        for (std::size_t i = 0; i < kMoments; ++i) {
          sum[i] += weight * here[i];
        }
        total += weight;
      }
    }
    for (double& moment : sum) {
      moment /= total;
    }
    return sum;
  }

  std::unique_ptr<RowModel> model;
  Dataset data;
  Factor factor;
  Grouping grouping;
  FixedPrior prior;
  GroupScales scales;
  GroupProblem problem;
};

inline SmallGroups make_small_groups(const std::string& family, bool has_slopes = false) {
  SmallFamily made = small_family(family);
  return {std::move(made.model), made.respond, has_slopes};
}

}  // namespace flymc::test
