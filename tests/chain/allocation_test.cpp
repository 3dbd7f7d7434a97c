// The loop allocates nothing once it has seen as many bright data as it will see.
//
// malloc itself is counted: Eigen does not go through operator new. Sanitizers own malloc, so there
// the test is skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "support/exact_chain.hpp"
#include "support/exact_simulate.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FLYMC_COUNTS_MALLOC 1
#else
#define FLYMC_COUNTS_MALLOC 0
#endif

namespace {
std::atomic<std::size_t> g_allocations{0};  // NOLINT: a replacement of malloc has no other place
}  // namespace

#if FLYMC_COUNTS_MALLOC
extern "C" {
void* __libc_malloc(std::size_t size_bytes);
void* __libc_realloc(void* pointer, std::size_t size_bytes);
void* __libc_memalign(std::size_t alignment, std::size_t size_bytes);

void* malloc(std::size_t size_bytes) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size_bytes);
}
void* realloc(void* pointer, std::size_t size_bytes) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(pointer, size_bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t size_bytes) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size_bytes);
}
}
#endif

namespace flymc::exact {
namespace {

// Allocations of iterations that neither light nor query more data than any before: growing to a
// new record is the one reason to allocate.
class Watch {
 public:
  explicit Watch(Chain& chain) : chain_(chain), theta_(chain.dimension()) {}

  void run(int iterations) {
    unexplained = 0;
    records = 0;
    for (int i = 0; i < iterations; ++i) {
      const std::size_t before = g_allocations.load();
      const IterationInfo info = chain_.step();
      chain_.theta(theta_);
      const std::size_t made = g_allocations.load() - before;
      if (info.bright > most_bright_ || info.queries_z > most_queried_) {
        most_bright_ = std::max(most_bright_, info.bright);
        most_queried_ = std::max(most_queried_, info.queries_z);
        ++records;
      } else {
        unexplained += made;
      }
    }
  }

  std::size_t unexplained = 0;
  int records = 0;

 private:
  Chain& chain_;
  Vector theta_;
  std::size_t most_bright_ = 0;
  std::uint64_t most_queried_ = 0;
};

template <class M>
void expect_no_allocation(const Problem<M>& problem, const Combination& choice) {
  SCOPED_TRACE(name_of(choice));
  const Workbench<M> bench(problem, choice);
  RunSummary summary;
  Chain chain = warm_up(bench.warmup_chain({1, 0}), {.warmup = 500}, {}, summary, nullptr);
  Watch watch(chain);
  watch.run(2'000);
  watch.run(2'000);
  EXPECT_EQ(watch.unexplained, 0U);
  EXPECT_LT(watch.records, 10);
}

class Allocation : public ::testing::TestWithParam<ZChoice> {
 protected:
  void SetUp() override {
    if (FLYMC_COUNTS_MALLOC == 0) {
      GTEST_SKIP() << "malloc cannot be counted here";
    }
  }
};

constexpr KernelChoice kKernels[] = {KernelChoice::kRandomWalk, KernelChoice::kMala,
                                     KernelChoice::kSlice, KernelChoice::kHmc,
                                     KernelChoice::kIndependence};

TEST_P(Allocation, LoopAllocatesNothingForAnyKernelAndFrame) {
  const Problem<Logistic> logistic = simulated_logistic(60, 4, 1.5, 1.0);
  const Problem<Softmax> softmax = softmax_problem(3, PriorKind::kLaplace);
  for (const KernelChoice kernel : kKernels) {
    for (const FrameChoice frame : {FrameChoice::kPlain, FrameChoice::kOscillator}) {
      expect_no_allocation(
          logistic,
          {.bound = BoundKind::kUntuned, .z = GetParam(), .kernel = kernel, .frame = frame});
    }
    expect_no_allocation(softmax, {.model = ModelChoice::kSoftmaxThree,
                                   .prior = PriorKind::kLaplace,
                                   .bound = BoundKind::kUntuned,
                                   .z = GetParam(),
                                   .kernel = kernel,
                                   .frame = FrameChoice::kWhitened});
  }
}

// One wide shell: a shell's sums are built, and memory taken, when it is first entered.
TEST_P(Allocation, LoopWithLocalBoundsAllocatesNothing) {
  const Problem<Logistic> logistic = simulated_logistic(60, 4, 1.5, 1.0);
  const ZChoice z = GetParam() == ZChoice::kNone ? ZChoice::kWeighted : GetParam();
  for (const KernelChoice kernel : {KernelChoice::kSplitHmc, KernelChoice::kElliptical}) {
    for (const BeaconShare beacons : {BeaconShare::kNone, BeaconShare::kSome}) {
      expect_no_allocation(logistic, {.bound = BoundKind::kLocal,
                                      .z = z,
                                      .kernel = kernel,
                                      .frame = FrameChoice::kOscillator,
                                      .local = {.shells = {9.0}, .beacons = beacons}});
    }
  }
}

TEST_P(Allocation, CounterSeesAllocations) {
  const std::size_t before = g_allocations.load();
  const Vector vector = Vector::Zero(100 + static_cast<Index>(before % 2));
  EXPECT_GT(g_allocations.load(), before) << vector.size();
}

INSTANTIATE_TEST_SUITE_P(AllUpdates, Allocation,
                         ::testing::Values(ZChoice::kNone, ZChoice::kImplicit,
                                           ZChoice::kImplicitLazy, ZChoice::kRandom,
                                           ZChoice::kShuffled, ZChoice::kSequential),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace flymc::exact
