#include "compare/evidence.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "compare/level_integral.hpp"
#include "compare/row_density.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "family/prior_constant.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

constexpr double kMostProducts = 1e10;      // of all evaluations together
constexpr std::size_t kFewestOfEach = 200;  // draws and proposals; as far as there are draws
constexpr std::size_t kMostOfEach = 4000;
constexpr std::size_t kSpreadDraws = 32;     // that tell over how much to take differences
constexpr double kLargestLevelError = 0.01;  // of all levels together, averaged over (theta, tau)

// Some draws of each chain: `count` in all, evenly spaced from the share `first` of its length to
// the share `last`.
ThetaDraws part(const ThetaDraws& draws, double first, double last, std::size_t count) {
  const std::size_t length = draws.draws() / draws.chains;
  const auto from = static_cast<std::size_t>(first * static_cast<double>(length));
  const auto to = static_cast<std::size_t>(last * static_cast<double>(length));
  const std::size_t each = std::clamp<std::size_t>(count / draws.chains, 1, to - from);
  ThetaDraws result{Matrix(draws.theta.rows(), static_cast<Index>(each * draws.chains)),
                    draws.chains};
  for (std::size_t chain = 0; chain < draws.chains; ++chain) {
    for (std::size_t i = 0; i < each; ++i) {
      result.theta.col(static_cast<Index>(chain * each + i)) =
          draws.theta.col(static_cast<Index>(chain * length + from + i * (to - from) / each));
    }
  }
  return result;
}

class Gaussian {
 public:
  Gaussian(Vector mean, const Matrix& covariance) : mean_(std::move(mean)) {
    factor_.compute(covariance);
  }

  [[nodiscard]] bool is_proper() const {
    return factor_.info() == Eigen::Success &&
           factor_.matrixLLT().diagonal().minCoeff() >
               1e-12 * factor_.matrixLLT().diagonal().maxCoeff();
  }
  [[nodiscard]] Matrix sample(Index count, Stream stream) const {
    Matrix unit(mean_.size(), count);
    for (double& value : unit.reshaped()) {
      value = stream.normal();
    }
    return (factor_.matrixL() * unit).colwise() + mean_;
  }
  [[nodiscard]] Vector log_density(const Matrix& theta) const {
    const Matrix unit = factor_.matrixL().solve(theta.colwise() - mean_);
    const double log_volume =
        factor_.matrixLLT().diagonal().array().log().sum() +
        0.5 * static_cast<double>(mean_.size()) * std::log(2.0 * std::numbers::pi);
    return (-0.5 * unit.colwise().squaredNorm().array() - log_volume).transpose();
  }

 private:
  Vector mean_;
  Eigen::LLT<Matrix> factor_;
};

// Of the draws.
Gaussian moment_gaussian(const ThetaDraws& draws) {
  const Vector mean = draws.theta.rowwise().mean();
  const Matrix centred = draws.theta.colwise() - mean;
  return {mean, centred * centred.transpose() / static_cast<double>(draws.draws() - 1)};
}

// Their mean, and the inverse of the information there; not proper where that is not.
Gaussian laplace_gaussian(const Problem& problem, const ThetaDraws& draws) {
  const Vector mean = draws.theta.rowwise().mean();
  Matrix precision = information(problem, part(draws, 0.0, 1.0, kSpreadDraws).theta);
  Vector gradient = Vector::Zero(mean.size());
  Vector prior = Vector::Zero(mean.size());
  const Vector smoothing = precision.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  problem.prior.add_smooth_derivatives(mean, smoothing, gradient, prior);
  precision.diagonal() += prior;
  const Eigen::LLT<Matrix> factor(precision);
  const Index size = mean.size();
  return {mean, factor.info() == Eigen::Success ? Matrix(factor.solve(Matrix::Identity(size, size)))
                                                : Matrix(Matrix::Zero(size, size))};
}

// A covariance of D parameters from few draws is further from the posterior's than the inverse of
// the information is; where rows are many, so is one from rather many draws.
bool needs_information(const Problem& problem, const ThetaDraws& draws) {
  const auto parameters = static_cast<std::size_t>(draws.theta.rows());
  const bool tall = problem.data.rows() > 100 * parameters;
  return draws.draws() < (tall ? 200 : 20) * parameters;
}

Gaussian fitted_gaussian(const Problem& problem, const ThetaDraws& draws) {
  if (needs_information(problem, draws)) {
    Gaussian laplace = laplace_gaussian(problem, draws);
    if (laplace.is_proper()) {
      return laplace;
    }
  }
  return moment_gaussian(draws);
}

// log p(theta) of every column.
Vector log_priors(const Problem& problem, const Matrix& theta) {
  const double constant = log_prior_constant(problem);
  Vector values(theta.cols());
  for (Index s = 0; s < theta.cols(); ++s) {
    values[s] = problem.prior.log_density(theta.col(s)) + constant;
  }
  return values;
}

std::size_t count_of_each(const Problem& problem, const ThetaDraws& draws) {
  const double each =
      static_cast<double>(problem.data.rows()) * static_cast<double>(draws.theta.rows() + 10);
  const auto affordable = static_cast<std::size_t>(std::min(kMostProducts / each / 2.0, 1e6));
  return std::clamp(affordable, kFewestOfEach, kMostOfEach);
}

