// `flymc_floors ROWS COLUMNS THREADS [ITERATIONS]`: set-up, an iteration and memory of a simulated
// logistic regression, each beside one full likelihood evaluation in the same process, as one line
// of JSON. tools/bench_performance.py reads it. Times are the best of several, taken in turns: on a
// shared machine the least disturbed one.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <memory>
#include <vector>

#include "chain/set_up.hpp"
#include "core/parallel.hpp"
#include "family/simulate.hpp"
#include "flymc/chain/run_chain.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "kernel/weighted_z.hpp"

namespace flymc {
namespace {

constexpr int kRepeats = 5;

// Seconds by the clock, and of processor time (all threads together): the latter hardly depends on
// what else the machine does. Processor time per clock time is how many cores there were: on a busy
// machine fewer than threads, and then times by the clock say nothing about threads.
struct Best {
  double wall_s = std::numeric_limits<double>::infinity();
  double cpu_s = std::numeric_limits<double>::infinity();
  double total_wall_s = 0.0;
  double total_cpu_s = 0.0;
  template <class Work>
  void time(Work&& work) {
    const std::clock_t cpu_start = std::clock();
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    const double cpu = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
    wall_s = std::min(wall_s, elapsed.count());
    cpu_s = std::min(cpu_s, cpu);
    total_wall_s += elapsed.count();
    total_cpu_s += cpu;
  }
  void print(const char* name, double times = 1.0) const {
    std::printf("\"%s\": {\"wall_s\": %.6g, \"cpu_s\": %.6g, \"cores\": %.3g}, ", name,
                wall_s / times, cpu_s / times, total_cpu_s / total_wall_s);
  }
};

// Bytes that are resident now, freed memory given back first.
double resident_bytes() {
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  double total = 0.0;
  double resident = 0.0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

Dataset make_data(std::size_t rows, std::size_t columns) {
  Table table = simulate({.rows = rows, .columns = columns});
  for (double& y : table.response.values) {
    y = y > 0.0 ? 1.0 : -1.0;
  }
  return {std::move(table), {}};
}

// sum_n log L_n(theta), value alone: what regular MCMC pays at the least for one proposal.
double evaluate_all(const Dataset& data, const Vector& theta, unsigned threads) {
  constexpr std::size_t kBlockRows = 256;
  const Logistic model;
  Matrix folded(data.folded_rows(), 1);
  data.fold(theta, folded);
  const auto chunks = row_chunks(data.rows(), 0);
  std::vector<double> sums(chunks.size());
  parallel_for(chunks.size(), threads, [&](std::size_t c) {
    RowMatrix eta(kBlockRows, 1);
    Buffer<double> raw;
    for (std::size_t first = chunks[c].first; first < chunks[c].last; first += kBlockRows) {
      const RowRange range{first, std::min(first + kBlockRows, chunks[c].last)};
      data.predict(data.raw(range, raw), folded,
                   RowMatrixView(eta.data(), static_cast<Index>(range.size()), 1));
      for (std::size_t i = 0; i < range.size(); ++i) {
        sums[c] += evaluate_likelihood(model, &eta(static_cast<Index>(i), 0),
                                       data.response(first + i), nullptr);
      }
    }
  });
  double sum = 0.0;
  for (const double s : sums) {
    sum += s;
  }
  return sum;
}

struct NoSink final : Sink {
  void accept(const Draw&) override {}
};

struct Floors {
  Best evaluation;
  Best evaluation_one_thread;
  Best setup;
  Best iteration;
  double shared_bytes = 0.0;
  double chain_bytes = 0.0;
  double bright = 0.0;
  int passes = 0;
};

// Draws in theta, no text: the loop alone.
void time_chain(const Logistic& model, const Prior& prior, const Dataset& data, const SetUp& land,
                std::uint64_t iterations, Floors& out) {
  const double before = resident_bytes();
  auto target =
      std::make_unique<JointTarget<Logistic>>(model, prior, data, land.bounds, *land.frame);
  WarmupChain warmup(
      firefly_parts(std::move(target), std::make_unique<SplitHmc>(land.frame->dimension()),
                    std::make_unique<WeightedZ>(), Streams{.seed = 1}),
      land.frame->anchor(), {});
  RunSummary summary;
  NoSink sink;
  Chain chain = warm_up(std::move(warmup), {}, {}, summary, nullptr);
  for (int i = 0; i < kRepeats; ++i) {
    const Schedule more{.draws = summary.draws + iterations};
    out.iteration.time([&] { sample(chain, more, {}, sink, summary); });
  }
  out.chain_bytes = resident_bytes() - before;
  out.bright = summary.mean_bright;
}

Floors measure(std::size_t rows, std::size_t columns, unsigned threads, std::uint64_t iterations) {
  const Logistic model;
  const Dataset data = make_data(rows, columns);
  const Prior prior(std::vector<PriorTerm>(columns + 1, {PriorKind::kNormal, 0.0, 1.0}));
  const SetUpOptions options{.anchor = {.threads = threads}, .local = {.threads = threads}};
  Floors out;
  SetUp land;
  double sum = 0.0;
  const double before = resident_bytes();
  for (int i = 0; i < kRepeats; ++i) {
    land = {};
    out.setup.time([&] { land = set_up(model, prior, data, options); });
    const Vector& theta = land.anchor.theta;
    for (int j = 0; j < kRepeats; ++j) {
      out.evaluation.time([&] { sum += evaluate_all(data, theta, threads); });
      out.evaluation_one_thread.time([&] { sum += evaluate_all(data, theta, 1); });
    }
  }
  out.shared_bytes = resident_bytes() - before;
  out.passes = land.passes;
  time_chain(model, prior, data, land, iterations, out);
  if (sum == 0.0) {  // so that no evaluation may be left out
    std::puts("no likelihood");
  }
  return out;
}

}  // namespace
}  // namespace flymc

int main(int argc, char** argv) {
  if (argc < 4) {
    std::puts("usage: flymc_floors ROWS COLUMNS THREADS [ITERATIONS]");
    return 1;
  }
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  const auto rows = static_cast<double>(number(1));
  const auto iterations = argc > 4 ? number(4) : 4000;
  const flymc::Floors floors =
      flymc::measure(number(1), number(2), static_cast<unsigned>(number(3)), iterations);
  std::printf("{");
  floors.evaluation.print("evaluation");
  floors.evaluation_one_thread.print("evaluation_one_thread");
  floors.setup.print("setup");
  floors.iteration.print("iteration", static_cast<double>(iterations));
  std::printf("\"passes\": %d, \"bright\": %.4g, ", floors.passes, floors.bright);
  std::printf("\"shared_bytes_per_row\": %.4g, \"chain_bytes_per_row\": %.4g}\n",
              floors.shared_bytes / rows, floors.chain_bytes / rows);
  return 0;
}
