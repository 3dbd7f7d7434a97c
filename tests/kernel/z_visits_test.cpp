// What a sweep of a z-update visits: seen from outside, through a target that keeps a record.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "support/exact_chain.hpp"
#include "support/exact_simulate.hpp"

namespace flymc::exact {
namespace {

class RecordingTarget final : public Brightable {
 public:
  explicit RecordingTarget(Brightable& inner) : inner_(inner) {}

  void start_sweep() {
    queried.clear();
    darkened.clear();
    bright_at_entry.clear();
    for (std::size_t slot = 0; slot < inner_.bright_count(); ++slot) {
      bright_at_entry.insert(inner_.bright_at(slot));
    }
  }

  [[nodiscard]] std::size_t rows() const noexcept override { return inner_.rows(); }
  [[nodiscard]] std::size_t bright_count() const noexcept override { return inner_.bright_count(); }
  [[nodiscard]] Datum bright_at(std::size_t slot) const noexcept override {
    return inner_.bright_at(slot);
  }
  [[nodiscard]] bool is_bright(Datum n) const noexcept override { return inner_.is_bright(n); }
  [[nodiscard]] std::size_t slot_of(Datum n) const noexcept override { return inner_.slot_of(n); }
  void draw_hits(double scale, Stream& stream, Buffer<Datum>& hits) override {
    inner_.draw_hits(scale, stream, hits);
  }
  [[nodiscard]] double bright_rate(std::size_t slot) const noexcept override {
    return inner_.bright_rate(slot);
  }
  [[nodiscard]] double queried_rate(std::size_t i) const noexcept override {
    return inner_.queried_rate(i);
  }
  [[nodiscard]] double rate_scale(const Point& current) override {
    return inner_.rate_scale(current);
  }
  [[nodiscard]] std::span<const double> query(const Point& current,
                                              std::span<const Datum> data) override {
    queried.insert(queried.end(), data.begin(), data.end());
    return inner_.query(current, data);
  }
  void brighten(Point& current, std::size_t i) override { inner_.brighten(current, i); }
  void darken(Point& current, std::size_t slot) override {
    darkened.push_back(inner_.bright_at(slot));
    inner_.darken(current, slot);
  }
  void restore(std::span<const Datum> bright) override { inner_.restore(bright); }
  void refresh(Point& current, Order order) override { inner_.refresh(current, order); }

  std::vector<Datum> queried;
  std::vector<Datum> darkened;
  std::set<Datum> bright_at_entry;

 private:
  Brightable& inner_;
};

// 40 data, nearly half of them bright.
class ZVisits : public ::testing::TestWithParam<ZChoice> {
 protected:
  ZVisits() {
    parts_ = bench_.parts({5, 0});
    target_ = std::make_unique<RecordingTarget>(*parts_.brightness);
    parts_.density->from_theta(Vector{{-1.0, 4.0, 3.0}}, current_);
    parts_.density->evaluate(current_, Order::kValue);
  }

  ZInfo sweep(std::uint64_t iteration) {
    target_->start_sweep();
    Stream stream = parts_.streams.at(iteration, Purpose::kZUpdate);
    return parts_.z_kernel->step(*target_, current_, tuning_, iteration, stream);
  }

  // P(bright) of every datum; all are dark at the start of a test.
  std::vector<double> bright_probabilities() {
    std::vector<Datum> all(target_->rows());
    std::iota(all.begin(), all.end(), Datum{0});
    std::vector<double> probabilities;
    for (const double log_factor : parts_.brightness->query(current_, all)) {
      probabilities.push_back(sigmoid(log_factor));
    }
    return probabilities;
  }

  const Problem<Logistic> problem_ = simulated_logistic(40, 2, 3.0, 1.0);
  const Workbench<Logistic> bench_{problem_, {.bound = BoundKind::kUntuned, .z = GetParam()}};
  const Tuning tuning_{.step_size = 1.0, .dark_to_bright = 0.3};
  ChainParts parts_;
  std::unique_ptr<RecordingTarget> target_;
  Point current_{3};
};

TEST_P(ZVisits, VisitsEachDatumAtMostOnceInASweep) {
  std::size_t darkened = 0;
  for (std::uint64_t iteration = 0; iteration < 2'000; ++iteration) {
    sweep(iteration);
    std::set<Datum> seen(target_->darkened.begin(), target_->darkened.end());
    ASSERT_EQ(seen.size(), target_->darkened.size());
    for (const Datum n : target_->queried) {
      ASSERT_TRUE(seen.insert(n).second) << "datum " << n << " visited twice";
      ASSERT_FALSE(target_->bright_at_entry.contains(n)) << "a bright datum was queried";
    }
    darkened += target_->darkened.size();
  }
  EXPECT_GT(darkened, 1'000U);  // else the claim was never put to the test
}

TEST_P(ZVisits, LeavesNoDatumFrozen) {
  constexpr double kLikely = 0.05;  // a bound that nearly touches here keeps its datum dark
  std::set<Datum> likely;
  const auto probabilities = bright_probabilities();
  for (std::size_t n = 0; n < probabilities.size(); ++n) {
    if (probabilities[n] > kLikely && probabilities[n] < 1.0 - kLikely) {
      likely.insert(static_cast<Datum>(n));
    }
  }
  ASSERT_GT(likely.size(), 15U);
  std::set<Datum> lit;
  std::set<Datum> darkened;
  for (std::uint64_t iteration = 0; iteration < 5'000; ++iteration) {
    sweep(iteration);
    darkened.insert(target_->darkened.begin(), target_->darkened.end());
    for (std::size_t slot = 0; slot < target_->bright_count(); ++slot) {
      lit.insert(target_->bright_at(slot));
    }
  }
  EXPECT_TRUE(std::includes(lit.begin(), lit.end(), likely.begin(), likely.end()));
  EXPECT_TRUE(std::includes(darkened.begin(), darkened.end(), likely.begin(), likely.end()));
}

TEST_P(ZVisits, ReportsWhatItChanged) {
  for (std::uint64_t iteration = 0; iteration < 500; ++iteration) {
    const std::size_t before = target_->bright_count();
    const ZInfo info = sweep(iteration);
    ASSERT_EQ(info.darkened, target_->darkened.size());
    ASSERT_EQ(before - info.darkened + info.brightened, target_->bright_count());
    ASSERT_EQ(current_.log_factors.size(), target_->bright_count());
  }
}

// At a fixed theta the coins' law is known exactly: the long-run share of bright sweeps.
TEST_P(ZVisits, KeepsTheLawOfTheCoinsAtAFixedTheta) {
  constexpr std::uint64_t kSweeps = 20'000;
  const auto probabilities = bright_probabilities();
  const double expected = std::accumulate(probabilities.begin(), probabilities.end(), 0.0);
  double bright = 0.0;
  for (std::uint64_t iteration = 0; iteration < kSweeps; ++iteration) {
    sweep(iteration);
    bright += static_cast<double>(target_->bright_count()) / kSweeps;
  }
  // A coin's variance is below 1/4 and its autocorrelation time below 20 sweeps.
  const double worst_error = std::sqrt(40 * 0.25 * 20.0 / kSweeps);
  EXPECT_NEAR(bright, expected, 5.0 * worst_error);
}

INSTANTIATE_TEST_SUITE_P(AllUpdates, ZVisits,
                         ::testing::Values(ZChoice::kImplicit, ZChoice::kImplicitLazy,
                                           ZChoice::kRandom, ZChoice::kShuffled,
                                           ZChoice::kSequential),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace flymc::exact
