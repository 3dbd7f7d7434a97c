#include "tune/modes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "family/regression_sample.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

// In the posterior norm of a mode: Newton's own error is a fiftieth of it.
constexpr double kApart = 0.5;

bool is_at(const Mode& mode, const Vector& theta) {
  const Vector apart = theta - mode.anchor.theta;
  return std::sqrt(std::max(0.0, apart.dot(mode.anchor.precision * apart))) < kApart;
}

double half_log_determinant(const Matrix& precision) {
  const Matrix root = Eigen::LLT<Matrix>(precision).matrixL();
  return root.diagonal().array().log().sum();
}

// The same starts for every seed of a run.
Stream starts_stream(std::uint64_t purpose) {
  constexpr std::uint64_t kModes = 0x6d6f646573;
  return {kModes, 0, Purpose::kAnchor, purpose};
}

// The first few, and of the better half of the rest those that lie furthest from all before: the
// best alone may all belong to one mode.
std::vector<Vector> far_apart(std::vector<Vector>& candidates, const Matrix& gram) {
  constexpr std::size_t kFirst = 6;
  constexpr std::size_t kFar = 10;
  candidates.resize(std::max(std::min(kFirst, candidates.size()), candidates.size() / 2));
  std::vector<Vector> chosen;
  std::vector<double> apart(candidates.size(), std::numeric_limits<double>::infinity());
  const auto choose = [&](std::size_t i) {
    chosen.push_back(candidates[i]);
    for (std::size_t j = 0; j < candidates.size(); ++j) {
      const Vector between = candidates[j] - candidates[i];
      apart[j] = std::min(apart[j], between.dot(gram * between));
    }
  };
  for (std::size_t i = 0; i < std::min(kFirst, candidates.size()); ++i) {
    choose(i);
  }
  for (std::size_t i = 0; i < kFar; ++i) {
    const auto furthest = std::max_element(apart.begin(), apart.end());
    if (*furthest > 0.0) {
      choose(static_cast<std::size_t>(furthest - apart.begin()));
    }
  }
  return chosen;
}

}  // namespace

void Modes::climb(const Prior& prior, const LikelihoodPass& pass, const Vector& start,
                  const NewtonOptions& options) {
  const auto is_known = [&](const Vector& theta) {
    return std::any_of(modes_.begin(), modes_.end(),
                       [&](const Mode& known) { return is_at(known, theta); });
  };
  if (!start.allFinite() || is_known(start)) {
    return;
  }
  try {
    NewtonResult found = newton(prior, pass, start, options);
    passes_ += found.anchor.passes;
    queries_ += found.anchor.queries;
    if (is_known(found.anchor.theta)) {
      return;
    }
    const double log_evidence = found.log_posterior - half_log_determinant(found.anchor.precision);
    const auto place = std::find_if(modes_.begin(), modes_.end(), [&](const Mode& known) {
      return known.log_evidence < log_evidence;
    });
    modes_.insert(place, {std::move(found.anchor), log_evidence});
  } catch (const Error&) {
    // no mode that way
  }
}

bool Modes::is_best(const Vector& theta) const { return is_at(best(), theta); }

std::vector<Mode> Modes::within(double nats) const {
  std::vector<Mode> some;
  for (const Mode& mode : modes_) {
    if (mode.log_evidence >= best().log_evidence - nats) {
      some.push_back(mode);
    }
  }
  return some;
}

std::vector<std::size_t> mode_sample(std::size_t rows, Index parameters) {
  const auto most = static_cast<std::size_t>(std::clamp<Index>(20 * parameters, 1000, 5000));
  std::vector<std::size_t> sample;
  if (rows > 2 * most) {
    Stream stream = starts_stream(0);
    const Permutation order(rows, stream);
    for (std::size_t i = 0; i < most; ++i) {
      sample.push_back(order(i));
    }
    std::sort(sample.begin(), sample.end());
  }
  return sample;
}

std::vector<Vector> regression_starts(const Dataset& data,
                                      const std::function<double(const Vector&)>& log_posterior) {
  std::vector<std::size_t> numbers(data.rows());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const RegressionSample all = regression_sample(data, numbers);
  constexpr Index kWork = 4000;
  const Index sets = std::clamp<Index>(kWork / (all.x.cols() * all.x.cols()), 20, 100);
  RegressionSample some;
  some.x.resize(std::min(all.x.rows(), all.x.cols()), all.x.cols());
  some.y.resize(some.x.rows());
  some.weight = Vector::Ones(some.x.rows());
  std::vector<std::pair<double, Vector>> ranked;
  for (Index set = 0; set < sets; ++set) {
    Stream stream = starts_stream(1 + static_cast<std::uint64_t>(set));
    const Permutation order(data.rows(), stream);
    for (Index i = 0; i < some.x.rows(); ++i) {
      const auto n = static_cast<Index>(order(static_cast<std::uint64_t>(i)));
      some.x.row(i) = all.x.row(n);
      some.y[i] = all.y[n];
    }
    const Vector theta = weighted_least_squares(some, some.weight);
    if (const double value = log_posterior(theta); std::isfinite(value)) {
      ranked.emplace_back(value, theta);
    }
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Vector> candidates{weighted_least_squares(all, all.weight)};
  for (auto& [value, theta] : ranked) {
    candidates.push_back(std::move(theta));
  }
  return far_apart(candidates, all.x.transpose() * all.weight.asDiagonal() * all.x);
}

}  // namespace flymc
