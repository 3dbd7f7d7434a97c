// Simulation-based calibration (Talts et al. 2018): theta from the prior, data from the model, and
// the rank of theta among posterior draws is uniform.
#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "support/exact_chain.hpp"
#include "support/exact_simulate.hpp"

namespace flymc::exact {
namespace {

constexpr std::size_t kReplications = 200;
constexpr std::size_t kKept = 99;  // ranks 0 .. 99
constexpr std::size_t kBins = 10;
constexpr std::size_t kParameters = 3;
constexpr double kChiSquare = 33.72;  // 9 degrees of freedom, probability 1e-4

class RankSink final : public Sink {
 public:
  explicit RankSink(const Vector& truth) : truth_(truth) {}
  void accept(const Draw& draw) override {
    for (std::size_t j = 0; j < kParameters; ++j) {
      const auto i = static_cast<Index>(j);
      ranks[j] += draw.theta[i] < truth_[i] ? 1U : 0U;
    }
    // A function of all parameters sees errors in their dependence.
    ranks[kParameters] += draw.theta.squaredNorm() < truth_.squaredNorm() ? 1U : 0U;
  }
  std::array<std::size_t, kParameters + 1> ranks{};

 private:
  const Vector& truth_;
};

Problem<Logistic> replication(std::uint64_t number, Vector& truth) {
  Stream stream(99, 0, Purpose::kSimulate, number);
  Prior prior = equal_prior(PriorKind::kNormal, kParameters, 0.0, 1.2);
  prior.sample(stream, truth);
  Table table = normal_columns(50, kParameters - 1, stream);
  draw_labels(table, truth, stream);
  return {Logistic{}, std::move(prior), Dataset(std::move(table), {}), 1.5};
}

class Calibration : public ::testing::TestWithParam<Combination> {};

TEST_P(Calibration, RanksOfThePriorDrawsAreUniform) {
  std::array<std::array<double, kBins>, kParameters + 1> counts{};
  for (std::uint64_t number = 0; number < kReplications; ++number) {
    Vector truth(kParameters);
    const Problem<Logistic> problem = replication(number, truth);
    const Workbench<Logistic> bench(problem, GetParam());
    RankSink sink(truth);
    std::ignore = run_chain(bench.warmup_chain({number, 0}),
                            {.warmup = 500, .draws = kKept, .thin = 25}, sink);
    for (std::size_t j = 0; j < counts.size(); ++j) {
      counts[j][sink.ranks[j] * kBins / (kKept + 1)] += 1.0;
    }
  }
  constexpr double kExpected = double{kReplications} / kBins;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    double chi_square = 0.0;
    for (const double count : counts[j]) {
      chi_square += (count - kExpected) * (count - kExpected) / kExpected;
    }
    EXPECT_LT(chi_square, kChiSquare) << "quantity " << j;
  }
}

INSTANTIATE_TEST_SUITE_P(Logistic, Calibration,
                         ::testing::Values(Combination{.bound = BoundKind::kLocal,
                                                       .z = ZChoice::kWeighted,
                                                       .kernel = KernelChoice::kSplitHmc,
                                                       .frame = FrameChoice::kOscillator},
                                           Combination{.z = ZChoice::kImplicit,
                                                       .kernel = KernelChoice::kHmc,
                                                       .frame = FrameChoice::kOscillator},
                                           Combination{.bound = BoundKind::kUntuned,
                                                       .z = ZChoice::kSequential,
                                                       .kernel = KernelChoice::kSlice,
                                                       .frame = FrameChoice::kWhitened},
                                           Combination{.z = ZChoice::kImplicit,
                                                       .kernel = KernelChoice::kRandomWalk,
                                                       .frame = FrameChoice::kPlain}),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace flymc::exact
