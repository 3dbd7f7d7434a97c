// A likelihood of your own: write one small struct, get the anchor search, the collapsed bounds and
// every kernel. Here: regression with logistic noise, heavier-tailed than the normal,
//   phi(eta) = -r - 2 log(1 + e^-r),  r = t - eta,  i.e. -2 log(2 cosh(r/2)).
#include <cmath>
#include <cstdio>
#include <memory>

#include "flymc/chain/run_chain.hpp"
#include "flymc/posterior/global_bounds.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "flymc/tune/find_anchor.hpp"

namespace {

using flymc::sigmoid;
using flymc::softplus;

struct LogisticNoise {
  static constexpr bool kLogConcave = true;
  static constexpr double kUntunedXi = 0.0;

  // The likelihood, its derivative in eta, and minus its second derivative.
  double log_likelihood(double eta, double response) const {
    const double r = response - eta;
    return -r - 2.0 * softplus(-r);
  }
  double log_likelihood(double eta, double response, double& slope) const {
    slope = std::tanh(0.5 * (response - eta));
    return log_likelihood(eta, response);
  }
  double information(double eta, double response) const {
    const double p = sigmoid(response - eta);
    return 2.0 * p * (1.0 - p);
  }

  // The bound: phi is convex in r^2, so its tangent there lies below; as a parabola in eta it bends
  // by tanh(r/2)/r.
  double curvature(double anchor, double response) const {
    const double r = std::abs(response - anchor);
    return flymc::with_margin(r < 1e-4 ? 0.5 : std::tanh(0.5 * r) / r);
  }
  double untuned_anchor(double response, double xi) const { return response - xi; }
};
static_assert(flymc::BoundedScalar<LogisticNoise>);

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
  const LogisticNoise model;
  const Dataset data(make_table(), {});
  const Prior prior(std::vector<PriorTerm>(2, {PriorKind::kNormal, 0.0, 10.0}));
  const Anchor anchor = find_anchor(model, prior, data, {});
  const Bounds bounds = make_bounds(model, data, anchor, {});
  const Frame frame = Frame::oscillator(anchor, gaussian_precision(prior, bounds));
  WarmupChain chain(
      firefly_parts(std::make_unique<JointTarget<LogisticNoise>>(model, prior, data, bounds, frame),
                    make_theta_kernel(KernelKind::kHmc, frame),
                    make_z_kernel({.kind = ZKind::kImplicit}), Streams{.seed = 1}),
      anchor.theta, {});
  const std::uint64_t draws = 4000;
  MeanSink sink;
  const RunSummary run = run_chain(std::move(chain), {.warmup = 1000, .draws = draws}, sink);
  const Vector mean = sink.sum / static_cast<double>(draws);
  std::printf("posterior means %.2f %.2f (truth 3 and 1.5), %.1f of %zu rows bright\n", mean[0],
              mean[1], run.mean_bright, data.rows());
  return std::abs(mean[0] - 3.0) < 0.2 && std::abs(mean[1] - 1.5) < 0.2 ? 0 : 1;
}
