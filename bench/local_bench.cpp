// What a default iteration and the default set-up are made of: split HMC's step against fireflies
// and parameters, the weighted sweep, the passes over all rows, the alias tables, merging rows.
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "chain/set_up.hpp"
#include "data/table/merge_rows.hpp"
#include "family/simulate.hpp"
#include "fixture.hpp"
#include "flymc/chain/chain.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "kernel/weighted_z.hpp"

namespace flymc {
namespace {

// Default bounds of a simulated logistic regression.
struct LocalFixture {
  LocalFixture(std::size_t rows, std::size_t parameters)
      : data(make_table(rows, parameters - 1), {}),
        prior(std::vector<PriorTerm>(parameters, {PriorKind::kNormal, 0.0, 1.0})),
        land(set_up(model, prior, data, {.anchor = {}, .local = {}, .engine = EngineKind::kFly})) {}

  static Table make_table(std::size_t rows, std::size_t columns) {
    Table table = simulate({.rows = rows, .columns = columns});
    for (double& y : table.response.values) {
      y = y > 0.0 ? 1.0 : -1.0;
    }
    return table;
  }

  Logistic model;
  Dataset data;
  Prior prior;
  SetUp land;
};

const LocalFixture& local_fixture(std::size_t rows, std::size_t parameters) {
  static std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<LocalFixture>> all;
  auto& one = all[{rows, parameters}];
  if (!one) {
    one = std::make_unique<LocalFixture>(rows, parameters);
  }
  return *one;
}

ChainParts default_parts(const LocalFixture& f) {
  return firefly_parts(std::make_unique<JointTarget<Logistic>>(f.model, f.prior, f.data,
                                                               f.land.bounds, *f.land.frame),
                       std::make_unique<SplitHmc>(f.land.frame->dimension()),
                       std::make_unique<WeightedZ>(), Streams{.seed = 1});
}

// The floor of a step: its momentum and the angles of its flow.
void BM_NormalsAndAngles(benchmark::State& state) {
  const auto d = static_cast<Index>(state.range(0));
  Vector momentum(d);
  Vector sine(d);
  std::uint64_t iteration = 0;
  for (auto _ : state) {
    Stream stream(1, 0, Purpose::kThetaUpdate, ++iteration);
    for (Index j = 0; j < d; ++j) {
      momentum[j] = stream.normal();
      sine[j] = std::sin(momentum[j]) * std::cos(momentum[j]);
    }
    benchmark::DoNotOptimize(sine.data());
  }
}
BENCHMARK(BM_NormalsAndAngles)->Arg(51)->Arg(201);

// And of two kicks by M fireflies: a dot product, log1p(exp()) and the row added up, each.
void BM_BareKicks(benchmark::State& state) {
  const auto d = static_cast<Index>(state.range(0));
  const auto count = static_cast<Index>(state.range(1));
  const RowMatrix rows = RowMatrix::Random(count, d);
  Vector theta = Vector::Random(d);
  Vector eta(count);
  for (auto _ : state) {
    for (int kick = 0; kick < 2; ++kick) {
      eta.noalias() = rows * theta;
      for (Index i = 0; i < count; ++i) {
        eta[i] = softplus(-eta[i]);
      }
      theta.noalias() -= 1e-9 * (rows.transpose() * eta);
    }
    benchmark::DoNotOptimize(theta.data());
  }
}
BENCHMARK(BM_BareKicks)->Args({51, 8})->Args({51, 64});

// Parameters, fireflies: the coins stay as they are.
void BM_SplitHmcStep(benchmark::State& state) {
  const LocalFixture& f = local_fixture(20000, static_cast<std::size_t>(state.range(0)));
  JointTarget<Logistic> target(f.model, f.prior, f.data, f.land.bounds, *f.land.frame);
  Point point(f.land.frame->dimension());
  point.zeta.setConstant(0.5);
  std::vector<Datum> lit;
  for (Datum n = 0; lit.size() < static_cast<std::size_t>(state.range(1)); ++n) {
    if (!f.land.bounds.is_beacon(n)) {
      lit.push_back(n);
    }
  }
  benchmark::DoNotOptimize(target.query(point, lit));
  for (std::size_t i = 0; i < lit.size(); ++i) {
    target.brighten(point, i);
  }
  target.evaluate(point, Order::kGradient);
  SplitHmc kernel(f.land.frame->dimension());
  std::uint64_t iteration = 0;
  for (auto _ : state) {
    Stream stream(1, 0, Purpose::kThetaUpdate, ++iteration);
    benchmark::DoNotOptimize(kernel.step(target, point, {.kicks = 2}, stream));
  }
  state.counters["beacons"] = static_cast<double>(f.land.bounds.beacons.size());
}
BENCHMARK(BM_SplitHmcStep)->ArgsProduct({{51, 201}, {0, 8, 64}});

void BM_WeightedSweep(benchmark::State& state) {
  const LocalFixture& f = local_fixture(Fixture::kRows, Fixture::kColumns);
  ChainParts parts = default_parts(f);
  Point point(f.land.frame->dimension());
  point.zeta.setConstant(0.5);
  parts.density->evaluate(point, Order::kGradient);
  std::uint64_t iteration = 0;
  for (auto _ : state) {
    Stream stream(1, 0, Purpose::kZUpdate, ++iteration);
    benchmark::DoNotOptimize(parts.z_kernel->step(*parts.brightness, point, {}, iteration, stream));
    parts.brightness->refresh(point, Order::kGradient);
  }
}
BENCHMARK(BM_WeightedSweep);

// Sweep and step; then also the draw in theta, one D x D product.
void iterate(benchmark::State& state, bool draws) {
  const LocalFixture& f = local_fixture(Fixture::kRows, Fixture::kColumns);
  WarmupChain warmup(default_parts(f), f.land.anchor.theta, {});
  Chain chain = std::move(warmup).freeze();
  Vector theta(chain.dimension());
  for (auto _ : state) {
    benchmark::DoNotOptimize(chain.step());
    if (draws) {
      chain.theta(theta);
      benchmark::DoNotOptimize(theta.data());
    }
  }
}
void BM_Iteration(benchmark::State& state) { iterate(state, false); }
void BM_IterationAndDraw(benchmark::State& state) { iterate(state, true); }
BENCHMARK(BM_Iteration);
BENCHMARK(BM_IterationAndDraw);

// A draw leaves as text: 17 digits of D numbers, as in a run's CSV; beside it the fewest digits
// that read back as the same numbers.
template <class Format>
void write_text(benchmark::State& state, const Format& format) {
  const Vector theta = Vector::Random(Fixture::kColumns);
  std::string text;
  for (auto _ : state) {
    text.clear();
    for (const double value : theta) {
      format(std::back_inserter(text), value);
    }
    benchmark::DoNotOptimize(text.data());
  }
}
void BM_Text17(benchmark::State& state) {
  write_text(state, [](auto out, double value) { fmt::format_to(out, ",{:.17g}", value); });
}
void BM_TextShortest(benchmark::State& state) {
  write_text(state, [](auto out, double value) { fmt::format_to(out, ",{}", value); });
}
BENCHMARK(BM_Text17);
BENCHMARK(BM_TextShortest);

// The floor of a pass with a curvature: N D^2 multiply-adds.
void BM_BareGram(benchmark::State& state) {
  constexpr Index kBlock = 256;
  const RowMatrix rows = RowMatrix::Random(kBlock, Fixture::kColumns);
  Matrix gram = Matrix::Zero(Fixture::kColumns, Fixture::kColumns);
  for (auto _ : state) {
    for (std::size_t n = 0; n < Fixture::kRows; n += kBlock) {
      gram.triangularView<Eigen::Lower>() += rows.transpose() * rows;
    }
    benchmark::DoNotOptimize(gram.data());
  }
  per_item(state, Fixture::kRows);
}
BENCHMARK(BM_BareGram)->Unit(benchmark::kMillisecond);

// Value, gradient and curvature of all rows: a step of the search for the mode.
void BM_NewtonPass(benchmark::State& state) {
  const Fixture& f = fixture();
  const LikelihoodPass pass = likelihood_pass(f.model, f.data, 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(pass(f.anchor.theta, Curvature::kInformation));
  }
  per_item(state, Fixture::kRows);
}
BENCHMARK(BM_NewtonPass)->Unit(benchmark::kMillisecond);

void BM_LocalPass(benchmark::State& state) {
  const Fixture& f = fixture();
  for (auto _ : state) {
    benchmark::DoNotOptimize(local_pass(f.model, f.data, f.anchor, {.threads = 1}));
  }
  per_item(state, Fixture::kRows);
}
BENCHMARK(BM_LocalPass)->Unit(benchmark::kMillisecond);

void BM_RatesBuild(benchmark::State& state) {
  const LocalPass pass = local_pass(fixture().model, fixture().data, fixture().anchor, {});
  for (auto _ : state) {
    benchmark::DoNotOptimize(Rates(pass.rates, 1));
  }
  per_item(state, Fixture::kRows);
}
BENCHMARK(BM_RatesBuild)->Unit(benchmark::kMillisecond);

void BM_MergeRows(benchmark::State& state) {
  Table table = Fixture::make_table();
  for (auto _ : state) {
    benchmark::DoNotOptimize(merge_equal_rows(table, 1));  // all differ: read, never written
  }
  per_item(state, Fixture::kRows);
}
BENCHMARK(BM_MergeRows)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace flymc
