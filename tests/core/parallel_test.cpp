#include "core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace flymc {
namespace {

TEST(ParallelFor, RunsEachPieceOnce) {
  for (const unsigned threads : {0U, 1U, 2U, 3U, 16U}) {
    for (const std::size_t pieces : {0U, 1U, 2U, 5U, 1000U}) {
      std::vector<std::atomic<int>> runs(pieces);
      parallel_for(pieces, threads, [&](std::size_t piece) { ++runs.at(piece); });
      for (const auto& count : runs) {
        EXPECT_EQ(count, 1) << threads << " threads, " << pieces << " pieces";
      }
    }
  }
}

TEST(ParallelFor, RethrowsTheFailureOfTheLowestPieceAndBeginsNoMore) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    std::atomic<int> runs{0};
    const auto work = [&](std::size_t piece) {
      ++runs;
      if (piece == 7 || piece == 23 || piece == 99) {
        throw std::runtime_error(std::to_string(piece));
      }
    };
    try {
      parallel_for(100, threads, work);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
    EXPECT_GE(runs, 8);
    EXPECT_TRUE(threads > 1 || runs == 8);
  }
}

TEST(ResolveThreads, ZeroAsksForAllCores) {
  EXPECT_GE(resolve_threads(0), 1U);
  EXPECT_EQ(resolve_threads(3), 3U);
}

}  // namespace
}  // namespace flymc