// Where levels are integrated out the posterior of what is left has few parameters, and is nearly
// normal: fewer do.
std::size_t count_with_levels(const Problem& problem) {
  constexpr double kMostEvaluations = 1e8;
  const double each = static_cast<double>(problem.data.rows() * kLevelEvaluations);
  return std::clamp(static_cast<std::size_t>(kMostEvaluations / each / 2.0), kFewestOfEach / 2,
                    kMostOfEach);
}

Evidence none(const Message& why) { return {{}, why}; }

std::span<const double> numbers(const Vector& values) {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

// Why there is no bridge, whatever the likelihood; empty where there may be.
Message why_no_bridge(const Problem& problem, const ThetaDraws& draws) {
  if (problem.prior.has_flat()) {
    return "the prior is flat: it has no density, and the model no evidence.";
  }
  const std::size_t half = draws.draws() / 2;
  const auto parameters = static_cast<std::size_t>(draws.theta.rows());
  if (2 * half < parameters || half < 50 || draws.draws() / draws.chains < 10) {
    return message("too few draws ({}) for {} parameters; ask for more: {}.",
                   with_commas(draws.draws()), with_commas(parameters), Setting{"draws"});
  }
  return {};
}

// Between the Gaussian and some of the second halves of the chains; log_density(theta) of every
// column.
template <class LogDensity>
Evidence bridge_to(const Gaussian& proposal, const ThetaDraws& draws, std::size_t count,
                   std::uint64_t seed, const LogDensity& log_density) {
  if (!proposal.is_proper()) {
    return none("the draws do not move in every direction.");
  }
  const ThetaDraws used = part(draws, 0.5, 1.0, count);
  Matrix theta(used.theta.rows(), 2 * used.theta.cols());
  theta << used.theta, proposal.sample(used.theta.cols(), Stream(seed, 0, Purpose::kSimulate, 0));
  const Vector log_ratio = log_density(theta) - proposal.log_density(theta);
  const Vector at_draws = log_ratio.head(used.theta.cols());
  if (!at_draws.allFinite()) {
    return none("the density of the data is not finite at a draw.");
  }
  // Where the likelihood is no number it is none.
  const Vector at_proposals = log_ratio.tail(used.theta.cols()).unaryExpr([](double value) {
    return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
  });
  const LogEvidence log = bridge(numbers(at_draws), used.chains, numbers(at_proposals));
  if (!(log.se <= kLargestError)) {
    return none(message("its standard error would be {}; ask for more draws: {}.",
                        std::isfinite(log.se) ? fmt::format("{:.2g}", log.se) : "infinite",
                        Setting{"draws"}));
  }
  return {log, {}};
}

// (theta, log tau) of every draw: what is left when levels are integrated out.
ThetaDraws with_scales(const LinearDraws& draws) {
  ThetaDraws all{Matrix(draws.theta.rows() + 1, draws.theta.cols()), draws.chains};
  all.theta.topRows(draws.theta.rows()) = draws.theta;
  const std::vector<Matrix>& scales = draws.levels->terms.front().factors;
  for (Index s = 0; s < all.theta.cols(); ++s) {
    all.theta(all.theta.rows() - 1, s) = std::log(scales[static_cast<std::size_t>(s)](0, 0));
  }
  return all;
}

}  // namespace

Evidence bridged_evidence(const Problem& problem, const ThetaDraws& draws, std::uint64_t seed) {
  if (Message why = why_no_bridge(problem, draws); !why.empty()) {
    return none(why);
  }
  return bridge_to(fitted_gaussian(problem, part(draws, 0.0, 0.5, draws.draws())), draws,
                   count_of_each(problem, draws), seed, [&](const Matrix& theta) -> Vector {
                     return log_likelihoods(problem, theta, 0) + log_priors(problem, theta);
                   });
}

Evidence bridged_evidence_of_levels(const Problem& problem, const LinearDraws& draws,
                                    std::uint64_t seed) {
  const ThetaDraws all = with_scales(draws);
  const Prior of_scale({problem.groups->sd_priors.front()});
  if (of_scale.has_flat()) {
    return none("the prior of the levels' scale is flat: it has no density.");
  }
  if (Message why = why_no_bridge(problem, all); !why.empty()) {
    return none(why);
  }
  const Index last = all.theta.rows() - 1;
  const Matrix& levels = draws.levels->terms.front().levels.front();
  bool fine = true;
  Evidence evidence = bridge_to(
      moment_gaussian(part(all, 0.0, 0.5, all.draws())), all, count_with_levels(problem), seed,
      [&](const Matrix& at) -> Vector {
        const LevelIntegrals integrals = level_integrals(problem, {all.theta, levels}, at);
        fine = integrals.errors.cwiseMin(1.0).mean() < kLargestLevelError;
        Vector sum = integrals.values + log_priors(problem, at.topRows(last));
        for (Index s = 0; s < at.cols(); ++s) {
          sum[s] += of_scale.log_density(at.col(s).tail(1)) + log_constant(of_scale);
        }
        return sum;
      });
  return fine ? evidence : none("levels could not be integrated over finely enough.");
}

}  // namespace flymc
