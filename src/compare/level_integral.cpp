#include "compare/level_integral.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "compare/row_density.hpp"
#include "core/parallel.hpp"
#include "groups/group_problem.hpp"

namespace flymc {
namespace {

// A linear guess of a level's coefficient from (theta, log tau), by its draws. Given these, levels
// of many rows are much less uncertain than their draws are, because all move against the
// intercept.
class LevelGuess {
 public:
  LevelGuess(const LevelPlaces& draws, const Matrix& at)
      : mean_(draws.common.rowwise().mean()), levels_(draws.levels), off_(at.colwise() - mean_) {
    centred_ = draws.common.colwise() - mean_;
    Matrix covariance = centred_ * centred_.transpose();
    const auto count = static_cast<double>(centred_.cols());
    // So much that few draws for many parameters do no harm.
    covariance.diagonal() *= 1.0 + static_cast<double>(centred_.rows()) / count;
    covariance.diagonal().array() += 1e-12 * count;
    factor_.compute(covariance);
  }

  struct Start {
    Eigen::ArrayXd u;  // one a column
    double sd = 0.0;   // of the draws
  };
  [[nodiscard]] Start of(std::size_t level) const {
    const auto draws = levels_.col(static_cast<Index>(level));
    const double mean = draws.mean();
    const Vector slopes = factor_.solve(centred_ * (draws.array() - mean).matrix());
    return {(off_.transpose() * slopes).array() + mean,
            std::sqrt((draws.array() - mean).square().mean()) + 1e-12};
  }

 private:
  Vector mean_;
  const Matrix& levels_;
  Matrix off_;
  Matrix centred_;
  Eigen::LLT<Matrix> factor_;
};

// One level, for every column at once.
class LevelIntegral {
 public:
  LevelIntegral(const Problem& problem, const Grouping& grouping, const Matrix& at)
      : problem_(problem),
        grouping_(grouping),
        theta_{{at.topRows(at.rows() - 1)}},
        log_tau_(at.row(at.rows() - 1).transpose()),
        tau_(log_tau_.exp()),
        raw_(problem.data.columns()) {}

  // Adds to `sum`.
  void add(std::size_t level, const LevelGuess::Start& start, LevelIntegrals& sum) {
    rows_.assign(grouping_.rows(level).begin(), grouping_.rows(level).end());
    find_modes(start);
    integrate(sum);
  }

 private:
  // The log density of all rows of the level and of its coefficient, up to a constant: columns x
  // points, at points of the same shape.
  [[nodiscard]] const Matrix& log_densities_at(const Matrix& u) {
    values_ = -0.5 * (u.array().colwise() / tau_).square();
    const Index points = u.size();
    eta_.resize(points, problem_.predictors());
    one_.resize(static_cast<std::size_t>(points));
    for (std::size_t first = 0; first < rows_.size(); first += kRows) {
      const std::size_t count = std::min(kRows, rows_.size() - first);
      const std::span<const std::size_t> rows(rows_.data() + first, count);
      Matrix fixed = predictors(problem_, rows, standardised(problem_.data, rows), theta_);
      for (std::size_t i = 0; i < count; ++i) {
        add_row(rows[i], predictors_of(fixed, i, count), u);
      }
    }
    return values_;
  }
  void add_row(std::size_t row, const DrawsView& fixed, const Matrix& u) {
    double w = 0.0;
    grouping_.copy(problem_.data.row(row, raw_.data()).raw, &w);
    for (Index m = 0; m < u.cols(); ++m) {
      auto points = eta_.middleRows(m * u.rows(), u.rows());
      points = fixed.matrix();
      points.col(0) += w * u.col(m);  // the first predictor alone varies
    }
    log_densities(problem_, row,
                  {eta_.data(), eta_.rows(), eta_.cols(), Eigen::OuterStride<>(eta_.rows())}, one_);
    values_.reshaped() += Eigen::Map<const Vector>(one_.data(), values_.size());
  }

  // Newton's steps, derivatives by differences. Where the rule is centred decides how fine it is,
  // never what it integrates.
  void find_modes(const LevelGuess::Start& start) {
    const double h = kDifference * start.sd;
    mode_ = start.u.max(-kFarthest * tau_).min(kFarthest * tau_);
    for (int i = 0; i < kNewton; ++i) {
      Matrix u(mode_.size(), 3);
      u << mode_ - h, mode_, mode_ + h;
      const Matrix& at = log_densities_at(u);
      const Eigen::ArrayXd slope = (at.col(2) - at.col(0)).array() / (2.0 * h);
      const Eigen::ArrayXd bend = ((2.0 * at.col(1) - at.col(0) - at.col(2)).array() / (h * h))
                                      .max(tau_.square().inverse());
      width_ = bend.sqrt().inverse();
      const Eigen::ArrayXd longest = (4.0 * width_).max(3.0 * start.sd);
      mode_ += (slope / bend).max(-longest).min(longest);
    }
  }

