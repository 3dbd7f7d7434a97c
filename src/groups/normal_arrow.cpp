#include "groups/normal_arrow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "flymc/error.hpp"
#include "groups/arrow_pass.hpp"
#include "groups/mode_search.hpp"
#include "ranks/sums_along.hpp"

namespace flymc {
namespace {

// A step for differences of a coordinate that bends so much: about its standard deviation.
double step_for(double bend) {
  constexpr double kLongest = 0.05;
  return std::min(kLongest, 1.0 / std::sqrt(std::max(-bend, 1e-6)));
}

// In the order of their numbers.
double weight_of_rows(const GroupProblem& problem) {
  const RowNumbers& numbers = problem.grouping.numbers();
  if (holds_everywhere(numbers.ranks(), problem.data.weights(0) == nullptr)) {
    return static_cast<double>(numbers.rows());
  }
  Buffer<double> weights(numbers.here());
  for (std::size_t n = 0; n < weights.size(); ++n) {
    weights[n] = problem.data.weight(n);
  }
  weights = numbers.by_number(weights);
  return sums_along(numbers.ranks(), 1,
                    [&](std::span<double> sum) {
                      for (const double weight : weights) {
                        sum[0] += weight;
                      }
                    })
      .front();
}

}  // namespace

NormalArrow::NormalArrow(const GroupProblem& problem, const Vector& beta, unsigned threads)
    : RowBounds(RowNumbers(0)),
      anchor{beta, Buffer<double>(problem.grouping.levels() *
                                  static_cast<std::size_t>(problem.grouping.size()))},
      psi(problem.scales.start()),
      problem_(&problem),
      sums_(problem.shape()),
      slopes_(problem.shape()) {
  NormalPlace scratch(problem.shape());
  std::ranges::fill(anchor.u, 0.0);
  weight = weight_of_rows(problem);
  sum_rows(threads);
  if (problem.scales.infers_sigma()) {
    psi[psi.size() - 1] = 0.5 * std::log(std::max(least_, 1e-300) / weight);
  }
  climb(scratch);
  if (!set_scales(psi, scratch)) {
    throw_no_noise();
  }
  anchor.beta += scratch.dbeta;
  anchor.u = scratch.u;
  sum_rows(threads);  // about the mode: no digit is lost to where the search began
  climb(scratch);
  constexpr double kLeastShare = 1e-11;  // of a precision that still has five digits
  if (!set_scales(psi, scratch) || !(scratch.frame.least_share() > kLeastShare)) {
    throw_no_noise();
  }
  psi_spread = covariance(scratch);
}

void NormalArrow::sum_rows(unsigned threads) {
  const auto q = static_cast<std::size_t>(problem().grouping.size());
  const PieceSums total = flymc::sum_rows(
      problem().data, problem().grouping, threads, slopes_,
      [&](std::size_t n, std::size_t level, const GroupReader& row, PieceSums& piece) {
        const double eta =
            problem().data.offset(n) + row.predict(anchor.beta.data(), anchor.u.data() + level * q);
        double value = 0.0;
        double slope = 0.0;
        double information = 0.0;
        problem().model.evaluate({1, &eta, problem().data.responses(n)}, &value, &slope,
                                 &information);
        const double times = problem().data.weight(n);
        piece.value += times * value;
        add_row(times * information, times * slope, row, level, slopes_, piece);
      });
  least_ = -2.0 * total.value;
  sums_ = slopes_;
  sums_.centre(anchor);
  ++passes;
  queries += problem().rows();
}

// --- places ---

bool NormalArrow::set_scales(const Vector& at, NormalPlace& place) const {
  const GroupScales& scales = problem().scales;
  const auto p = static_cast<double>(problem().data.columns());
  const double log_sigma = scales.log_sigma(at);
  const double sigma = std::exp(log_sigma);
  const double variance = sigma * sigma;
  if (!(variance > 0.0) || !std::isfinite(variance)) {
    return false;
  }
  place.psi = at;
  place.sigma = sigma;
  const FixedPrior prior{problem().prior.mean, variance * problem().prior.precision};
  if (!place.frame.factor(sums_, prior, anchor, scales.factor(at) / sigma)) {
    return false;
  }
  place.scaled.setZero();
  const double* zeros = place.scaled.data();
  place.frame.fixed_from(zeros, place.dbeta);
  const auto q = static_cast<std::size_t>(problem().grouping.size());
  double penalty = prior.precision.dot((anchor.beta + place.dbeta - prior.mean).cwiseAbs2().eval());
  for (std::size_t level = 0; level < problem().grouping.levels(); ++level) {
    penalty +=
        place.frame.coefficients_from(level, zeros, place.dbeta.data(), place.u.data() + level * q);
  }
  place.log_marginal = -(weight - p) * log_sigma - 0.5 * (squares(place) + penalty) / variance -
                       place.frame.log_det() + scales.log_prior(at);
  return std::isfinite(place.log_marginal);
}

void NormalArrow::set_coefficients(const Eigen::Ref<const Vector>& zeta, NormalPlace& place) const {
  place.scaled = place.sigma * zeta;
  place.frame.fixed_from(place.scaled.data(), place.dbeta);
  const auto q = static_cast<std::size_t>(problem().grouping.size());
  const double* const of_levels = place.scaled.data() + place.dbeta.size();
  for (std::size_t level = 0; level < problem().grouping.levels(); ++level) {
    place.frame.coefficients_from(level, of_levels + level * q, place.dbeta.data(),
                                  place.u.data() + level * q);
  }
}

void NormalArrow::to_zeta(const NormalPlace& place, Eigen::Ref<Vector> zeta) const {
  const Index q = problem().grouping.size();
  place.frame.to_fixed(place.dbeta, zeta.data());
  Vector du(q);
  for (std::size_t level = 0; level < problem().grouping.levels(); ++level) {
    const std::size_t first = level * static_cast<std::size_t>(q);
    for (Index j = 0; j < q; ++j) {
      const std::size_t i = first + static_cast<std::size_t>(j);
      du[j] = place.u[i] - anchor.u[i];
    }
    place.frame.to_level(level, du.data(), place.dbeta.data(),
                         zeta.data() + place.dbeta.size() + static_cast<Index>(first));
  }
  zeta /= place.sigma;
}

double NormalArrow::log_jacobian(const NormalPlace& place) const noexcept {
  return static_cast<double>(place.scaled.size()) * std::log(place.sigma) -
         place.frame.half_log_det();
}

double NormalArrow::squares(const NormalPlace& place) const noexcept {
  const auto q = static_cast<std::size_t>(problem().grouping.size());
  const auto p = static_cast<std::size_t>(problem().data.columns());
  double sum = least_ - 2.0 * slopes_.r.dot(place.dbeta) +
               place.dbeta.dot(slopes_.s.selfadjointView<Eigen::Lower>() * place.dbeta);
  for (std::size_t i = 0; i < place.u.size(); ++i) {
    const std::size_t level = i / q;
    double product = -2.0 * slopes_.b[i];
    const double* const d = slopes_.d.data() + i * q;
    for (std::size_t j = 0; j < q; ++j) {
      product += d[j] * (place.u[level * q + j] - anchor.u[level * q + j]);
    }
    const double* const c = slopes_.c.data() + i * p;
    for (std::size_t j = 0; j < p; ++j) {
      product += 2.0 * c[j] * place.dbeta[static_cast<Index>(j)];
    }
    sum += (place.u[i] - anchor.u[i]) * product;
  }
  return sum;
}

// --- the mode of the scales ---

double NormalArrow::log_marginal(const Vector& at, NormalPlace& scratch) const {
  return set_scales(at, scratch) ? scratch.log_marginal : -std::numeric_limits<double>::infinity();
}

// Newton's steps, one coordinate after the other, by differences as wide as the coordinate is.
void NormalArrow::climb(NormalPlace& scratch) {
  constexpr int kRounds = 60;
  constexpr double kFarthest = 1.5;
  Vector step = Vector::Constant(psi.size(), 0.05);
  for (int round = 0; round < kRounds; ++round) {
    double moved = 0.0;
    for (Index j = 0; j < psi.size(); ++j) {
      Vector at = psi;
      const double here = log_marginal(at, scratch);
      at[j] += step[j];
      const double above = log_marginal(at, scratch);
      at[j] -= 2.0 * step[j];
      const double below = log_marginal(at, scratch);
      const double slope = (above - below) / (2.0 * step[j]);
      const double bend = (above - 2.0 * here + below) / (step[j] * step[j]);
      double by = bend < -1e-6 ? -slope / bend : blind_step(slope);
      if (!std::isfinite(by)) {
        continue;
      }
      step[j] = step_for(bend);
      by = std::clamp(by, -kFarthest, kFarthest);
      at = psi;
      at[j] += by;
      for (int cut = 0; cut < 10 && !(log_marginal(at, scratch) >= here); ++cut) {
        by *= 0.25;
        at[j] = psi[j] + by;
      }
      psi[j] = at[j];
      moved = std::max(moved, std::abs(by) / step[j]);
    }
    if (moved < 0.02) {
      return;
    }
  }
}

// Minus the inverse of the second derivatives; where the marginal hardly bends, wide.
Matrix NormalArrow::covariance(NormalPlace& scratch) const {
  constexpr double kLeastBend = 0.25;
  const Index size = psi.size();
  const double here = log_marginal(psi, scratch);
  const auto at = [&](Index i, double di, Index j, double dj) {
    Vector off = psi;
    off[i] += di;
    off[j] += dj;
    return log_marginal(off, scratch);
  };
  Vector step(size);
  Matrix bend(size, size);
  for (Index i = 0; i < size; ++i) {
    step[i] = 0.05;
    for (int round = 0; round < 3; ++round) {
      const double h = step[i];
      bend(i, i) = -(at(i, h, i, 0.0) - 2.0 * here + at(i, -h, i, 0.0)) / (h * h);
      step[i] = step_for(-bend(i, i));
    }
  }
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double mixed = at(i, step[i], j, step[j]) - at(i, step[i], j, -step[j]) -
                           at(i, -step[i], j, step[j]) + at(i, -step[i], j, -step[j]);
      bend(i, j) = bend(j, i) = -mixed / (4.0 * step[i] * step[j]);
    }
  }
  if (!bend.allFinite()) {
    return Matrix::Identity(size, size) / kLeastBend;
  }
  // in units of each coordinate's own width, which may be a millionth of another's
  const Vector width = bend.diagonal().cwiseMax(kLeastBend).cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(width.asDiagonal() * bend *
                                                     width.asDiagonal());
  const Vector bends = solver.eigenvalues().cwiseMax(0.05);
  return width.asDiagonal() * solver.eigenvectors() * bends.cwiseInverse().asDiagonal() *
         solver.eigenvectors().transpose() * width.asDiagonal();
}

}  // namespace flymc
