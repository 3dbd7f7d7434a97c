#include "flymc/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "support/unit_statistics.hpp"

namespace flymc {
namespace {

TEST(Philox, MatchesTheKnownAnswersOfRandom123) {
  constexpr std::uint32_t kOnes = 0xffffffffU;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxBlock{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}));
  EXPECT_EQ(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
            (PhiloxBlock{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
  EXPECT_EQ(
      philox4x32({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}, {0xa4093822U, 0x299f31d0U}),
      (PhiloxBlock{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}));
}

std::vector<std::uint64_t> first_bits(Stream stream, std::size_t count = 9) {
  std::vector<std::uint64_t> bits(count);
  std::generate(bits.begin(), bits.end(), [&] { return stream.bits(); });
  return bits;
}

TEST(Stream, IsAFunctionOfItsAddress) {
  const Streams streams{.seed = 7, .chain = 3};
  EXPECT_EQ(first_bits(streams.at(11, Purpose::kZUpdate)),
            first_bits(Stream(7, 3, Purpose::kZUpdate, 11)));
}

TEST(Stream, EveryPartOfTheAddressChangesTheNumbers) {
  std::set<std::vector<std::uint64_t>> seen;
  std::size_t made = 0;
  const std::uint64_t high = std::uint64_t{1} << 32;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, high}) {
    for (const std::uint32_t chain : {0U, 1U, 0xffffffffU}) {
      for (const Purpose purpose : {Purpose::kInit, Purpose::kThetaUpdate, Purpose::kZUpdate}) {
        for (const std::uint64_t iteration : {std::uint64_t{0}, std::uint64_t{1}, high, 2 * high}) {
          seen.insert(first_bits(Stream(seed, chain, purpose, iteration), 2));
          ++made;
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), made);
}

TEST(Stream, NeighbouringStreamsShareNoNumbers) {
  std::set<std::uint64_t> seen;
  constexpr std::uint64_t kIterations = 500;
  constexpr std::size_t kEach = 40;
  for (std::uint64_t i = 0; i < kIterations; ++i) {
    const auto bits = first_bits(Stream(1, 0, Purpose::kThetaUpdate, i), kEach);
    seen.insert(bits.begin(), bits.end());
  }
  EXPECT_EQ(seen.size(), kIterations * kEach);
}

TEST(Stream, CopiesGoOnIndependently) {
  Stream original(1, 0, Purpose::kTest, 0);
  EXPECT_NE(original.normal(), 0.0);  // leaves a spare normal behind
  Stream copy = original;
  EXPECT_EQ(copy.normal(), original.normal());
  EXPECT_EQ(copy.bits(), original.bits());
}

TEST(OpenUnit, ExcludesBothEnds) {
  EXPECT_GT(open_unit(0), 0.0);
  EXPECT_LT(open_unit(std::numeric_limits<std::uint64_t>::max()), 1.0);
  EXPECT_EQ(open_unit(0), 1.0 - open_unit(std::numeric_limits<std::uint64_t>::max()));
}

class PermutationOf : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PermutationOf, IsABijection) {
  const std::uint64_t n = GetParam();
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    Stream stream(seed, 0, Purpose::kTest, n);
    const Permutation permute(n, stream);
    std::vector<bool> hit(n, false);
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t image = permute(i);
      ASSERT_LT(image, n);
      ASSERT_FALSE(hit[image]);
      hit[image] = true;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PermutationOf,
                         ::testing::Values(1, 2, 3, 4, 5, 7, 16, 17, 100, 1000, 65536, 65537));

TEST(Permutation, SendsAnyIndexAnywhereEquallyOften) {
  constexpr std::uint64_t kSize = 100;
  constexpr std::size_t kKeys = 20000;
  Stream stream(5, 0, Purpose::kTest, 0);
  for (const std::uint64_t index : {0U, 1U, 50U, 99U}) {
    const double statistic = unit::uniform_chi_square(kKeys, kSize, [&] {
      return (static_cast<double>(Permutation(kSize, stream)(index)) + 0.5) / kSize;
    });
    EXPECT_LT(statistic, unit::chi_square_limit(kSize - 1)) << "index " << index;
  }
}

TEST(Permutation, SendsPairsAnywhereEquallyOften) {
  constexpr std::size_t kKeys = 40000;
  for (const std::size_t size : {3U, 5U, 10U, 40U}) {
    Stream stream(6, 0, Purpose::kTest, size);
    std::vector<double> counts(size * size, 0.0);
    for (std::size_t i = 0; i < kKeys; ++i) {
      const Permutation permute(size, stream);
      counts[permute(0) * size + permute(1)] += 1.0;
    }
    for (std::size_t i = size; i > 0; --i) {  // the diagonal cannot occur
      EXPECT_EQ(counts[(i - 1) * (size + 1)], 0.0);
      counts.erase(counts.begin() + static_cast<std::ptrdiff_t>((i - 1) * (size + 1)));
    }
    const auto cells = static_cast<double>(counts.size());
    const std::vector<double> expected(counts.size(), static_cast<double>(kKeys) / cells);
    EXPECT_LT(unit::chi_square(counts, expected), unit::chi_square_limit(cells - 1.0)) << size;
  }
}

}  // namespace
}  // namespace flymc
