#include "compare/loo.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "compare/row_density.hpp"
#include "core/parallel.hpp"
#include "diagnose/pareto.hpp"
#include "diagnose/rank_ess.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

constexpr std::size_t kPassRows = 256;  // at a time, of the pass over all
constexpr std::size_t kExactRows = 32;  // and with all draws

double log_sum_exp(std::span<const double> values) {
  const double top = *std::max_element(values.begin(), values.end());
  double sum = 0.0;
  for (const double value : values) {
    sum += std::exp(value - top);
  }
  return top + std::log(sum);
}

// Points and weights whose averages are those of a standard normal in so many dimensions.
struct NormalRule {
  Matrix points;  // points x dimensions
  Vector log_weights;
};

// One dimension: Gauss-Hermite, exact to degree 9. Several: +-sqrt(K) along each axis, exact to
// degree 3 with positive weights only, so that E[r] is always positive.
NormalRule normal_rule(int dimensions) {
  if (dimensions == 1) {
    constexpr std::array<double, 2> kPoints = {1.3556261799742659, 2.8569700138728056};
    constexpr std::array<double, 2> kWeights = {0.22207592200561265, 0.011257411327720689};
    NormalRule rule{Matrix::Zero(5, 1), Vector(5)};
    rule.log_weights[4] = std::log(8.0 / 15.0);
    for (Index i = 0; i < 2; ++i) {
      const auto j = static_cast<std::size_t>(i);
      rule.points(2 * i, 0) = kPoints[j];
      rule.points(2 * i + 1, 0) = -kPoints[j];
      rule.log_weights.segment(2 * i, 2).setConstant(std::log(kWeights[j]));
    }
    return rule;
  }
  const Index k = dimensions;
  NormalRule rule{Matrix::Zero(2 * k, k),
                  Vector::Constant(2 * k, -std::log(2.0 * static_cast<double>(k)))};
  for (Index i = 0; i < k; ++i) {
    rule.points(i, i) = std::sqrt(static_cast<double>(k));
    rule.points(k + i, i) = -rule.points(i, i);
  }
  return rule;
}

// Mean of the draws, as one draw; and a root of their covariance, root root' = V: between the
// linear parts of predictors sums of products over its draws are covariances.
struct DrawMoments {
  LinearDraws mean;
  LinearDraws root;
};

// of_levels(draws x levels) of every coefficient that varies: so many draws then.
template <class OfLevels>
GroupDraws map_levels(const GroupDraws& groups, std::size_t draws, const OfLevels& of_levels) {
  GroupDraws mapped;
  for (const TermDraws& term : groups.terms) {
    mapped.terms.push_back({.term = term.term,
                            .number = term.number,
                            .labels = term.labels,
                            .levels = {},
                            .factors = std::vector<Matrix>(draws),  // of levels not in the fit
                            .columns = term.columns});
    for (const Matrix& levels : term.levels) {
      mapped.terms.back().levels.push_back(of_levels(levels));
    }
  }
  return mapped;
}

// V as it is has as many rows as there are levels: some draws, evenly spaced, about their mean.
LinearDraws spread_of_some(const LinearDraws& draws) {
  constexpr std::size_t kMost = 400;  // variances up to a fourteenth
  const std::size_t count = std::min(kMost, draws.draws());
  std::vector<Index> some;
  for (std::size_t i = 0; i < count; ++i) {
    some.push_back(static_cast<Index>(i * draws.draws() / count));
  }
  const double unit = 1.0 / std::sqrt(static_cast<double>(count - 1));
  const Matrix theta = draws.theta(Eigen::all, some);
  return {{unit * (theta.colwise() - theta.rowwise().mean())},
          map_levels(*draws.levels, count, [&](const Matrix& levels) -> Matrix {
            const Matrix picked = levels(some, Eigen::all);
            return unit * (picked.rowwise() - picked.colwise().mean());
          })};
}

DrawMoments moments_of(const LinearDraws& draws) {
  const Vector mean = draws.theta.rowwise().mean();
  if (draws.levels) {
    return {{{mean},
             map_levels(*draws.levels, 1,
                        [](const Matrix& levels) -> Matrix { return levels.colwise().mean(); })},
            spread_of_some(draws)};
  }
  const Matrix centred = draws.theta.colwise() - mean;
  const Matrix covariance = centred * centred.transpose() / static_cast<double>(draws.draws() - 1);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(covariance);
  return {{{mean}},
          {{eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal()}}};
}

// Root of a positive semidefinite matrix of few rows, row by row; a direction without variance
// stays without.
void fill_root(const Matrix& covariance, Matrix& root) {
  for (Index i = 0; i < covariance.rows(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      const double left = covariance(i, j) - root.row(i).head(j).dot(root.row(j).head(j));
      root(i, j) = i == j             ? std::sqrt(std::max(0.0, left))
                   : root(j, j) > 0.0 ? left / root(j, j)
                                      : 0.0;
    }
  }
}

