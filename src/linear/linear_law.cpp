#include "linear/linear_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "core/message.hpp"
#include "flymc/detail/posterior/pass.hpp"
#include "flymc/detail/ranks/piece_sum.hpp"
#include "flymc/detail/tune/newton.hpp"
#include "flymc/error.hpp"

namespace flymc {

LinearLaw::LinearLaw(const LinearProblem& problem) : problem_(problem) {
  read_prior();
  tally_responses();
  anchor_ = mean_;
  sum_rows(true);
  most_ = least_;
  double log_sigma = infers_sigma() ? sigma_law_->start()[0] : problem_.log_sigma;
  factor(log_sigma);
  constexpr int kMostPasses = 5;
  while (passes_ < kMostPasses && move_anchor()) {  // no digit is lost to where the search began
    sum_rows(false);
    find_wanted(std::exp(2.0 * log_sigma));
    if (infers_sigma()) {
      find_sigma();
      log_sigma = scalar_->top();
      factor(log_sigma);
    }
  }
  if (infers_sigma()) {
    find_sigma();
    require_proper();
  }
}

void LinearLaw::read_prior() {
  const std::vector<PriorTerm>& terms = problem_.prior.terms();
  const Index p = problem_.data.design().size(0);
  mean_ = problem_.prior.location().head(p);
  precision_ = Vector::Zero(p);
  for (Index j = 0; j < p; ++j) {
    const PriorTerm& term = terms[static_cast<std::size_t>(j)];
    precision_[j] = term.kind == PriorKind::kNormal ? 1.0 / (term.scale * term.scale) : 0.0;
  }
  if (problem_.prior.dimension() > p) {
    sigma_law_.emplace(std::vector<PriorTerm>{terms.back()});
  }
}

// A row is as likely as it can be where eta is its response: log L there, of sigma = 1 where that
// is unknown.
void LinearLaw::tally_responses() {
  const Dataset& data = problem_.data;
  const Family& family = problem_.family;
  const std::vector<double> sums =
      sum_pieces(data.shard(), 3, problem_.threads, [&](RowRange rows, std::span<double> out) {
        std::vector<double> eta(static_cast<std::size_t>(family.predictors()), 0.0);
        const DrawsView one(eta.data(), 1, family.predictors(), Eigen::OuterStride<>(1));
        double value = 0.0;
        for (std::size_t n = rows.first; n < rows.last; ++n) {
          eta[0] = family.type().gaussian(data.response(n));
          family.log_likelihoods(one, data.response(n), 1.0, {&value, 1});
          out[0] += data.weight(n);
          out[1] += data.weight(n) * value;
          out[2] += data.weight(n) * eta[0] * eta[0];
        }
      });
  weight_ = sums[0];
  peak_ = sums[1];
  size_ = sums[2] / sums[0];
}

void LinearLaw::sum_rows(bool with_gram) {
  const Dataset& data = problem_.data;
  const auto response = problem_.family.type().gaussian;
  PassSums sums = run_pass(data, anchor_, {.grams = with_gram ? 1 : 0, .threads = problem_.threads},
                           [&](PassBlock& block) {
                             double squares = 0.0;
                             block.counter.query(block.range.size(), [&](std::size_t i) {
                               const std::size_t n = block.range.first + i;
                               const auto row = static_cast<Index>(i);
                               const double off = response(data.response(n)) - block.eta(row, 0);
                               const double weight = data.weight(n);
                               squares += weight * off * off;
                               block.slopes(row, 0) = weight * off;
                               if (with_gram) {
                                 block.weights(row, 0) = weight;
                               }
                             });
                             return squares;
                           });
  least_ = sums.value;
  slope_ = sums.gradient.col(0);
  if (with_gram) {
    gram_ = std::move(sums.precision);
  }
  ++passes_;
  queries_ += sums.queries;
}

// Of S + sigma^2 P, its diagonal scaled to ones first, so that badly scaled columns do no harm: L
// L' makes it the unit matrix, and the eigenvectors of P there make both diagonal.
void LinearLaw::factor(double log_sigma) {
  const double variance = std::exp(2.0 * log_sigma);
  Matrix both = gram_;
  both.diagonal() += variance * precision_;
  const Vector scale = both.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Eigen::LLT<Matrix> llt(scale.asDiagonal() * both * scale.asDiagonal());
  constexpr double kSingular = 1e-14;
  if (llt.info() != Eigen::Success || !(llt.rcond() > kSingular)) {
    throw singular_error(problem_.prior);
  }
  const Index p = coefficients();
  const Matrix root = llt.matrixL();
  map_ = scale.asDiagonal() *
         Matrix(root.triangularView<Eigen::Lower>().transpose().solve(Matrix::Identity(p, p)));
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(map_.transpose() * precision_.asDiagonal() *
                                                    map_);
  if (eigen.info() != Eigen::Success) {
    throw singular_error(problem_.prior);
  }
  map_ = (map_ * eigen.eigenvectors()).eval();
  lambda_ = eigen.eigenvalues().cwiseMax(0.0);
  lambda_.head((precision_.array() == 0.0).count()).setZero();  // ascending: those of flat priors
  kappa_ = 1.0 - variance * lambda_.array();
  log_det_ = (scale.array() / root.diagonal().array()).log().sum();
  constexpr double kUntold = 1e-12;  // less is rounding: rows do not tell of the direction
  kappa_ = (kappa_.array() > kUntold).select(kappa_, 0.0);
  find_wanted(variance);
}

// In the coordinates of T, whose inverse is T'(S + sigma^2 P).
void LinearLaw::find_wanted(double variance) {
  const Vector pull = map_.transpose() * slope_;
  wanted_by_rows_ = (kappa_.array() > 0.0).select(pull.cwiseQuotient(kappa_), 0.0);
  unexplained_ = std::max(least_ - pull.dot(wanted_by_rows_), 0.0);
  const Vector off = mean_ - anchor_;
  wanted_by_prior_ = map_.transpose() * (gram_ * off + variance * precision_.cwiseProduct(off));
}

// To least squares, in directions that rows tell much of. False where it is there.
bool LinearLaw::move_anchor() {
  constexpr double kWellTold = 1e-8;
  constexpr double kThere = 1e-10;
  Vector step = Vector::Zero(coefficients());
  double gain = 0.0;
  for (Index j = 0; j < coefficients(); ++j) {
    if (kappa_[j] > kWellTold) {
      step[j] = wanted_by_rows_[j];
      gain += kappa_[j] * step[j] * step[j];
    }
  }
  if (passes_ > 1 && !(gain > kThere * least_)) {
    return false;
  }
  anchor_ += map_ * step;
  return true;
}

// Between the noise that rows have about what they want, and about what the prior wants, where its
// own law begins a search; and some way beyond.
void LinearLaw::find_sigma() {
  constexpr double kBeyond = 15.0;
  constexpr double kFarthest = 60.0;
  const double start = sigma_law_->start()[0];
  const auto noise = [&](double squares) {
    return std::clamp(0.5 * std::log(squares / weight_), start - kFarthest, start + kFarthest);
  };
  scalar_.emplace([this](double s) { return log_marginal(s); },
                  std::min({start, noise(least_), noise(most_)}) - kBeyond,
                  std::max({start, noise(least_), noise(most_)}) + kBeyond);
}

// With few rows, or small weights, and flat priors the marginal may not fall as sigma grows. Where
// nothing is left unexplained but rounding, it is as sigma^(e - (N - rank S)) where sigma is small,
// its prior being as sigma^e.
void LinearLaw::require_proper() const {
  constexpr double kFar = 40.0;
  constexpr double kLeastFall = 1e-6;
  const double start = sigma_law_->start()[0];
  const double far = std::max(scalar_->top(), start) + kFar;
  if (log_marginal(far + kFar) > log_marginal(far) - kLeastFall) {
    throw Error(ErrorKind::kData,
                "the posterior of 'sigma' is not proper: with so few rows it does not fall as "
                "sigma grows",
                "use a proper prior.");
  }
  constexpr double kRounding = 1e-13;
  if (unexplained_ > weight_ * kRounding * kRounding * size_) {
    return;
  }
  const auto law_at = [&](double s) { return sigma_law_->log_density(Vector::Constant(1, s)); };
  constexpr double kSmall = 1e5;
  const double beyond = law_at(start - 2.0 * kSmall);
  const auto rank = static_cast<double>((kappa_.array() > 0.0).count());
  const bool is_proper = !std::isfinite(beyond) ||  // falls faster than any power
                         (law_at(start - kSmall) - beyond) / kSmall > weight_ - rank + kLeastFall;
  if (!is_proper) {
    throw Error(ErrorKind::kData,
                "the columns explain the response without noise, as far as doubles can tell",
                message("leave a column out, or give {}.", Setting{"sigma"}));
  }
}

double LinearLaw::log_posterior(const Vector& theta) const {
  const double s = log_sigma(theta);
  const Vector off = theta.head(coefficients()) - anchor_;
  const double squares = least_ - 2.0 * slope_.dot(off) + off.dot(gram_ * off);
  const double noise = infers_sigma() ? weight_ * s : 0.0;  // a number is in the peak
  return peak_ - noise - 0.5 * squares * std::exp(-2.0 * s) + problem_.prior.log_density(theta);
}

double LinearLaw::log_marginal(double s) const {
  const double variance = std::exp(2.0 * s);
  double rest = unexplained_ / variance;
  double log_widths = 0.0;
  for (Index j = 0; j < coefficients(); ++j) {
    const double width = kappa_[j] + variance * lambda_[j];
    const double apart = wanted_by_prior_[j] - wanted_by_rows_[j];
    rest += kappa_[j] * lambda_[j] * apart * apart / width;
    log_widths += kappa_[j] > 0.0 ? std::log(width) : std::log(lambda_[j]) + 2.0 * s;
  }
  const auto p = static_cast<double>(coefficients());
  double value = peak_ + p * s - 0.5 * rest - 0.5 * log_widths + log_det_ +
                 0.5 * p * std::log(2.0 * std::numbers::pi);
  if (infers_sigma()) {
    value += sigma_law_->log_density(Vector::Constant(1, s)) - weight_ * s;
  }
  return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
}

void LinearLaw::draw_coefficients(double s, Vector& normals, Eigen::Ref<Vector> beta) const {
  const double variance = std::exp(2.0 * s);
  for (Index j = 0; j < coefficients(); ++j) {
    const double of_prior = variance * lambda_[j];
    const double width = kappa_[j] + of_prior;
    const double share = kappa_[j] / width;  // of the rows
    normals[j] = share * wanted_by_rows_[j] + (1.0 - share) * wanted_by_prior_[j] +
                 std::sqrt(variance / width) * normals[j];
  }
  beta.noalias() = map_ * normals;
  beta += anchor_;
}

double LinearLaw::log_evidence() const {
  return infers_sigma() ? scalar_->log_integral([this](double s) { return log_marginal(s); })
                        : log_marginal(problem_.log_sigma);
}

}  // namespace flymc
