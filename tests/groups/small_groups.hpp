// Three levels of 2, 4 and 7 rows, an intercept and offsets: small enough for quadrature.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "flymc/random.hpp"
#include "groups/group_chain.hpp"

namespace flymc::test {

using LogLikelihood = std::function<double(double eta, double response)>;

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
              const std::function<double(Stream&, double)>& respond, std::uint64_t seed,
              SharedLaws shared = {})
      : model(std::move(a_model)),
        data(make_table(respond, seed), {}),
        factor{"g", {"a", "b", "c"}, codes()},
        grouping(data, factor, {.factor = "g"}),
        prior{Vector::Zero(1), Vector::Constant(1, 1.0 / (kBetaSd * kBetaSd))},
        scales({{.kind = PriorKind::kHalfNormal, .scale = 1.0}}, true, std::move(shared)),
        problem{data, grouping, *model, prior, scales} {}

  static std::vector<std::uint32_t> codes() { return {2, 1, 0, 2, 2, 1, 2, 0, 2, 1, 2, 1, 2}; }

  static Table make_table(const std::function<double(Stream&, double)>& respond,
                          std::uint64_t seed) {
    constexpr double kLevels[] = {-1.0, 0.3, 1.0};
    Stream stream(seed, 0, Purpose::kTest, 0);
    Table table;
    for (const std::uint32_t code : codes()) {
      table.offset.push_back(0.8 * stream.normal());
      table.response.values.push_back(respond(stream, 0.2 + kLevels[code] + table.offset.back()));
    }
    table.rows = table.offset.size();
    return table;
  }

  // Posterior means of moments_of() by the trapezoidal rule, exact to many digits for these smooth
  // integrands: a grid over (beta, psi), for each one over every level.
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

}  // namespace flymc::test
