// The default pipeline, set-up and split HMC with weighted coins, against HMC on the full
// posterior: means and spreads agree within Monte Carlo error. The reference shares neither bounds
// nor merged rows nor frame with it: a row of weight w is w rows there.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "chain/set_up.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "support/exact_chain.hpp"
#include "support/exact_responses.hpp"
#include "support/exact_simulate.hpp"
#include "support/exact_stats.hpp"

namespace flymc::exact {
namespace {

constexpr std::size_t kDraws = 6'000;

struct Shape {
  std::size_t rows;
  Index columns;  // without the intercept
  double predictor_sd;
  double prior_sd;
  std::size_t rare = 0;         // rows in which the last column is one,
  double rare_predictor = 0.0;  // and what their predictor is then
  PriorKind prior = PriorKind::kNormal;
  EngineKind engine = EngineKind::kFly;
};

// Normal columns, one of them an indicator of a few rows where that is asked for, and weights 1 to
// 3 as merged duplicates leave them.
template <class M>
Table simulated_table(const M& model, const Shape& shape) {
  Stream stream(2'026, 0, Purpose::kSimulate, shape.rows);
  const auto d = static_cast<std::size_t>(shape.columns);
  Table table = normal_columns(shape.rows, d, stream);
  for (std::size_t n = 0; shape.rare > 0 && n < shape.rows; ++n) {
    table.x[n * d + d - 1] = n < shape.rare ? 1.0 : 0.0;
  }
  const int k = predictor_count(model);
  const double slope = shape.predictor_sd / std::sqrt(static_cast<double>(d));
  Vector eta(k);
  for (std::size_t n = 0; n < shape.rows; ++n) {
    for (int c = 0; c < k; ++c) {
      eta[c] = 0.2 * c;
      for (std::size_t j = 0; j < d; ++j) {
        eta[c] += ((j + static_cast<std::size_t>(c)) % 2 == 0 ? slope : -slope) *
                  static_cast<double>(table.x[n * d + j]);
      }
    }
    if (n < shape.rare) {
      eta.setConstant(shape.rare_predictor);
    }
    table.response.values[n] = draw_response(model, eta, stream);
    table.weights.push_back(1.0 + static_cast<double>(n % 3));
    table.offset.push_back(n % 4 == 0 ? 0.3 : 0.0);
  }
  return table;
}

Table expanded(const Table& merged) {
  Table all;
  all.columns = merged.columns;
  const std::size_t d = merged.columns.size();
  for (std::size_t n = 0; n < merged.rows; ++n) {
    for (double copy = 0.0; copy < merged.weights[n]; copy += 1.0) {
      all.x.insert(all.x.end(), merged.x.begin() + static_cast<long>(n * d),
                   merged.x.begin() + static_cast<long>((n + 1) * d));
      all.response.values.push_back(merged.response.values[n]);
      all.offset.push_back(merged.offset[n]);
      ++all.rows;
    }
  }
  return all;
}

// Each parameter and its square about a common point, and the squared posterior norm about it.
class SpreadSink final : public Sink {
 public:
  explicit SpreadSink(const Anchor& about)
      : about_(about),
        means(static_cast<std::size_t>(2 * about.theta.size() + 1), BatchMean(kDraws)) {}

  void accept(const Draw& draw) override {
    const Vector delta = draw.theta - about_.theta;
    for (Index j = 0; j < delta.size(); ++j) {
      means[static_cast<std::size_t>(2 * j)].add(delta[j]);
      means[static_cast<std::size_t>(2 * j + 1)].add(delta[j] * delta[j]);
    }
    means.back().add(delta.dot(about_.precision * delta));
  }

 private:
  const Anchor& about_;

 public:
  std::vector<BatchMean> means;
};

template <class M>
WarmupChain firefly_chain(const Problem<M>& problem, const SetUp& land, const Frame& frame) {
  ChainParts parts = firefly_parts(
      std::make_unique<JointTarget<M>>(problem.model, problem.prior, problem.data, land.bounds,
                                       frame),
      std::make_unique<SplitHmc>(frame.dimension()), std::make_unique<WeightedZ>(), {17, 0});
  return {std::move(parts), land.anchor.theta, {}};
}

void expect_agreement(const SpreadSink& firefly, const SpreadSink& regular) {
  for (std::size_t i = 0; i < firefly.means.size(); ++i) {
    const BatchMean& a = firefly.means[i];
    const BatchMean& b = regular.means[i];
    const double error = std::hypot(a.standard_error(), b.standard_error());
    const double z = (a.mean() - b.mean()) / error;
    EXPECT_LT(std::abs(z), kZThreshold)
        << (i % 2 == 0 ? "mean " : "square ") << i / 2 << ": " << a.mean() << " and " << b.mean();
    if (std::getenv("FLYMC_PRINT_Z") != nullptr) {
      std::printf("z %.2f\n", z);
    }
  }
}

template <class M>
SetUp expect_pipeline_agrees(const M& model, const Shape& shape) {
  const Table table = simulated_table(model, shape);
  const auto columns = static_cast<int>(shape.columns) + 1;
  const Prior prior =
      equal_prior(shape.prior, columns * predictor_count(model), 0.0, shape.prior_sd);
  const Problem<M> problem{model, prior, Dataset(table, {}), 0.0};
  const Problem<M> whole{model, prior, Dataset(expanded(table), {}), 0.0};
  SetUpOptions options;
  options.engine = shape.engine;
  options.anchor.threads = 1;
  options.local.threads = 1;
  const SetUp land = set_up(problem.model, problem.prior, problem.data, options);
  const Frame frame =
      Frame::oscillator(land.anchor, gaussian_precision(problem.prior, land.bounds.gaussian));
  const Combination hmc{
      .z = ZChoice::kNone, .kernel = KernelChoice::kHmc, .frame = FrameChoice::kWhitened};
  const Anchor mode = find_anchor(model, prior, whole.data, {.threads = 1});
  const Frame whitened = Frame::whitened(mode);
  ChainParts parts{std::make_unique<FullTarget<M>>(model, prior, whole.data, whitened),
                   nullptr,
                   make_kernel(hmc.kernel, whitened),
                   nullptr,
                   {18, 0}};
  SpreadSink firefly(mode);
  SpreadSink regular(mode);
  const RunSummary run = run_chain(firefly_chain(problem, land, frame),
                                   {.warmup = 1'500, .draws = kDraws, .thin = 2}, firefly);
  std::ignore = run_chain({std::move(parts), mode.theta, {.start = {0.5, 0.1}}},
                          {.warmup = 500, .draws = kDraws}, regular);
  expect_agreement(firefly, regular);
  std::printf("rows %zu, beacons %zu, rounds %d, bright %.2f, kicks %d, accept %.2f\n", shape.rows,
              land.bounds.beacons.size(), land.rounds, run.mean_bright, run.tuning.kicks,
              run.mean_accept_prob);
  return land;
}

TEST(Agreement, Logistic) {
  expect_pipeline_agrees(Logistic{},
                         {.rows = 1'500, .columns = 11, .predictor_sd = 1.5, .prior_sd = 2.0});
}

TEST(Agreement, LogisticOfManyColumnsUnderALaplacePrior) {
  expect_pipeline_agrees(Logistic{}, {.rows = 700,
                                      .columns = 24,
                                      .predictor_sd = 2.0,
                                      .prior_sd = 0.5,
                                      .prior = PriorKind::kLaplace});
}

// Four rows of one label in a rare category: a half-normal with a soft wall.
const Shape kRare{.rows = 600,
                  .columns = 5,
                  .predictor_sd = 1.0,
                  .prior_sd = 5.0,
                  .rare = 4,
                  .rare_predictor = 9.0};

TEST(Agreement, LogisticWithARareIndicatorReAnchorsAndLightsBeacons) {
  const auto land = expect_pipeline_agrees(Logistic{}, kRare);
  EXPECT_GT(land.rounds, 0);
  EXPECT_FALSE(land.bounds.beacons.empty());
}

TEST(Agreement, SetUpThatIsAskedToStopRunsNoPilot) {
  const Dataset data(simulated_table(Logistic{}, kRare), {});
  const Prior prior = equal_prior(kRare.prior, 6, 0.0, kRare.prior_sd);
  const std::atomic<bool> stop{true};
  SetUpOptions options;
  options.stop = &stop;
  const auto land = set_up(Logistic{}, prior, data, options);
  EXPECT_EQ(land.anchor.theta, find_anchor(Logistic{}, prior, data, {}).theta);
  EXPECT_FALSE(land.bounds.beacons.empty());
}

TEST(Agreement, ProbitNearSeparation) {
  const auto land = expect_pipeline_agrees(
      Probit{}, {.rows = 300, .columns = 4, .predictor_sd = 3.5, .prior_sd = 3.0});
  EXPECT_GT(land.rounds, 0);
}

TEST(Agreement, StudentT) {
  expect_pipeline_agrees(StudentT(4.0, 1.0),
                         {.rows = 800, .columns = 10, .predictor_sd = 1.0, .prior_sd = 2.0});
}

TEST(Agreement, Softmax) {
  expect_pipeline_agrees(Softmax(3),
                         {.rows = 500, .columns = 4, .predictor_sd = 1.0, .prior_sd = 1.0});
}

TEST(Agreement, PoissonAtFiveThousandRows) {
  expect_pipeline_agrees(Poisson{},
                         {.rows = 2'500, .columns = 4, .predictor_sd = 0.7, .prior_sd = 1.0});
}

TEST(Agreement, PoissonWithARareIndicator) {
  expect_pipeline_agrees(Poisson{}, {.rows = 300,
                                     .columns = 5,
                                     .predictor_sd = 0.5,
                                     .prior_sd = 3.0,
                                     .rare = 3,
                                     .rare_predictor = -9.0});
}

TEST(Agreement, Binomial) {
  expect_pipeline_agrees(Binomial{}, {.rows = 400,
                                      .columns = 7,
                                      .predictor_sd = 1.0,
                                      .prior_sd = 2.0,
                                      .prior = PriorKind::kLaplace});
}

TEST(Agreement, NegativeBinomial) {
  expect_pipeline_agrees(NegativeBinomial(1.5),
                         {.rows = 400, .columns = 7, .predictor_sd = 0.8, .prior_sd = 1.0});
}

// Where coins do not pay every row is a beacon: regular MCMC, on the same path.
TEST(Agreement, RegularFallBack) {
  const auto land = expect_pipeline_agrees(Logistic{}, {.rows = 14,
                                                        .columns = 6,
                                                        .predictor_sd = 2.0,
                                                        .prior_sd = 2.0,
                                                        .engine = EngineKind::kAuto});
  EXPECT_TRUE(land.regular);
}

}  // namespace
}  // namespace flymc::exact
