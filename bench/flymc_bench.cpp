// `make bench`: what a query, a proposal, a flip and a pass cost, each beside its floor in the same
// run. Ratios are what counts: machines differ and are shared.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "fixture.hpp"
#include "flymc/posterior/full_target.hpp"

namespace flymc {
namespace {

// The floor of a query: dot products over gathered rows and log1p(exp()) each.
void BM_BareDotAndLog1p(benchmark::State& state) {
  const auto count = static_cast<Index>(state.range(0));
  const RowMatrix rows = RowMatrix::Random(count, Fixture::kColumns);
  const Vector theta = Vector::Random(Fixture::kColumns);
  Vector eta(count);
  for (auto _ : state) {
    eta.noalias() = rows * theta;
    double sum = 0.0;
    for (Index i = 0; i < count; ++i) {
      sum += softplus(-eta[i]);
    }
    benchmark::DoNotOptimize(sum);
  }
  per_item(state, static_cast<std::size_t>(count));
}
BENCHMARK(BM_BareDotAndLog1p)->Arg(16)->Arg(1000);

void evaluate_joint(benchmark::State& state, Order order) {
  Lit lit(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    lit.target.evaluate(lit.point, order);
    benchmark::DoNotOptimize(lit.point.log_density);
  }
  per_item(state, static_cast<std::size_t>(state.range(0)));
}
void BM_QueryValue(benchmark::State& state) { evaluate_joint(state, Order::kValue); }
void BM_QueryGradient(benchmark::State& state) { evaluate_joint(state, Order::kGradient); }
BENCHMARK(BM_QueryValue)->Arg(16)->Arg(1000);
BENCHMARK(BM_QueryGradient)->Arg(16)->Arg(1000);

// Dark candidates: random rows of the whole table, at one theta.
void BM_ZProposal(benchmark::State& state) {
  Lit lit(1);
  std::vector<Datum> data(1000);
  Stream stream(2, 0, Purpose::kZUpdate, 0);
  for (auto _ : state) {
    for (Datum& n : data) {
      n = static_cast<Datum>(1 + stream.below(Fixture::kRows - 1));
    }
    benchmark::DoNotOptimize(lit.target.query(lit.point, data));
  }
  per_item(state, data.size());
}
BENCHMARK(BM_ZProposal);

// The set alone, then with the row gathered into the frame (one D x D product).
void BM_FlipSetOnly(benchmark::State& state) {
  BrightSet set;
  Stream stream(3, 0, Purpose::kZUpdate, 0);
  for (auto _ : state) {
    set.brighten(static_cast<Datum>(stream.below(Fixture::kRows)));
    set.darken(0);
  }
  per_item(state, 2);
}
BENCHMARK(BM_FlipSetOnly);

void BM_FlipWithRow(benchmark::State& state) {
  Lit lit(16);
  const Datum candidate[] = {100};
  for (auto _ : state) {
    state.PauseTiming();
    benchmark::DoNotOptimize(lit.target.query(lit.point, candidate));
    state.ResumeTiming();
    lit.target.brighten(lit.point, 0);
    lit.target.darken(lit.point, 16);
  }
  per_item(state, 2);
}
BENCHMARK(BM_FlipWithRow);

// The floor of a pass: reading the table once.
void BM_PlainRead(benchmark::State& state) {
  const RowMatrix copy = RowMatrix::Random(Fixture::kRows, Fixture::kColumns - 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(copy.sum());
  }
  per_item(state, Fixture::kRows);
}
BENCHMARK(BM_PlainRead)->Unit(benchmark::kMillisecond);

void full_pass(benchmark::State& state, Order order) {
  const Fixture& f = fixture();
  FullTarget<Logistic> target(f.model, f.prior, f.data, f.frame);
  Point point(Fixture::kColumns);
  for (auto _ : state) {
    target.evaluate(point, order);
    benchmark::DoNotOptimize(point.log_density);
  }
  per_item(state, Fixture::kRows);
}
void BM_FullLikelihood(benchmark::State& state) { full_pass(state, Order::kValue); }
void BM_FullGradient(benchmark::State& state) { full_pass(state, Order::kGradient); }
BENCHMARK(BM_FullLikelihood)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_FullGradient)->Unit(benchmark::kMillisecond);

// Compare with BM_FullLikelihood: how many likelihood passes a point fit costs.
void BM_MapSearch(benchmark::State& state) {
  const Fixture& f = fixture();
  for (auto _ : state) {
    benchmark::DoNotOptimize(find_anchor(f.model, f.prior, f.data, {}));
  }
  state.counters["passes"] = static_cast<double>(f.anchor.passes);
}
BENCHMARK(BM_MapSearch)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

// What a reader would otherwise work out.
struct Ratio {
  const char* what;
  const char* over;
  const char* under;
};
constexpr Ratio kRatios[] = {
    {"a query, value only, 16 bright rows, over dot + log1p", "BM_QueryValue/16",
     "BM_BareDotAndLog1p/16"},
    {"a query, value only, 1000 bright rows, over dot + log1p", "BM_QueryValue/1000",
     "BM_BareDotAndLog1p/1000"},
    {"a query with gradient, 1000 bright rows, over dot + log1p", "BM_QueryGradient/1000",
     "BM_BareDotAndLog1p/1000"},
    {"a full likelihood pass over a plain read", "BM_FullLikelihood", "BM_PlainRead"},
    {"a MAP search over a full likelihood pass", "BM_MapSearch/process_time", "BM_FullLikelihood"},
    {"a step with no fireflies, 51 parameters, over its D normals and D sin/cos",
     "BM_SplitHmcStep/51/0", "BM_NormalsAndAngles/51"},
    {"a step with 8 fireflies over one with none", "BM_SplitHmcStep/51/8", "BM_SplitHmcStep/51/0"},
    {"a step with 64 fireflies over one with 8", "BM_SplitHmcStep/51/64", "BM_SplitHmcStep/51/8"},
    {"a step with 8 fireflies, 201 parameters over 51", "BM_SplitHmcStep/201/8",
     "BM_SplitHmcStep/51/8"},
    {"a step with 8 fireflies over its dot products and log1p", "BM_SplitHmcStep/51/8",
     "BM_BareKicks/51/8"},
    {"a weighted sweep over a whole iteration", "BM_WeightedSweep", "BM_Iteration"},
    {"an iteration with its draw in theta over one without", "BM_IterationAndDraw", "BM_Iteration"},
    {"17 digits of 51 numbers over an iteration", "BM_Text17", "BM_Iteration"},
    {"17 digits over the fewest that read back", "BM_Text17", "BM_TextShortest"},
    {"a local pass over a full likelihood pass", "BM_LocalPass", "BM_FullLikelihood"},
    {"a Newton pass over a full likelihood pass", "BM_NewtonPass", "BM_FullLikelihood"},
    {"a Newton pass over a bare Gram", "BM_NewtonPass", "BM_BareGram"},
    {"a local pass over a bare Gram", "BM_LocalPass", "BM_BareGram"},
    {"the alias tables over a full likelihood pass", "BM_RatesBuild", "BM_FullLikelihood"},
    {"merging equal rows (there are none) over a full likelihood pass", "BM_MergeRows",
     "BM_FullLikelihood"},
};

// The table as usual, then the ratios.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      const double items = static_cast<double>(std::max<std::int64_t>(1, run.iterations));
      seconds_[run.benchmark_name()] = run.cpu_accumulated_time / items;
    }
  }
  void Finalize() override {
    for (const Ratio& ratio : kRatios) {
      print(ratio);
    }
    ConsoleReporter::Finalize();
  }

 private:
  void print(const Ratio& ratio) {
    const auto a = seconds_.find(ratio.over);
    const auto b = seconds_.find(ratio.under);
    if (a != seconds_.end() && b != seconds_.end()) {
      GetOutputStream() << ratio.what << ": " << a->second / b->second << "\n";
    }
  }

  std::map<std::string, double> seconds_;
};

}  // namespace
}  // namespace flymc

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  flymc::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
