// Every model, prior, bound, z-update, theta-kernel and frame against the integrated posterior.
#include <gtest/gtest.h>

#include <vector>

#include "support/exact_expect.hpp"
#include "support/exact_moments.hpp"

namespace flymc::exact {
namespace {

constexpr ModelChoice kModels[] = {ModelChoice::kLogistic, ModelChoice::kSoftmaxTwo,
                                   ModelChoice::kSoftmaxThree, ModelChoice::kStudentT};
constexpr BoundKind kBounds[] = {BoundKind::kMapTuned, BoundKind::kUntuned};
constexpr ZChoice kZUpdates[] = {ZChoice::kImplicit, ZChoice::kImplicitLazy, ZChoice::kRandom,
                                 ZChoice::kShuffled, ZChoice::kSequential};
constexpr KernelChoice kKernels[] = {KernelChoice::kRandomWalk, KernelChoice::kMala,
                                     KernelChoice::kSlice, KernelChoice::kHmc,
                                     KernelChoice::kIndependence};

// Kernels that evaluate the density several times an iteration get fewer iterations.
std::size_t draws_of(KernelChoice kernel) {
  switch (kernel) {
    case KernelChoice::kSlice:
      return 50'000;
    case KernelChoice::kHmc:
      return 60'000;
    default:
      return 125'000;
  }
}

class Quadrature3To5Data : public ::testing::TestWithParam<Combination> {};

TEST_P(Quadrature3To5Data, ChainReproducesPosteriorMomentsAndBrightCount) {
  const Combination& choice = GetParam();
  with_problem(choice.model, choice.prior, [&](const auto& problem) {
    const auto comparisons =
        compare_with_quadrature(problem, choice, seed_of(choice), draws_of(choice.kernel));
    expect_agreement(comparisons);
  });
}

std::vector<Combination> joint_combinations(PriorKind prior, std::vector<ZChoice> z_updates) {
  std::vector<Combination> all;
  for (const ModelChoice model : kModels) {
    for (const BoundKind bound : kBounds) {
      for (const ZChoice z : z_updates) {
        for (const KernelChoice kernel : kKernels) {
          all.push_back({model, prior, bound, z, kernel, FrameChoice::kOscillator});
          if (prior == PriorKind::kNormal) {
            all.push_back({model, prior, bound, z, kernel, FrameChoice::kPlain});
          }
        }
      }
    }
  }
  return all;
}

// The whitened frame of scalar models with a normal prior, and regular MCMC in every frame.
std::vector<Combination> other_combinations() {
  std::vector<Combination> all;
  for (const KernelChoice kernel : kKernels) {
    for (const ModelChoice model : {ModelChoice::kLogistic, ModelChoice::kStudentT}) {
      all.push_back({model, PriorKind::kNormal, BoundKind::kMapTuned, ZChoice::kImplicit, kernel,
                     FrameChoice::kWhitened});
    }
    for (const ModelChoice model : kModels) {
      for (const PriorKind prior : {PriorKind::kNormal, PriorKind::kLaplace}) {
        for (const FrameChoice frame : {FrameChoice::kPlain, FrameChoice::kOscillator}) {
          all.push_back({model, prior, BoundKind::kMapTuned, ZChoice::kNone, kernel, frame});
        }
      }
    }
  }
  return all;
}

constexpr auto kName = [](const ::testing::TestParamInfo<Combination>& info) {
  return name_of(info.param);
};

INSTANTIATE_TEST_SUITE_P(NormalPrior, Quadrature3To5Data,
                         ::testing::ValuesIn(joint_combinations(
                             PriorKind::kNormal, {std::begin(kZUpdates), std::end(kZUpdates)})),
                         kName);
INSTANTIATE_TEST_SUITE_P(LaplacePrior, Quadrature3To5Data,
                         ::testing::ValuesIn(joint_combinations(
                             PriorKind::kLaplace, {ZChoice::kImplicit, ZChoice::kShuffled})),
                         kName);
INSTANTIATE_TEST_SUITE_P(RegularAndWhitened, Quadrature3To5Data,
                         ::testing::ValuesIn(other_combinations()), kName);

TEST(Quadrature, HasConvergedFarBelowMonteCarloError) {
  for (const ModelChoice model : kModels) {
    for (const PriorKind prior : {PriorKind::kNormal, PriorKind::kLaplace}) {
      with_problem(model, prior, [&](const auto& problem) {
        const Workbench bench(problem, {.model = model, .prior = prior});
        Reference reference(problem, bench.bounds.tangents.theta_hat, BoundKind::kMapTuned);
        const PosteriorMoments coarse = integrate(reference, 8);
        const PosteriorMoments fine = integrate(reference, 13);
        EXPECT_LT((coarse.mean - fine.mean).norm(), 1e-6);
        EXPECT_LT((coarse.second - fine.second).norm(), 1e-6);
        EXPECT_NEAR(coarse.bright, fine.bright, 1e-6);
      });
    }
  }
}

}  // namespace
}  // namespace flymc::exact