// a_n of some rows.
class CheapRows {
 public:
  CheapRows(const Problem& problem, const DrawMoments& moments)
      : problem_(problem),
        moments_(moments),
        rule_(normal_rule(problem.predictors())),
        covariance_(Matrix::Zero(rule_.points.cols(), rule_.points.cols())),
        root_(covariance_),
        points_(rule_.points.rows(), rule_.points.cols()),
        log_ratios_(static_cast<std::size_t>(points_.rows())) {}

  void fill(std::span<const std::size_t> rows, double* out) {
    const RowMatrix x = standardised(problem_.data, rows);
    Matrix mean = predictors(problem_, rows, x, moments_.mean);
    Matrix reach = linear_parts(problem_, rows, x, moments_.root);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      out[i] = of_row(rows[i], predictors_of(mean, i, rows.size()),
                      predictors_of(reach, i, rows.size()));
    }
  }

 private:
  double of_row(std::size_t row, const DrawsView& mean, const DrawsView& reach) {
    for (Index i = 0; i < covariance_.rows(); ++i) {
      for (Index j = 0; j <= i; ++j) {
        covariance_(i, j) = reach.matrix().col(i).dot(reach.matrix().col(j));
      }
    }
    fill_root(covariance_, root_);
    points_.noalias() = rule_.points.lazyProduct(root_.transpose());
    points_.rowwise() += mean.matrix().row(0);
    log_densities(
        problem_, row,
        {points_.data(), points_.rows(), points_.cols(), Eigen::OuterStride<>(points_.rows())},
        log_ratios_);
    for (std::size_t i = 0; i < log_ratios_.size(); ++i) {
      log_ratios_[i] = rule_.log_weights[static_cast<Index>(i)] - log_ratios_[i];
    }
    return -log_sum_exp(log_ratios_);
  }

  const Problem& problem_;
  const DrawMoments& moments_;
  NormalRule rule_;
  Matrix covariance_;  // scratch, as what follows
  Matrix root_;
  Matrix points_;
  std::vector<double> log_ratios_;
};

// What a linear function of a row's predictors cannot say of its weights. With a_n made from the
// draws' own mean, such parts of the error cancel between a row's two values.
void remove_linear(const DrawsView& eta, Eigen::Ref<Vector> scores) {
  const Matrix centred = eta.matrix().rowwise() - eta.matrix().colwise().mean();
  const Vector slopes = (centred.transpose() * centred).ldlt().solve(centred.transpose() * scores);
  if (slopes.allFinite()) {
    scores -= centred * slopes;
  }
}

struct ExactRow {
  double elpd = 0.0;
  double khat = 0.0;
};

// e_n; adds r_s / E[r] - 1 to `scores`.
ExactRow exact_row(std::span<const double> log_density, std::span<double> log_weights,
                   Vector& scores) {
  for (std::size_t s = 0; s < log_density.size(); ++s) {
    log_weights[s] = -log_density[s];
  }
  ExactRow row;
  row.khat = smooth_weights(log_weights);
  const double total = log_sum_exp(log_weights);
  std::vector<double> terms(log_density.size());
  for (std::size_t s = 0; s < terms.size(); ++s) {
    terms[s] = log_density[s] + log_weights[s] - total;
    scores[static_cast<Index>(s)] =
        static_cast<double>(terms.size()) * std::exp(log_weights[s] - total) - 1.0;
  }
  row.elpd = log_sum_exp(terms);
  return row;
}

