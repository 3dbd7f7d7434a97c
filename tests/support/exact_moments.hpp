// A sink that compares a chain's moments with those of the integrated posterior.
#pragma once

#include <string>
#include <vector>

#include "support/exact_chain.hpp"
#include "support/exact_quadrature.hpp"
#include "support/exact_stats.hpp"

namespace flymc::exact {

// One number of the chain against one of the quadrature.
struct Comparison {
  std::string what;
  double chain = 0.0;
  double standard_error = 0.0;
  double exact = 0.0;
  double z = 0.0;
};

// Means, second moments and one product of the coordinates of theta, over the draws of a chain.
class ThetaMoments {
 public:
  ThetaMoments(Index dimension, std::size_t draws)
      : mean_(static_cast<std::size_t>(dimension), BatchMean(draws)),
        second_(mean_),
        product_(draws) {}

  void add(const Vector& theta) {
    for (std::size_t j = 0; j < mean_.size(); ++j) {
      const double t = theta[static_cast<Index>(j)];
      mean_[j].add(t);
      second_[j].add(t * t);
    }
    product_.add(theta[0] * theta[theta.size() - 1]);
  }

  // `exact` has mean, second and product; add(what, series, value) takes each comparison.
  template <class Moments, class Add>
  void compare(const Moments& exact, Add&& add) const {
    for (std::size_t j = 0; j < mean_.size(); ++j) {
      const auto i = static_cast<Index>(j);
      add("mean of theta[" + std::to_string(j) + "]", mean_[j], exact.mean[i]);
      add("second moment of theta[" + std::to_string(j) + "]", second_[j], exact.second[i]);
    }
    add("E theta[first] theta[last]", product_, exact.product);
  }

  [[nodiscard]] std::size_t dimension() const noexcept { return mean_.size(); }

 private:
  std::vector<BatchMean> mean_;
  std::vector<BatchMean> second_;
  BatchMean product_;
};

template <class M>
class MomentSink final : public Sink {
 public:
  MomentSink(Reference<M>& reference, Index dimension, std::size_t draws)
      : reference_(reference),
        theta_(dimension, draws),
        bright_probability_(draws),
        bright_count_(draws) {}

  void accept(const Draw& draw) override {
    theta_.add(draw.theta);
    bright_probability_.add(reference_.expected_bright(draw.theta));
    bright_count_.add(static_cast<double>(draw.bright));
  }

  // Regular MCMC has no brightness to compare, but its draws have a probability of it.
  [[nodiscard]] std::vector<Comparison> compare(const PosteriorMoments& exact,
                                                bool with_brightness) const {
    std::vector<Comparison> all;
    const auto add = [&all](const std::string& what, const BatchMean& series, double value) {
      all.push_back({what, series.mean(), series.standard_error(), value, series.z_score(value)});
    };
    theta_.compare(exact, add);
    add("mean over draws of sum (1 - B/L)", bright_probability_, exact.bright);
    if (with_brightness) {
      add("mean number of bright data", bright_count_, exact.bright);
    }
    return all;
  }

 private:
  Reference<M>& reference_;
  ThetaMoments theta_;
  BatchMean bright_probability_;
  BatchMean bright_count_;
};

// A seed of its own for every combination, the same in every run and order.
inline std::uint64_t seed_of(const Combination& c) {
  std::uint64_t seed = 20'140'322;
  for (const char letter : name_of(c)) {
    seed = seed * 1'099'511'628'211U + static_cast<unsigned char>(letter);
  }
  return seed;
}

// Runs a chain of this combination and compares it with the quadrature.
template <class M>
std::vector<Comparison> compare_with_quadrature(const Problem<M>& problem,
                                                const Combination& choice, std::uint64_t seed,
                                                std::size_t draws) {
  constexpr int kNodesPerPanel = 8;
  const Workbench<M> bench(problem, choice);
  Reference<M> reference(problem, bench.bounds.tangents.theta_hat, choice.bound);
  const PosteriorMoments exact = integrate(reference, kNodesPerPanel);
  MomentSink<M> sink(reference, exact.mean.size(), draws);
  const RunSummary summary =
      run_chain(bench.warmup_chain({seed, 0}), {.warmup = 2'000, .draws = draws, .thin = 1}, sink);
  return summary.draws == draws ? sink.compare(exact, choice.z != ZChoice::kNone)
                                : std::vector<Comparison>{};
}

}  // namespace flymc::exact