  // Terms of the rule at t = (first + k step), thetas x points: log p du/dt with
  // u = mode + width sinh(a t)/a, equally spaced near the mode, further apart in the tails, which
  // may be longer than its width says.
  [[nodiscard]] Matrix terms_at(double first, double step, Index count) {
    Matrix u(mode_.size(), count);
    Eigen::RowVectorXd log_stretch(count);
    for (Index k = 0; k < count; ++k) {
      const double t = first + step * static_cast<double>(k);
      u.col(k) = mode_ + std::sinh(kStretch * t) / kStretch * width_;
      log_stretch[k] = std::log(std::cosh(kStretch * t));
    }
    return log_densities_at(u).rowwise() + log_stretch;
  }

  // The trapezoid rule in t, whose error falls like exp(-2 pi^2 / step^2) where the level is nearly
  // normal; elsewhere the step is halved until that changes little.
  void integrate(LevelIntegrals& sum) {
    double step = kStep;
    Matrix at = terms_at(-kRange, step, kNodes);
    const Eigen::ArrayXd top = at.rowwise().maxCoeff();
    const auto masses = [&](const Matrix& terms) -> Eigen::ArrayXXd {
      return (terms.array().colwise() - top).exp();
    };
    const Eigen::ArrayXXd first = masses(at);
    Eigen::ArrayXd total = step * first.rowwise().sum();
    Eigen::ArrayXd coarse = Eigen::ArrayXd::Zero(total.size());
    for (Index k = 0; k < kNodes; k += 2) {
      coarse += 2.0 * step * first.col(k);
    }
    Eigen::ArrayXd off = (coarse / total).log().abs();
    for (int i = 0; i < kHalvings && !(off.maxCoeff() <= kFineChange); ++i) {
      const auto count = static_cast<Index>(std::lround(2.0 * kRange / step));
      const Eigen::ArrayXXd between = masses(terms_at(-kRange + 0.5 * step, step, count));
      const Eigen::ArrayXd finer = 0.5 * (total + step * between.rowwise().sum());
      off = (finer / total).log().abs();
      total = finer;
      step *= 0.5;
    }
    const Eigen::ArrayXd ends = (first.col(0) + first.col(kNodes - 1)) / total;
    sum.values.array() +=
        top + (width_ * total).log() - log_tau_ - 0.5 * std::log(2.0 * std::numbers::pi);
    sum.errors.array() += off * off.sqrt() + ends;
  }

  static constexpr std::size_t kRows = 16;     // at a time
  static constexpr int kNewton = 5;            // steps to a mode, three evaluations each
  static constexpr double kFarthest = 5.0;     // where they begin, in standard deviations a priori
  static constexpr double kDifference = 0.02;  // for derivatives, in standard deviations of draws
  static constexpr double kRange = 7.0;        // of t, to both sides
  static constexpr double kStep = 0.5;
  static constexpr Index kNodes = 29;
  static constexpr double kStretch = 0.4;
  static constexpr int kHalvings = 3;
  static constexpr double kFineChange = 1e-4;  // of a level's logarithm
  static_assert(kLevelEvaluations == 3 * kNewton + kNodes && 2.0 * kRange == kStep * (kNodes - 1));

  const Problem& problem_;
  const Grouping& grouping_;
  LinearDraws theta_;
  Eigen::ArrayXd log_tau_;
  Eigen::ArrayXd tau_;
  Eigen::ArrayXd mode_;
  Eigen::ArrayXd width_;
  std::vector<std::size_t> rows_;  // scratch, as what follows
  Vector raw_;
  Matrix values_;
  Matrix eta_;
  std::vector<double> one_;
};

}  // namespace

bool has_level_integral(const Problem& problem) noexcept {
  if (!problem.groups || !problem.groups->keeps_levels || problem.groups->terms.size() != 1) {
    return false;
  }
  const GroupTerm& term = problem.groups->terms.front();
  return !term.is_smooth() && term.size() == 1 && term.members.size() <= 1;
}

LevelIntegrals level_integrals(const Problem& problem, const LevelPlaces& draws, const Matrix& at) {
  const Grouping grouping(problem.data, problem.data.factors().front(),
                          problem.groups->terms.front());
  const LevelGuess guess(draws, at);
  const std::vector<LevelRange> pieces = grouping.shard().pieces();
  const Vector zeros = Vector::Zero(at.cols());
  std::vector<LevelIntegrals> sums(pieces.size(), {zeros, zeros});
  parallel_for(pieces.size(), 0, [&](std::size_t i) {
    LevelIntegral integral(problem, grouping, at);
    for (std::size_t level = pieces[i].first; level < pieces[i].last; ++level) {
      integral.add(level, guess.of(level), sums[i]);
    }
  });
  LevelIntegrals total{zeros, zeros};
  for (const LevelIntegrals& sum : sums) {
    total.values += sum.values;
    total.errors += sum.errors;
  }
  return total;
}

}  // namespace flymc