// So many rows of all, without replacement.
std::vector<std::size_t> chosen_rows(std::size_t rows, std::size_t count) {
  std::vector<std::size_t> chosen(std::min(rows, count));
  if (chosen.size() == rows) {
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return chosen;
  }
  Stream stream(1, 0, Purpose::kSimulate, rows);
  const Permutation permutation(rows, stream);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    chosen[i] = permutation(i);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<double> cheap_values(const Problem& problem, const LinearDraws& draws) {
  const SequentialRead in_order = problem.data.streaming();
  std::vector<double> values(problem.data.rows());
  const auto chunks = row_chunks(values.size(), 0);
  const DrawMoments moments = moments_of(draws);
  parallel_for(chunks.size(), 0, [&](std::size_t c) {
    CheapRows cheap(problem, moments);
    std::vector<std::size_t> rows;
    for (std::size_t first = chunks[c].first; first < chunks[c].last; first += kPassRows) {
      rows.resize(std::min(kPassRows, chunks[c].last - first));
      std::iota(rows.begin(), rows.end(), first);
      cheap.fill(rows, &values[first]);
    }
  });
  return values;
}

// Of sum_n log E[r_n], as far as the draws decide it: (1/S) sum_s of the scores' sums, linearised.
double variance_of_mean(const Vector& scores, std::size_t chains) {
  const std::span<const double> values(scores.data(), static_cast<std::size_t>(scores.size()));
  const double mcse = mcse_mean(Chains(values, chains));
  return std::isfinite(mcse) ? mcse * mcse : 0.0;
}

// Of sum_n a_n, for every draw: what its levels' being off the mean changes. Elsewhere the gradient
// at the mean is nearly 0; that in levels is what holds against their prior, Lambda u.
Vector pull_of_levels(const LinearDraws& draws) {
  Vector pull = Vector::Zero(draws.theta.cols());
  for (const TermDraws& term : draws.levels->terms) {
    const auto q = static_cast<Index>(term.levels.size());
    Matrix covariance = Matrix::Zero(q, q);
    for (const Matrix& factor : term.factors) {
      covariance += factor * factor.transpose() / static_cast<double>(term.factors.size());
    }
    const Eigen::LLT<Matrix> precision(covariance);
    Matrix means(q, term.levels.front().cols());  // of every level
    for (Index j = 0; j < q; ++j) {
      means.row(j) = term.levels[static_cast<std::size_t>(j)].colwise().mean();
    }
    const Matrix gradients = precision.solve(means);
    for (Index j = 0; j < q; ++j) {
      const Matrix& levels = term.levels[static_cast<std::size_t>(j)];
      pull += (levels.rowwise() - means.row(j)) * gradients.row(j).transpose();
    }
  }
  return pull;
}

void add_exact(const Problem& problem, const LinearDraws& draws, PointwiseLoo& loo) {
  const std::size_t count = loo.rows.size();
  loo.exact.resize(count);
  loo.khat.resize(count);
  const std::size_t blocks = (count + kExactRows - 1) / kExactRows;
  const bool all = count == problem.data.rows();
  std::vector<Vector> sums(blocks);
  parallel_for(blocks, 0, [&](std::size_t b) {
    const std::size_t first = b * kExactRows;
    const auto rows =
        std::span<const std::size_t>(loo.rows).subspan(first, std::min(kExactRows, count - first));
    Matrix eta = predictors(problem, rows, standardised(problem.data, rows), draws);
    Vector sum = Vector::Zero(draws.theta.cols());
    Vector scores(draws.theta.cols());
    std::vector<double> densities(draws.draws());
    std::vector<double> weights(draws.draws());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const DrawsView at = predictors_of(eta, i, rows.size());
      log_densities(problem, rows[i], at, densities);
      const ExactRow row = exact_row(densities, weights, scores);
      loo.exact[first + i] = row.elpd;
      loo.khat[first + i] = row.khat;
      if (!all) {
        remove_linear(at, scores);
      }
      sum += scores;
    }
    sums[b] = std::move(sum);
  });
  Vector scores = Vector::Zero(draws.theta.cols());
  for (const Vector& sum : sums) {
    scores += sum;
  }
  scores *= static_cast<double>(problem.data.rows()) / static_cast<double>(count);
  if (!all && draws.levels) {
    scores -= pull_of_levels(draws);
  }
  loo.draw_variance = variance_of_mean(scores, draws.chains);
}

// The difference estimator of sum_n e_n and of N times the variance of the e_n, and its variance
// under the choice of rows.
ElpdEstimate estimate(std::span<const double> cheap, std::span<const std::size_t> rows,
                      std::span<const double> exact) {
  const auto total = static_cast<double>(cheap.size());
  const auto chosen = static_cast<double>(rows.size());
  double sum = 0.0;
  double squares = 0.0;
  for (const double a : cheap) {
    sum += a;
    squares += a * a;
  }
  double mean = 0.0;
  double square = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double a = cheap[rows[i]];
    mean += (exact[i] - a) / chosen;
    square += (exact[i] * exact[i] - a * a) / chosen;
  }
  double spread = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double off = exact[i] - cheap[rows[i]] - mean;
    spread += off * off;
  }
  ElpdEstimate result;
  result.value = sum + total * mean;
  const double variance =
      chosen > 1.0 ? total * (total - chosen) * spread / ((chosen - 1.0) * chosen) : 0.0;
  const double about = squares + total * square - (result.value * result.value - variance) / total;
  result.se = total > 1.0 ? std::sqrt(std::max(0.0, about) * total / (total - 1.0)) : 0.0;
  result.mcse = std::sqrt(variance);
  return result;
}

std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> difference(a.size());
  std::transform(a.begin(), a.end(), b.begin(), difference.begin(), std::minus<>());
  return difference;
}

}  // namespace

PointwiseLoo pointwise_loo(const Problem& problem, const LinearDraws& draws,
                           std::size_t exact_rows) {
  PointwiseLoo loo;
  loo.cheap = cheap_values(problem, draws);
  loo.rows = chosen_rows(problem.data.rows(), exact_rows);
  add_exact(problem, draws, loo);
  return loo;
}

ElpdEstimate elpd_loo(const PointwiseLoo& loo) {
  ElpdEstimate result = estimate(loo.cheap, loo.rows, loo.exact);
  result.mcse = std::hypot(result.mcse, std::sqrt(loo.draw_variance));
  return result;
}

ElpdEstimate elpd_difference(const PointwiseLoo& a, const PointwiseLoo& b) {
  ElpdEstimate result = estimate(minus(a.cheap, b.cheap), a.rows, minus(a.exact, b.exact));
  result.mcse = std::hypot(result.mcse, std::sqrt(a.draw_variance + b.draw_variance));
  return result;
}

}  // namespace flymc
