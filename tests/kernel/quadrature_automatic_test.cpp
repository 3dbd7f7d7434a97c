// Chains of likelihoods whose bounds the program derived, against the integrated posterior.
#include <gtest/gtest.h>

#include "support/exact_automatic.hpp"
#include "support/exact_expect.hpp"
#include "support/exact_local_chain.hpp"

namespace flymc::exact {
namespace {

const LocalChoice kLeftOften{.shells = {-1.0, 0.2}, .name = "left_often"};
const LocalChoice kOffTheMode{.shells = {0.5, 2.0},
                              .slack = 0.01,
                              .beacons = BeaconShare::kSome,
                              .anchor_shift = 1.0,
                              .name = "off_the_mode"};

template <class Density>
void expect_moments(const Density& density, std::uint64_t seed) {
  const auto problem = automatic_problem(density, 5);
  for (const LocalChoice& local : {LocalChoice{}, kLeftOften, kOffTheMode}) {
    for (const KernelChoice kernel : {KernelChoice::kSplitHmc, KernelChoice::kElliptical}) {
      const Combination choice{.bound = BoundKind::kLocal,
                               .z = ZChoice::kWeighted,
                               .kernel = kernel,
                               .frame = FrameChoice::kOscillator,
                               .local = local};
      SCOPED_TRACE(testing::Message() << local.name << ", " << name_of(kernel));
      const LocalRun run = run_local(problem, choice, seed++, 25'000);
      // The coins' law uses the sharp curvature there; here it is the derived one.
      std::vector<Comparison> comparisons;
      for (const Comparison& c : run.comparisons) {
        if (c.what.find("bright data") == std::string::npos) {
          comparisons.push_back(c);
        }
      }
      ASSERT_GE(comparisons.size(), 5U);
      for (const Comparison& c : comparisons) {
        EXPECT_LT(std::abs(c.z), kZThreshold) << c.what << ": chain " << c.chain << " +- "
                                              << c.standard_error << ", quadrature " << c.exact;
      }
    }
  }
}

TEST(QuadratureAutomatic, ChainsReproduceMomentsAndShells) {
  expect_moments(unit::CloglogDensity{}, 71);
  expect_moments(unit::ExponentialDensity{}, 81);
  expect_moments(unit::StudentDensity{4.0, 1.5}, 91);
}

}  // namespace
}  // namespace flymc::exact
