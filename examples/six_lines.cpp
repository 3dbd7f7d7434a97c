// Exact Bayesian logistic regression from C++: the engine's own six lines.
#include <cstdio>
#include <memory>

#include "flymc/chain/run_chain.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "flymc/posterior/local_bounds.hpp"
#include "flymc/tune/find_anchor.hpp"

namespace {

// 20,000 rows, two columns, labels -1/+1; load() of flymc/load.hpp reads such a table from a file.
flymc::Table make_table() {
  flymc::Table table{.rows = 20000, .columns = {"x1", "x2"}};
  flymc::Stream stream(1, 0, flymc::Purpose::kSimulate, 0);
  for (std::size_t n = 0; n < table.rows; ++n) {
    const double x1 = stream.normal();
    const double x2 = stream.normal();
    table.x.insert(table.x.end(), {x1, x2});
    const double p = flymc::sigmoid(-0.5 + 1.0 * x1 - 2.0 * x2);
    table.response.values.push_back(stream.uniform() < p ? 1.0 : -1.0);
  }
  return table;
}

// Receives draws as they come; here it only adds them up.
struct MeanSink final : flymc::Sink {
  flymc::Vector sum = flymc::Vector::Zero(3);
  void accept(const flymc::Draw& draw) override { sum += draw.theta; }
};

}  // namespace

int main() {
  using namespace flymc;
  const Logistic model;
  const Prior prior(std::vector<PriorTerm>(3, {PriorKind::kNormal, 0.0, 2.5}));
  const std::uint64_t draws = 4000;
  MeanSink sink;

  const Dataset data(make_table(), {});
  const Anchor anchor = find_anchor(model, prior, data, {});
  const Bounds bounds = make_local_bounds(model, data, anchor, {});
  const Frame frame = Frame::oscillator(anchor, gaussian_precision(prior, bounds));
  WarmupChain chain(
      firefly_parts(std::make_unique<JointTarget<Logistic>>(model, prior, data, bounds, frame),
                    make_theta_kernel(KernelKind::kSplitHmc, frame), make_z_kernel({}),
                    Streams{.seed = 1}),
      anchor.theta, {});
  const RunSummary run = run_chain(std::move(chain), {.warmup = 1000, .draws = draws}, sink);

  const Vector mean = sink.sum / static_cast<double>(draws);
  std::printf("posterior means %.3f %.3f %.3f\n", mean[0], mean[1], mean[2]);
  std::printf(
      "%.1f of %zu rows touched an iteration\n",
      static_cast<double>(run.queries_theta + run.queries_z) / static_cast<double>(run.iterations),
      data.rows());
  return 0;
}
