// Local bounds in every model, with every z-update and theta-kernel, against the integrated
// posterior. The bounds are on purpose not wise: shells that are left all the time, anchors off the
// mode, wrong metrics, beacons at random. None of that may show in a moment.
#include <gtest/gtest.h>

#include <vector>

#include "support/exact_expect.hpp"
#include "support/exact_local_chain.hpp"

namespace flymc::exact {
namespace {

// sqrt(2) is added to every shell (sqrt(3) for three classes); slack 0 brings the pole back.
const LocalChoice kChoices[] = {
    {},
    {.shells = {-1.0, 0.2}, .name = "left_often"},
    {.shells = {-1.4, 0.5, 1.5}, .slack = 0.0, .kappa = 20.0, .name = "tiny_inner_no_slack"},
    {.shells = {0.2}, .slack = 3.0, .kappa = 0.01, .name = "much_slack_small_rates"},
    {.shells = {0.0, 1.5}, .beacons = BeaconShare::kSome, .name = "some_beacons"},
    {.beacons = BeaconShare::kAll, .name = "all_beacons"},
    {.shells = {0.5, 2.0}, .slack = 0.01, .anchor_shift = 1.5, .name = "off_the_mode"},
    {.shells = {0.5},
     .beacons = BeaconShare::kSome,
     .precision_scale = 4.0,
     .name = "metric_too_narrow"},
    {.shells = {-0.5, 1.0}, .kappa = 20.0, .precision_scale = 0.25, .name = "metric_too_wide"},
    {.shells = {-0.5},
     .beacons = BeaconShare::kSome,
     .anchor_shift = -1.0,
     .precision_scale = 0.25,
     .name = "all_at_once"},
};

// Slow coins need long batches.
std::size_t draws_of(const Combination& c) {
  return c.local.kappa < 0.1 && c.z == ZChoice::kWeighted ? 200'000 : 50'000;
}

class QuadratureLocal : public ::testing::TestWithParam<Combination> {};

TEST_P(QuadratureLocal, ChainReproducesMomentsShellsAndCoins) {
  const Combination& choice = GetParam();
  with_any_problem(choice.model, choice.prior, [&](const auto& problem) {
    const LocalRun run = run_local(problem, choice, seed_of(choice), draws_of(choice));
    expect_agreement(run.comparisons);
  });
}

// Every model with every kernel and z-update; the choices take turns, so that each meets each model
// and kernel. Split HMC lives in the oscillator frame.
std::vector<Combination> combinations() {
  constexpr KernelChoice kKernels[] = {KernelChoice::kSplitHmc, KernelChoice::kElliptical,
                                       KernelChoice::kHmc, KernelChoice::kRandomWalk};
  constexpr ZChoice kZUpdates[] = {ZChoice::kWeighted, ZChoice::kImplicit, ZChoice::kShuffled};
  std::vector<Combination> all;
  std::size_t turn = 0;
  for (int model = 0; model <= static_cast<int>(ModelChoice::kNegativeBinomial); ++model) {
    for (const KernelChoice kernel : kKernels) {
      for (const ZChoice z : kZUpdates) {
        const bool plain = kernel != KernelChoice::kSplitHmc && turn % 4 == 0;
        all.push_back(
            {.model = static_cast<ModelChoice>(model),
             .prior = turn % 5 < 3 ? PriorKind::kNormal : PriorKind::kLaplace,
             .bound = BoundKind::kLocal,
             .z = z,
             .kernel = kernel,
             .frame = plain ? FrameChoice::kPlain : FrameChoice::kOscillator,
             .local =
                 kChoices[(turn * 3 + static_cast<std::size_t>(model)) % std::size(kChoices)]});
        ++turn;
      }
    }
  }
  return all;
}

// The default kernel and z-update, with every choice.
std::vector<Combination> default_kernels() {
  std::vector<Combination> all;
  std::size_t turn = 0;
  for (const LocalChoice& local : kChoices) {
    for (const ModelChoice model : {ModelChoice::kLogistic, ModelChoice::kStudentT,
                                    ModelChoice::kSoftmaxThree, ModelChoice::kPoisson}) {
      all.push_back({.model = model,
                     .prior = turn++ % 2 == 0 ? PriorKind::kLaplace : PriorKind::kNormal,
                     .bound = BoundKind::kLocal,
                     .z = ZChoice::kWeighted,
                     .kernel = KernelChoice::kSplitHmc,
                     .frame = FrameChoice::kOscillator,
                     .local = local});
    }
  }
  return all;
}

constexpr auto kLocalName = [](const ::testing::TestParamInfo<Combination>& info) {
  return name_of(info.param);
};

INSTANTIATE_TEST_SUITE_P(AllModels, QuadratureLocal, ::testing::ValuesIn(combinations()),
                         kLocalName);
INSTANTIATE_TEST_SUITE_P(Default, QuadratureLocal, ::testing::ValuesIn(default_kernels()),
                         kLocalName);

}  // namespace
}  // namespace flymc::exact
