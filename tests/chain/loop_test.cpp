// What an iteration costs, and what warm-up leaves behind.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "support/exact_chain.hpp"
#include "support/exact_simulate.hpp"

namespace flymc::exact {
namespace {

constexpr std::size_t kFewRows = 80;

class Loop : public ::testing::TestWithParam<std::tuple<ZChoice, KernelChoice>> {
 protected:
  [[nodiscard]] Combination choice() const {
    return {.z = std::get<0>(GetParam()),
            .kernel = std::get<1>(GetParam()),
            .frame = FrameChoice::kOscillator};
  }
  [[nodiscard]] bool is_regular() const { return std::get<0>(GetParam()) == ZChoice::kNone; }

  const Problem<Logistic> problem_ = simulated_logistic(kFewRows, 2, 1.5, 1.0);
  const Workbench<Logistic> bench_{problem_, choice()};
};

TEST_P(Loop, EveryQueryIsCountedOnceAndInOneColumn) {
  ChainParts parts = bench_.parts({2, 0});
  const Density& density = *parts.density;
  ChainCore core(std::move(parts), bench_.anchor.theta);
  const std::uint64_t at_start = density.queries_total();
  std::uint64_t counted = 0;
  for (int i = 0; i < 500; ++i) {
    const IterationInfo info = core.iterate({0.5, 0.1});
    counted += info.queries_theta + info.queries_z;
    ASSERT_EQ(density.queries_total() - at_start, counted);
  }
}

TEST_P(Loop, StartDrawsEveryCoinWithOneQueryEach) {
  ChainParts parts = bench_.parts({2, 0});
  const Density& density = *parts.density;
  const Brightable* brightness = parts.brightness;
  const ChainCore core(std::move(parts), bench_.anchor.theta + Vector::Constant(3, 0.3));
  const std::size_t evaluated = is_regular() ? 0 : brightness->bright_count();
  EXPECT_EQ(density.queries_total(), kFewRows + evaluated);
}

TEST_P(Loop, AnEvaluationQueriesTheBrightDataOnlyAndRegularAll) {
  ChainCore core(bench_.parts({2, 0}), bench_.anchor.theta);
  for (int i = 0; i < 500; ++i) {
    const IterationInfo info = core.iterate({0.5, 0.1});
    const std::size_t data = is_regular() ? kFewRows : info.bright;
    ASSERT_EQ(info.queries_theta, info.evaluations * data);
    ASSERT_LE(info.queries_z, kFewRows);
    ASSERT_TRUE(!is_regular() || info.queries_z == 0);
  }
}

TEST_P(Loop, TuningOfAFrozenChainIsConstant) {
  RunSummary summary;
  Chain chain = warm_up(bench_.warmup_chain({2, 0}), {.warmup = 300}, {}, summary, nullptr);
  const Tuning before = chain.tuning();
  for (int i = 0; i < 500; ++i) {
    chain.step();
  }
  EXPECT_EQ(chain.tuning().step_size, before.step_size);
  EXPECT_EQ(chain.tuning().dark_to_bright, before.dark_to_bright);
  EXPECT_EQ(chain.state().tuning.step_size, before.step_size);
}

INSTANTIATE_TEST_SUITE_P(
    AllUpdates, Loop,
    ::testing::Combine(::testing::Values(ZChoice::kNone, ZChoice::kImplicit, ZChoice::kImplicitLazy,
                                         ZChoice::kRandom, ZChoice::kShuffled,
                                         ZChoice::kSequential),
                       ::testing::Values(KernelChoice::kRandomWalk, KernelChoice::kMala,
                                         KernelChoice::kSlice, KernelChoice::kHmc,
                                         KernelChoice::kIndependence)),
    [](const auto& test) {
      return name_of(std::get<0>(test.param)) + "_" + name_of(std::get<1>(test.param));
    });

// The default: local bounds, weighted coins, split HMC.
class LocalLoop : public ::testing::Test {
 protected:
  const Problem<Logistic> problem_ = simulated_logistic(kFewRows, 2, 1.5, 1.0);
  const Workbench<Logistic> bench_{problem_,
                                   {.bound = BoundKind::kLocal,
                                    .z = ZChoice::kWeighted,
                                    .kernel = KernelChoice::kSplitHmc,
                                    .frame = FrameChoice::kOscillator}};
};

TEST_F(LocalLoop, StartsDarkWithoutAQuery) {
  ChainParts parts = bench_.parts({2, 0});
  const Density& density = *parts.density;
  const ChainCore core(std::move(parts), bench_.anchor.theta);
  EXPECT_EQ(density.queries_total(), 0U);
}

TEST_F(LocalLoop, ATrajectoryQueriesTheBrightDataOnceAKick) {
  ChainParts parts = bench_.parts({2, 0});
  const Density& density = *parts.density;
  ChainCore core(std::move(parts), bench_.anchor.theta);
  std::uint64_t counted = 0;
  std::uint64_t bright = 0;
  for (int i = 0; i < 500; ++i) {
    const IterationInfo info = core.iterate({.kicks = 3});
    ASSERT_EQ(info.queries_theta, 3 * info.bright);
    counted += info.queries_theta + info.queries_z;
    bright += info.bright;
    ASSERT_EQ(density.queries_total(), counted);
  }
  EXPECT_GT(bright, 100U);  // else nothing was put to the test
}

class NoDraws final : public Sink {
 public:
  void accept(const Draw& /*draw*/) override {}
};

// Five parameters and 2,000 data: close to a Gaussian.
class WarmUp : public ::testing::TestWithParam<std::tuple<ZChoice, FrameChoice>> {
 protected:
  [[nodiscard]] RunSummary run(KernelChoice kernel) const {
    const Workbench<Logistic> bench(
        problem_,
        {.z = std::get<0>(GetParam()), .kernel = kernel, .frame = std::get<1>(GetParam())});
    NoDraws sink;
    return run_chain(bench.warmup_chain({4, 0}), {.warmup = 2'000, .draws = 3'000}, sink);
  }
  const Problem<Logistic> problem_ = simulated_logistic(2'000, 4, 1.5, 2.0);
};

TEST_P(WarmUp, ReachesTheAcceptanceEachKernelAimsFor) {
  EXPECT_NEAR(run(KernelChoice::kRandomWalk).mean_accept_prob, 0.234, 0.1);
  EXPECT_NEAR(run(KernelChoice::kMala).mean_accept_prob, 0.574, 0.1);
  // A trajectory has a whole number of steps: where that number changes, acceptance jumps, and the
  // search ends on one side or the other.
  EXPECT_NEAR(run(KernelChoice::kHmc).mean_accept_prob, 0.8, 0.12);
}

// As many dark proposals a sweep as the theta-update makes queries; with one evaluation an
// iteration that is the bright count.
class FireflyWarmUp : public WarmUp {};

TEST_P(FireflyWarmUp, SetsQToTheShareOfDataThatTheThetaUpdateQueries) {
  for (const KernelChoice kernel : {KernelChoice::kMala, KernelChoice::kHmc}) {
    const RunSummary summary = run(kernel);
    const double evaluations = static_cast<double>(summary.evaluations) / 3'000.0;
    const double query_frac = evaluations * summary.mean_bright / 2'000.0;
    EXPECT_GT(summary.tuning.dark_to_bright, 0.5 * query_frac);
    EXPECT_LT(summary.tuning.dark_to_bright, 2.0 * query_frac);
  }
}

std::string frame_case(const ::testing::TestParamInfo<WarmUp::ParamType>& test) {
  const bool plain = std::get<1>(test.param) == FrameChoice::kPlain;
  return name_of(std::get<0>(test.param)) + (plain ? "_plain" : "_oscillator");
}

constexpr auto kFrames = {FrameChoice::kPlain, FrameChoice::kOscillator};
INSTANTIATE_TEST_SUITE_P(Frames, WarmUp,
                         ::testing::Combine(::testing::Values(ZChoice::kNone, ZChoice::kImplicit),
                                            ::testing::ValuesIn(kFrames)),
                         frame_case);
INSTANTIATE_TEST_SUITE_P(Frames, FireflyWarmUp,
                         ::testing::Combine(::testing::Values(ZChoice::kImplicit),
                                            ::testing::ValuesIn(kFrames)),
                         frame_case);

}  // namespace
}  // namespace flymc::exact
