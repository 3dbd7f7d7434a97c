#include "core/parallel.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
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

// With stacks larger than any address space the system starts no thread.
TEST(ParallelFor, DoesAllItselfWhereTheSystemGivesNoThreads) {
  pthread_attr_t before;
  ASSERT_EQ(pthread_getattr_default_np(&before), 0);
  pthread_attr_t huge = before;
  ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 60), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  EXPECT_THROW(std::thread([] {}).join(), std::system_error);
  std::vector<int> runs(100);
  parallel_for(runs.size(), 4, [&](std::size_t piece) { ++runs.at(piece); });
  EXPECT_EQ(runs, std::vector<int>(100, 1));
  pthread_setattr_default_np(&before);
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
