#include "flymc/detail/posterior/framed_rows.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "support/unit_joint.hpp"

namespace flymc {
namespace {

using unit::light;
using unit::Problem;

std::vector<double> row_of(std::size_t n) {
  const auto label = static_cast<double>(n);
  return {label, label + 0.25, label + 0.5};
}

TEST(FramedRows, GiveBackWhatWasKeptFirst) {
  FramedRows rows(4, 3);
  EXPECT_EQ(rows.find(2), nullptr);
  rows.keep(2, row_of(2).data());
  rows.keep(2, row_of(9).data());
  rows.keep(3, row_of(3).data());
  for (const std::size_t n : {2, 3}) {
    ASSERT_NE(rows.find(n), nullptr);
    EXPECT_EQ(std::vector<double>(rows.find(n), rows.find(n) + 3), row_of(n));
  }
  EXPECT_EQ(rows.find(0), nullptr);
}

TEST(FramedRows, OfNoneKeepNone) {
  FramedRows rows(0, 3);
  rows.keep(0, row_of(0).data());
  EXPECT_EQ(rows.find(0), nullptr);
}

// Threads that bring and read the same rows see missing or whole ones (also for -fsanitize=thread).
TEST(FramedRows, AreMissingOrWholeForEveryThread) {
  constexpr std::size_t kRows = 2000;
  FramedRows rows(kRows, 3);
  std::vector<std::size_t> wrong(4);
  std::vector<std::thread> threads;
  for (std::size_t& mine : wrong) {
    threads.emplace_back([&rows, &mine] {
      for (std::size_t n = 0; n < kRows; ++n) {
        const std::vector<double> row = row_of(n);
        rows.keep(n, row.data());
        const double* const kept = rows.find(n);
        mine += kept != nullptr && !std::equal(row.begin(), row.end(), kept) ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, std::vector<std::size_t>(4, 0));
  EXPECT_NE(rows.find(kRows - 1), nullptr);
}

TEST(KeepingRowsPays, WhereRowsAreLitAgainAndFit) {
  EXPECT_TRUE(keeping_rows_pays(80.0, 20'000, 501));
  EXPECT_FALSE(keeping_rows_pays(0.9, 1'000'000, 51));          // lit once in a million
  EXPECT_FALSE(keeping_rows_pays(1e9, 1'000'000'000, 10'000));  // 80 TB
}

// A chain that finds another's rows has the numbers it would have made itself.
TEST(KeptRows, GiveTheSameDensityToTheLastBit) {
  Problem<unit::LogisticCase> problem({}, BoundKind::kLocal, 43);
  problem.set_beacons({7}, {.threads = 1});
  const Frame frame = unit::all_frames(problem)[1];
  const auto setting = [&] {
    return std::make_shared<const JointSetting<Logistic>>(problem.model, problem.prior,
                                                          problem.data, problem.bounds, frame);
  };
  const auto shared = setting();
  JointTarget<Logistic> first(shared);
  JointTarget<Logistic> second(shared);
  JointTarget<Logistic> alone(setting());
  Point made(problem.size());
  made.zeta = unit::normal_vector(problem.stream, problem.size(), 0.7);
  Point found = made;
  Point made_alone = made;
  light(first, made, {2, 5, 23, 9, 14});
  first.evaluate(made, Order::kGradient);
  for (const Datum n : {2, 5, 23, 9, 14}) {
    EXPECT_NE(shared->framed_rows.find(n), nullptr) << n;
  }
  EXPECT_EQ(shared->framed_rows.find(3), nullptr);
  light(second, found, {14, 3, 2});
  second.evaluate(found, Order::kGradient);
  light(alone, made_alone, {14, 3, 2});
  alone.evaluate(made_alone, Order::kGradient);
  EXPECT_EQ(found.log_density, made_alone.log_density);
  EXPECT_EQ(found.gradient, made_alone.gradient);
}

}  // namespace
}  // namespace flymc
