// Draws are a function of the seed, and a chain continued from its state is the chain itself.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/exact_chain.hpp"
#include "support/exact_simulate.hpp"

namespace flymc::exact {
namespace {

constexpr int kLength = 300;

// theta and log density of consecutive iterations.
std::vector<double> draws_of(Chain& chain) {
  std::vector<double> all;
  Vector theta(chain.dimension());
  for (int i = 0; i < kLength; ++i) {
    const IterationInfo info = chain.step();
    chain.theta(theta);
    all.insert(all.end(), theta.begin(), theta.end());
    all.push_back(chain.log_density());
    all.push_back(static_cast<double>(info.bright));
    all.push_back(static_cast<double>(info.queries_theta + info.queries_z));
  }
  return all;
}

template <class M>
Chain frozen_chain(const Workbench<M>& bench, const Streams& streams) {
  RunSummary summary;
  return warm_up(bench.warmup_chain(streams), {.warmup = 400}, {}, summary, nullptr);
}

std::vector<Combination> all_updates() {
  std::vector<Combination> all;
  for (const ZChoice z : {ZChoice::kNone, ZChoice::kImplicit, ZChoice::kImplicitLazy,
                          ZChoice::kRandom, ZChoice::kShuffled, ZChoice::kSequential}) {
    for (const KernelChoice kernel :
         {KernelChoice::kRandomWalk, KernelChoice::kMala, KernelChoice::kSlice, KernelChoice::kHmc,
          KernelChoice::kIndependence}) {
      for (const FrameChoice frame : {FrameChoice::kPlain, FrameChoice::kOscillator}) {
        all.push_back({.z = z, .kernel = kernel, .frame = frame});
      }
    }
  }
  for (const KernelChoice kernel :
       {KernelChoice::kSplitHmc, KernelChoice::kElliptical, KernelChoice::kHmc}) {
    for (const BeaconShare beacons : {BeaconShare::kNone, BeaconShare::kSome}) {
      const bool some = beacons == BeaconShare::kSome;
      all.push_back({.bound = BoundKind::kLocal,
                     .z = ZChoice::kWeighted,
                     .kernel = kernel,
                     .frame = FrameChoice::kOscillator,
                     .local = {.beacons = beacons, .name = some ? "beacons" : "coins"}});
    }
  }
  return all;
}

class Restart : public ::testing::TestWithParam<Combination> {
 protected:
  const Problem<Logistic> problem_ = simulated_logistic(60, 2, 1.5, 1.0);
  const Workbench<Logistic> bench_{problem_, GetParam()};
};

TEST_P(Restart, SameSeedGivesTheSameDraws) {
  Chain first = frozen_chain(bench_, {7, 1});
  Chain second = frozen_chain(bench_, {7, 1});
  EXPECT_EQ(draws_of(first), draws_of(second));
}

TEST_P(Restart, AnotherSeedOrChainNumberGivesOtherDraws) {
  Chain chain = frozen_chain(bench_, {7, 1});
  Chain other_seed = frozen_chain(bench_, {8, 1});
  Chain other_number = frozen_chain(bench_, {7, 2});
  const auto draws = draws_of(chain);
  EXPECT_NE(draws, draws_of(other_seed));
  EXPECT_NE(draws, draws_of(other_number));
}

TEST_P(Restart, RestoredChainContinuesBitForBit) {
  Chain chain = frozen_chain(bench_, {7, 1});
  draws_of(chain);
  const ChainState state = chain.state();
  Chain restored(bench_.parts({7, 1}), state);
  EXPECT_EQ(restored.log_density(), chain.log_density());
  EXPECT_EQ(draws_of(restored), draws_of(chain));
}

TEST_P(Restart, RestoringCostsNoQuery) {
  Chain chain = frozen_chain(bench_, {7, 1});
  ChainParts parts = bench_.parts({7, 1});
  const Density& density = *parts.density;
  const Chain restored(std::move(parts), chain.state());
  EXPECT_EQ(density.queries_total(), 0U);
}

INSTANTIATE_TEST_SUITE_P(AllUpdates, Restart, ::testing::ValuesIn(all_updates()),
                         [](const auto& test) { return name_of(test.param); });

TEST(RestartSoftmax, RestoredChainContinuesBitForBit) {
  const Problem<Softmax> problem = softmax_problem(3, PriorKind::kLaplace);
  for (const ZChoice z : {ZChoice::kImplicit, ZChoice::kShuffled}) {
    const Workbench<Softmax> bench(problem, {.model = ModelChoice::kSoftmaxThree,
                                             .prior = PriorKind::kLaplace,
                                             .bound = BoundKind::kUntuned,
                                             .z = z,
                                             .kernel = KernelChoice::kMala,
                                             .frame = FrameChoice::kWhitened});
    Chain chain = frozen_chain(bench, {3, 0});
    draws_of(chain);
    Chain restored(bench.parts({3, 0}), chain.state());
    EXPECT_EQ(draws_of(restored), draws_of(chain));
  }
}

}  // namespace
}  // namespace flymc::exact
