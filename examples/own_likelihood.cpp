// A likelihood of your own: write its log density, one expression, and get the anchor search, a
// proven bound, its gap to the last digit and every kernel. Here: regression with logistic noise,
// heavier-tailed than the normal,
//   phi(eta) = -r - 2 log(1 + e^-r),  r = y - eta,  i.e. -2 log(2 cosh(r/2)).
#include <cmath>
#include <cstdio>
#include <memory>

#include "flymc/chain/run_chain.hpp"
#include "flymc/family/automatic.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "flymc/posterior/local_bounds.hpp"
#include "flymc/tune/find_anchor.hpp"

namespace {

// Derivatives and bound are derived from this: see flymc/family/automatic.hpp. A bound found by
// hand goes into a struct like Logistic (flymc/family/logistic.hpp).
struct LogisticNoise {
  static constexpr bool kLogConcave = true;

  template <class T>
  T log_density(const T& eta, double y) const {
    const T r = y - eta;
    return -r - 2.0 * softplus(-r);
  }
};
using Model = flymc::Automatic<LogisticNoise>;
static_assert(flymc::LocalScalar<Model>);

flymc::Table make_table() {
  flymc::Table table{.rows = 5000, .columns = {"x"}};
  flymc::Stream stream(2, 0, flymc::Purpose::kSimulate, 0);
  for (std::size_t n = 0; n < table.rows; ++n) {
    const double x = stream.normal();
    const double u = stream.uniform();
    table.x.push_back(x);
    table.response.values.push_back(3.0 + 1.5 * x + std::log(u / (1.0 - u)));
  }
  return table;
}

struct MeanSink final : flymc::Sink {
  flymc::Vector sum = flymc::Vector::Zero(2);
  void accept(const flymc::Draw& draw) override { sum += draw.theta; }
};

}  // namespace

int main() {
  using namespace flymc;
  const Model model;
  const Dataset data(make_table(), {});
  const Prior prior(std::vector<PriorTerm>(2, {PriorKind::kNormal, 0.0, 10.0}));
  const Anchor anchor = find_anchor(model, prior, data, {});
  const Bounds bounds = make_local_bounds(model, data, anchor, {});
  const Frame frame = Frame::oscillator(anchor, gaussian_precision(prior, bounds));
  WarmupChain chain(
      firefly_parts(std::make_unique<JointTarget<Model>>(model, prior, data, bounds, frame),
                    make_theta_kernel(KernelKind::kSplitHmc, frame), make_z_kernel({}),
                    Streams{.seed = 1}),
      anchor.theta, {});
  const std::uint64_t draws = 4000;
  MeanSink sink;
  const RunSummary run = run_chain(std::move(chain), {.warmup = 1000, .draws = draws}, sink);
  const Vector mean = sink.sum / static_cast<double>(draws);
  std::printf("posterior means %.2f %.2f (truth 3 and 1.5), %.2f of %zu rows bright\n", mean[0],
              mean[1], run.mean_bright, data.rows());
  return std::abs(mean[0] - 3.0) < 0.2 && std::abs(mean[1] - 1.5) < 0.2 ? 0 : 1;
}
