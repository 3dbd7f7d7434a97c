// The point of it all, at the size of the paper's first experiment: simulated logistic data with
// 12,214 rows and 51 parameters, random-walk updates, per likelihood query.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "diagnose/coda_ess.hpp"
#include "support/exact_chain.hpp"
#include "support/exact_simulate.hpp"

namespace flymc::exact {
namespace {

constexpr std::size_t kRows = 12'214;
constexpr std::size_t kColumns = 50;
constexpr Index kWatched[] = {0, 1, 25, 50};

// The log posterior at the kept draws, then a few parameters. A FlyMC chain only knows its joint
// density, so the log posterior is evaluated apart; those queries are the test's, not the chain's.
class TraceSink final : public Sink {
 public:
  explicit TraceSink(const Problem<Logistic>& problem, const Workbench<Logistic>& bench)
      : posterior_(problem.model, problem.prior, problem.data, bench.frame),
        traces(std::size(kWatched) + 1) {}

  void accept(const Draw& draw) override {
    posterior_.from_theta(draw.theta, point_);
    posterior_.evaluate(point_, Order::kValue);
    traces[0].push_back(point_.log_density);
    for (std::size_t j = 0; j < std::size(kWatched); ++j) {
      traces[j + 1].push_back(draw.theta[kWatched[j]]);
    }
  }

 private:
  FullTarget<Logistic> posterior_;
  Point point_{kColumns + 1};

 public:
  std::vector<std::vector<double>> traces;
};

struct Efficiency {
  double queries_per_iter = 0.0;
  std::vector<double> ess_per_query;  // in the order of the traces
};

Efficiency measure(const Problem<Logistic>& problem, ZChoice z, const Schedule& schedule) {
  const Workbench<Logistic> bench(problem, {.z = z, .frame = FrameChoice::kOscillator});
  TraceSink sink(problem, bench);
  const RunSummary run = run_chain(bench.warmup_chain({6, 0}), schedule, sink);
  const auto queries = static_cast<double>(run.queries_theta + run.queries_z);
  Efficiency result{queries / static_cast<double>(run.iterations), {}};
  for (const auto& trace : sink.traces) {
    result.ess_per_query.push_back(coda_ess(trace) / queries);
  }
  std::printf("%s: accept %.3f, bright %.1f, q N %.1f, queries per iteration %.1f, ESS per 1000",
              name_of(z).c_str(), run.mean_accept_prob, run.mean_bright,
              run.tuning.dark_to_bright * kRows, result.queries_per_iter);
  for (const double ess : result.ess_per_query) {
    std::printf(" %.2f", 1000.0 * ess * result.queries_per_iter);
  }
  std::printf("\n");
  return result;
}

TEST(Efficiency, FireflyBeatsRegularTwentyfoldPerQueryAtTheSizeOfThePaper) {
  const Problem<Logistic> problem = simulated_logistic(kRows, kColumns, 2.5, 2.0);
  const Efficiency firefly =
      measure(problem, ZChoice::kImplicit, {.warmup = 5'000, .draws = 5'000, .thin = 20});
  const Efficiency regular =
      measure(problem, ZChoice::kNone, {.warmup = 2'000, .draws = 2'500, .thin = 4});
  EXPECT_LT(firefly.queries_per_iter, 100.0);
  EXPECT_EQ(regular.queries_per_iter, double{kRows});
  for (std::size_t i = 0; i < firefly.ess_per_query.size(); ++i) {
    const double gain = firefly.ess_per_query[i] / regular.ess_per_query[i];
    std::printf("gain of trace %zu: %.0f\n", i, gain);
    EXPECT_GT(gain, 20.0) << "trace " << i;
  }
}

}  // namespace
}  // namespace flymc::exact
