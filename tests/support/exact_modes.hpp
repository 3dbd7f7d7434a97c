// A posterior with two modes, of one parameter and twenty data, and a chain that jumps between
// them, against the integral.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "flymc/chain/run_chain.hpp"
#include "flymc/posterior/full_target.hpp"
#include "kernel/mode_jumps.hpp"
#include "support/exact_problem.hpp"
#include "support/exact_stats.hpp"
#include "tune/modes.hpp"

namespace flymc::exact {

// Eleven rows on a line of slope 1.2, nine on one of slope -1.5, further out: a wide mode and a
// narrow one.
inline Problem<StudentT> two_modes() {
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 20; ++i) {
    const bool wide = i < 11;
    const double wiggle = 0.4 * std::sin(2.3 * i + 0.4);
    x.push_back((i % 2 == 0 ? 1.0 : -1.0) * (wide ? 1.0 : 1.3) * (1.0 + 0.03 * i));
    y.push_back((wide ? 1.2 : -1.5) * x.back() + wiggle);
  }
  Dataset::Options options;
  options.intercept = false;
  return {StudentT(1.0, 0.3), equal_prior(PriorKind::kNormal, 1, 0.0, 1.5),
          Dataset(table_of(x, y), options), 0.0};
}

struct ModeMoments {
  double positive = 0.0;  // the mass of theta > 0
  double mean = 0.0;
  double second = 0.0;
};

// The density in textbook form, by the trapezoid rule: its error is beyond all digits, as the
// integrand and its derivatives vanish at both ends.
inline ModeMoments integrate_modes(const Problem<StudentT>& problem) {
  constexpr int kNodes = 40'000;
  constexpr double kEnd = 12.0;
  std::vector<double> logs;
  for (int i = 0; i <= kNodes; ++i) {
    const double theta = -kEnd + 2.0 * kEnd * i / kNodes;
    const PriorTerm& prior = problem.prior.terms()[0];
    double value = -0.5 * theta * theta / (prior.scale * prior.scale);
    Vector row(1);
    for (std::size_t n = 0; n < problem.data.rows(); ++n) {
      problem.data.copy_row(n, row.data());
      const double residual = (problem.data.response(n) - row[0] * theta) / problem.model.scale();
      const double nu = problem.model.nu();
      value -= 0.5 * (nu + 1.0) * std::log(1.0 + residual * residual / nu);
    }
    logs.push_back(value);
  }
  const double top = *std::max_element(logs.begin(), logs.end());
  ModeMoments sums;
  double mass = 0.0;
  for (int i = 0; i <= kNodes; ++i) {
    const double theta = -kEnd + 2.0 * kEnd * i / kNodes;
    const double density = std::exp(logs[static_cast<std::size_t>(i)] - top);
    mass += density;
    sums.positive += theta > 0.0 ? density : 0.0;
    sums.mean += density * theta;
    sums.second += density * theta * theta;
  }
  return {sums.positive / mass, sums.mean / mass, sums.second / mass};
}

// The two, with proposals' weights that are e^off wrong.
inline std::vector<Mode> both_modes(const Problem<StudentT>& problem, double off) {
  std::vector<Mode> modes =
      find_modes(problem.model, problem.prior, problem.data, problem.prior.location(), 1)
          .within(kNatsThatMatter);
  modes.back().log_evidence += off;
  return modes;
}

// z-scores of the three moments.
inline std::vector<double> mode_scores(const Problem<StudentT>& problem,
                                       const std::vector<Mode>& modes, std::uint64_t seed,
                                       std::size_t draws) {
  struct Moments final : Sink {
    explicit Moments(std::size_t count) : positive(count), mean(count), second(count) {}
    void accept(const Draw& draw) override {
      const double theta = draw.theta[0];
      positive.add(theta > 0.0 ? 1.0 : 0.0);
      mean.add(theta);
      second.add(theta * theta);
    }
    BatchMean positive;
    BatchMean mean;
    BatchMean second;
  };
  const Anchor& anchor = modes.front().anchor;
  const Frame frame = Frame::whitened(anchor);
  ChainParts parts{
      std::make_unique<FullTarget<StudentT>>(problem.model, problem.prior, problem.data, frame),
      nullptr,
      std::make_unique<ModeJumps>(make_theta_kernel(KernelKind::kHmc, frame), modes, frame),
      nullptr, Streams{seed, 0}};
  Moments moments(draws);
  std::ignore = run_chain(WarmupChain(std::move(parts), anchor.theta, {}),
                          {.warmup = 1000, .draws = draws}, moments, {});
  const ModeMoments exact = integrate_modes(problem);
  return {moments.positive.z_score(exact.positive), moments.mean.z_score(exact.mean),
          moments.second.z_score(exact.second)};
}

}  // namespace flymc::exact
