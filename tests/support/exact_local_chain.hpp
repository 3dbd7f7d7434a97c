// Runs a chain with local bounds and compares it with the integrated posterior.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/exact_local.hpp"

namespace flymc::exact {

template <class M>
class LocalSink final : public Sink {
 public:
  LocalSink(LocalReference<M>& reference, const Bounds& bounds, Index dimension, std::size_t draws)
      : reference_(reference),
        bounds_(bounds),
        theta_(dimension, draws),
        outside_first_(draws),
        outside_all_(draws),
        coins_(draws) {}

  void accept(const Draw& draw) override {
    theta_.add(draw.theta);
    const int shell = reference_.shell_of(draw.theta);
    outside_first_.add(shell > 0 ? 1.0 : 0.0);
    outside_all_.add(shell == bounds_.tangents.shells.outermost() ? 1.0 : 0.0);
    coins_.add(static_cast<double>(draw.bright) - reference_.expected_bright(draw.theta));
  }

  // Given theta the bright count has a known mean: the difference has mean zero.
  [[nodiscard]] std::vector<Comparison> compare(const LocalMoments& exact) const {
    std::vector<Comparison> all;
    const auto add = [&all](const std::string& what, const BatchMean& series, double value) {
      all.push_back({what, series.mean(), series.standard_error(), value, series.z_score(value)});
    };
    theta_.compare(exact, add);
    add("bright data less their expected number", coins_, 0.0);
    constexpr double kRare = 0.01;  // rarer visits make no mean of batches
    const bool fine = theta_.dimension() < 3;
    if (fine && exact.outside_first > kRare && exact.outside_first < 1.0 - kRare) {
      add("P(outside the innermost shell)", outside_first_, exact.outside_first);
    }
    if (fine && exact.outside_all > kRare && exact.outside_all < 1.0 - kRare) {
      add("P(outside all shells)", outside_all_, exact.outside_all);
    }
    return all;
  }

 private:
  LocalReference<M>& reference_;
  const Bounds& bounds_;
  ThetaMoments theta_;
  BatchMean outside_first_;
  BatchMean outside_all_;
  BatchMean coins_;
};

struct LocalRun {
  std::vector<Comparison> comparisons;  // empty where the run did not finish
  LocalMoments exact;
  RunSummary summary;
  std::size_t beacons = 0;
  double largest_reach = 0.0;  // of a beacon
};

template <class M>
LocalRun run_local(const Problem<M>& problem, const Combination& choice, std::uint64_t seed,
                   std::size_t draws) {
  const Workbench<M> bench(problem, choice);
  const std::vector<Datum>& beacons = bench.bounds.beacons.rows;
  LocalRun run;
  run.beacons = beacons.size();
  run.largest_reach = beacons.empty() ? 0.0 : bench.bounds.tangents.reach(beacons.back());
  LocalReference<M> reference(problem, bench.bounds, bench.anchor);
  const int nodes = problem.prior.terms().size() < 3 ? 48 : 8;
  run.exact = integrate_local(problem, reference, bench.bounds, nodes);
  LocalSink<M> sink(reference, bench.bounds, run.exact.mean.size(), draws);
  run.summary =
      run_chain(bench.warmup_chain({seed, 0}), {.warmup = 2'000, .draws = draws, .thin = 1}, sink);
  if (run.summary.draws == draws) {
    run.comparisons = sink.compare(run.exact);
  }
  return run;
}

}  // namespace flymc::exact
