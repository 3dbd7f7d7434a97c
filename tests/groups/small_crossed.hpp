// Three players and eight matches, or two crossed factors of two levels, or two levels with two
// each within them, and nine rows, with an intercept and offsets: small enough for quadrature.
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

enum class Design { kSigned, kSummed, kCrossed, kNested };

struct SmallCrossed {
  static constexpr double kBetaSd = 0.7;

  SmallCrossed(Design a_design, std::unique_ptr<RowModel> a_model,
               const std::function<double(Stream&, double)>& respond, LogLikelihood a_likelihood,
               SharedLaws shared = {})
      : design(a_design),
        model(std::move(a_model)),
        log_likelihood(std::move(a_likelihood)),
        data(make_table(design, respond), {}),
        factors(make_factors(design)),
        memberships(data, factors, terms(design)),
        prior{Vector::Zero(1), Vector::Constant(1, 1.0 / (kBetaSd * kBetaSd))},
        scales(std::vector<PriorTerm>(memberships.terms(),
                                      {.kind = PriorKind::kHalfNormal, .scale = 1.0}),
               false, std::move(shared)),
        problem{data, memberships, *model, prior, scales} {}

  // The two levels of each row: of one set of three, or of two of two.
  static std::vector<std::array<std::uint32_t, 2>> pairs(Design design) {
    if (design == Design::kCrossed) {
      return {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 1}, {0, 0}, {1, 0}, {0, 1}, {1, 1}};
    }
    if (design == Design::kNested) {
      return {{0, 0}, {0, 1}, {1, 2}, {1, 3}, {0, 0}, {1, 3}, {0, 1}, {1, 2}, {1, 2}};
    }
    return {{0, 1}, {1, 2}, {2, 0}, {0, 1}, {1, 2}, {0, 2}, {2, 2}, {2, 1}};
  }
  static bool has_two_terms(Design design) {
    return design == Design::kCrossed || design == Design::kNested;
  }
  static std::vector<GroupTerm> terms(Design design) {
    if (has_two_terms(design)) {
      return {{.factor = "g"}, {.factor = "h"}};
    }
    return {{.factor = "a-b", .members = {{{"a"}}, {{"b"}, sign(design)}}}};
  }
  static double sign(Design design) { return design == Design::kSigned ? -1.0 : 1.0; }
  static std::vector<Factor> make_factors(Design design) {
    const std::vector<std::string> names = {"1", "2", "3", "4"};
    const auto labels = [&](int count) {
      return std::vector<std::string>(names.begin(), names.begin() + count);
    };
    const int first = has_two_terms(design) ? 2 : 3;
    std::vector<Factor> all = {{"a", labels(first), {}},
                               {"b", labels(design == Design::kNested ? 4 : first), {}}};
    for (const auto& [a, b] : pairs(design)) {
      all[0].codes.push_back(a);
      all[1].codes.push_back(b);
    }
    return all;
  }
  static Table make_table(Design design, const std::function<double(Stream&, double)>& respond) {
    Stream stream(7, 0, Purpose::kTest, 0);
    Table table;
    constexpr double kLevels[] = {-0.8, 0.2, 0.9, -0.3};
    for (const auto& [a, b] : pairs(design)) {
      table.offset.push_back(0.5 * stream.normal());
      const double eta = table.offset.back() + kLevels[a] + sign(design) * kLevels[b];
      table.response.values.push_back(respond(stream, 0.2 + eta));
    }
    table.rows = table.offset.size();
    return table;
  }

  // Of theta = (beta, levels, log scales): each and its square, scales themselves, and a product.
  [[nodiscard]] std::vector<double> moments_of(const double* theta) const {
    const std::size_t size = 1 + memberships.levels() + memberships.terms();
    std::vector<double> moments;
    for (std::size_t i = 0; i < size; ++i) {
      moments.push_back(theta[i]);
      moments.push_back(theta[i] * theta[i]);
    }
    moments.push_back(theta[1] * theta[2]);
    moments.push_back(theta[0] * theta[1]);
    moments.push_back(std::exp(theta[size - 1]));
    return moments;
  }

  // Posterior means of moments_of() by the trapezoidal rule over v = u / tau, which is exact to
  // many digits for these smooth integrands. `narrow`: likelihoods of three players are narrower
  // than predictors of logits and counts are, and get more nodes.
  [[nodiscard]] std::vector<double> quadrature(bool narrow = false) const {
    return design == Design::kCrossed  ? crossed_quadrature()
           : design == Design::kNested ? nested_quadrature()
                                       : paired_quadrature(narrow);
  }

 private:
  // A grid over v in [-5.5, 5.5], of weights N(v; 0, 1).
  struct Grid {
    explicit Grid(int nodes) {
      for (int i = 0; i < nodes; ++i) {
        v.push_back(-5.5 + 11.0 * i / (nodes - 1));
        weight.push_back(std::exp(-0.5 * v.back() * v.back()));
      }
    }
    [[nodiscard]] std::size_t size() const { return v.size(); }
    std::vector<double> v, weight;
  };
  struct Sums {
    std::vector<double> sum;
    double total = 0.0;
    void add(double weight, const std::vector<double>& moments) {
      sum.resize(moments.size());
      for (std::size_t i = 0; i < moments.size(); ++i) {
        sum[i] += weight * moments[i];
      }
      total += weight;
    }
    [[nodiscard]] std::vector<double> means() {
      for (double& value : sum) {
        value /= total;
      }
      return sum;
    }
  };
  static double log_tau_prior(double psi) { return -0.5 * std::exp(2.0 * psi) + psi; }
  static double log_beta_prior(double beta) { return -0.5 * beta * beta / (kBetaSd * kBetaSd); }
  // Likelihood of the rows of a pair of levels, whichever comes first.
  [[nodiscard]] double likelihood(std::size_t a, std::size_t b, double beta, double u_a,
                                  double u_b) const {
    double sum = 0.0;
    const double s = design == Design::kSigned ? -1.0 : 1.0;
    for (std::size_t n = 0; n < all.size(); ++n) {
      const bool there = all[n][0] == a && all[n][1] == b;
      const bool back = !has_two_terms(design) && all[n][0] == b && all[n][1] == a && a != b;
      if (there || back) {
        const double of_pair = there ? u_a + s * u_b : u_b + s * u_a;
        sum += log_likelihood(data.offset(n) + beta + of_pair, data.response(n));
      }
    }
    return std::exp(sum);
  }

  [[nodiscard]] std::vector<double> paired_quadrature(bool narrow) const {
    const Grid grid(narrow ? 51 : 37);
    const std::size_t m = grid.size();
    const int betas = narrow ? 31 : 21;
    Sums sums;
    std::array<std::vector<double>, 4> table;  // pairs 01, 02, 12, and rows of one player alone
    for (int ip = 0; ip < 61; ++ip) {
      const double psi = -9.0 + 10.7 * ip / 60;
      const double tau = std::exp(psi);
      for (int ib = 0; ib < betas; ++ib) {
        const double beta = -3.5 + 7.0 * ib / (betas - 1);
        const double outer = std::exp(log_tau_prior(psi) + log_beta_prior(beta));
        for (std::vector<double>& entries : table) {
          entries.assign(m * m, 1.0);
        }
        for (std::size_t i = 0; i < m; ++i) {
          const double u = tau * grid.v[i];
          table[3][i] = likelihood(2, 2, beta, u, u);
          for (std::size_t j = 0; j < m; ++j) {
            const double other = tau * grid.v[j];
            table[0][i * m + j] = likelihood(0, 1, beta, u, other);
            table[1][i * m + j] = likelihood(0, 2, beta, u, other);
            table[2][i * m + j] = likelihood(1, 2, beta, u, other);
          }
        }
        // moments that vary with one level each, and the product of the first two
        double total = 0.0, product = 0.0;
        std::array<double, 3> first{}, second{};
        for (std::size_t i = 0; i < m; ++i) {
          for (std::size_t j = 0; j < m; ++j) {
            const double ij = outer * grid.weight[i] * grid.weight[j] * table[0][i * m + j];
            double zeroth = 0.0, one = 0.0, two = 0.0;
            for (std::size_t k = 0; k < m; ++k) {
              const double w =
                  grid.weight[k] * table[1][i * m + k] * table[2][j * m + k] * table[3][k];
              zeroth += w;
              one += w * grid.v[k];
              two += w * grid.v[k] * grid.v[k];
            }
            const double w = ij * zeroth;
            total += w;
            product += w * grid.v[i] * grid.v[j];
            first[0] += w * grid.v[i];
            second[0] += w * grid.v[i] * grid.v[i];
            first[1] += w * grid.v[j];
            second[1] += w * grid.v[j] * grid.v[j];
            first[2] += ij * one;
            second[2] += ij * two;
          }
        }
        if (!(total > 0.0)) {
          continue;  // so unlikely that it underflows
        }
        std::vector<double> here = {beta, beta * beta};
        for (std::size_t g = 0; g < 3; ++g) {
          here.push_back(tau * first[g] / total);
          here.push_back(tau * tau * second[g] / total);
        }
        here.insert(here.end(), {psi, psi * psi, tau * tau * product / total,
                                 beta * tau * first[0] / total, tau});
        sums.add(total, here);
      }
    }
    return sums.means();
  }

  // Given beta and the levels of the first factor those of the second are independent.
  [[nodiscard]] std::vector<double> crossed_quadrature() const {
    const Grid grid(23);
    const std::size_t m = grid.size();
    Sums sums;
    std::array<std::vector<double>, 4> cell;  // 00, 01, 10, 11
    for (int ip = 0; ip < 41; ++ip) {
      const double psi_g = -9.0 + 10.7 * ip / 40, tau_g = std::exp(psi_g);
      for (int iq = 0; iq < 41; ++iq) {
        const double psi_h = -9.0 + 10.7 * iq / 40, tau_h = std::exp(psi_h);
        for (int ib = 0; ib < 17; ++ib) {
          const double beta = -3.5 + 7.0 * ib / 16;
          const double outer =
              std::exp(log_tau_prior(psi_g) + log_tau_prior(psi_h) + log_beta_prior(beta));
          for (std::size_t c = 0; c < 4; ++c) {
            cell[c].resize(m * m);
            for (std::size_t i = 0; i < m; ++i) {
              for (std::size_t k = 0; k < m; ++k) {
                cell[c][i * m + k] =
                    likelihood(c / 2, c % 2, beta, tau_g * grid.v[i], tau_h * grid.v[k]);
              }
            }
          }
          double total = 0.0, product = 0.0;
          std::array<double, 4> first{}, second{};
          for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < m; ++j) {
              std::array<double, 2> zeroth{}, one{}, two{};
              for (std::size_t h = 0; h < 2; ++h) {
                for (std::size_t k = 0; k < m; ++k) {
                  const double w = grid.weight[k] * cell[h][i * m + k] * cell[2 + h][j * m + k];
                  zeroth[h] += w;
                  one[h] += w * grid.v[k];
                  two[h] += w * grid.v[k] * grid.v[k];
                }
              }
              const double ij = outer * grid.weight[i] * grid.weight[j];
              const double w = ij * zeroth[0] * zeroth[1];
              total += w;
              product += w * grid.v[i] * grid.v[j];
              first[0] += w * grid.v[i];
              second[0] += w * grid.v[i] * grid.v[i];
              first[1] += w * grid.v[j];
              second[1] += w * grid.v[j] * grid.v[j];
              for (std::size_t h = 0; h < 2; ++h) {
                first[2 + h] += ij * one[h] * zeroth[1 - h];
                second[2 + h] += ij * two[h] * zeroth[1 - h];
              }
            }
          }
          if (!(total > 0.0)) {
            continue;
          }
          std::vector<double> here = {beta, beta * beta};
          for (std::size_t level = 0; level < 4; ++level) {
            const double tau = level < 2 ? tau_g : tau_h;
            here.push_back(tau * first[level] / total);
            here.push_back(tau * tau * second[level] / total);
          }
          here.insert(here.end(),
                      {psi_g, psi_g * psi_g, psi_h, psi_h * psi_h, tau_g * tau_g * product / total,
                       beta * tau_g * first[0] / total, tau_h});
          sums.add(total, here);
        }
      }
    }
    return sums.means();
  }

  // Given beta outer levels are independent, and given these the inner ones.
  [[nodiscard]] std::vector<double> nested_quadrature() const {
    const Grid grid(31);
    const std::size_t m = grid.size();
    Sums sums;
    for (int ip = 0; ip < 41; ++ip) {
      const double psi_g = -9.0 + 10.7 * ip / 40, tau_g = std::exp(psi_g);
      for (int iq = 0; iq < 41; ++iq) {
        const double psi_h = -9.0 + 10.7 * iq / 40, tau_h = std::exp(psi_h);
        for (int ib = 0; ib < 17; ++ib) {
          const double beta = -3.5 + 7.0 * ib / 16;
          double weight =
              std::exp(log_tau_prior(psi_g) + log_tau_prior(psi_h) + log_beta_prior(beta));
          std::array<double, 6> first{}, second{};
          for (std::size_t g = 0; g < 2; ++g) {
            double total = 0.0;
            for (std::size_t i = 0; i < m; ++i) {
              std::array<double, 2> zeroth{}, one{}, two{};
              for (std::size_t c = 0; c < 2; ++c) {
                for (std::size_t k = 0; k < m; ++k) {
                  const double w =
                      grid.weight[k] *
                      likelihood(g, 2 * g + c, beta, tau_g * grid.v[i], tau_h * grid.v[k]);
                  zeroth[c] += w;
                  one[c] += w * grid.v[k];
                  two[c] += w * grid.v[k] * grid.v[k];
                }
              }
              const double w = grid.weight[i] * zeroth[0] * zeroth[1];
              total += w;
              first[g] += w * tau_g * grid.v[i];
              second[g] += w * tau_g * grid.v[i] * tau_g * grid.v[i];
              for (std::size_t c = 0; c < 2; ++c) {
                const double of = grid.weight[i] * zeroth[1 - c];
                first[2 + 2 * g + c] += of * tau_h * one[c];
                second[2 + 2 * g + c] += of * tau_h * tau_h * two[c];
              }
            }
            for (const std::size_t level : {g, 2 + 2 * g, 3 + 2 * g}) {
              first[level] /= total;
              second[level] /= total;
            }
            weight *= total;
          }
          if (!(weight > 0.0)) {
            continue;
          }
          std::vector<double> here = {beta, beta * beta};
          for (std::size_t level = 0; level < 6; ++level) {
            here.push_back(first[level]);
            here.push_back(second[level]);
          }
          here.insert(here.end(), {psi_g, psi_g * psi_g, psi_h, psi_h * psi_h, first[0] * first[1],
                                   beta * first[0], tau_h});
          sums.add(weight, here);
        }
      }
    }
    return sums.means();
  }

 public:
  Design design;
  std::vector<std::array<std::uint32_t, 2>> all = pairs(design);
  std::unique_ptr<RowModel> model;
  LogLikelihood log_likelihood;
  Dataset data;
  std::vector<Factor> factors;
  Memberships memberships;
  FixedPrior prior;
  GroupScales scales;
  CrossedProblem problem;
};

inline SmallCrossed make_small_crossed(const std::string& family, Design design) {
  SmallFamily made = small_family(family);
  return {design, std::move(made.model), made.respond, made.log_likelihood};
}

}  // namespace flymc::test
