// Draws do not depend on how many ranks hold the rows: the same bits for one, two, three and four,
// and for a process alone; and most iterations need no message.
#include "flymc/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "chain/set_up.hpp"
#include "flymc/chain/run_chain.hpp"
#include "flymc/family/automatic.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/family/poisson.hpp"
#include "flymc/family/softmax.hpp"
#include "flymc/family/student_t.hpp"
#include "flymc/posterior/full_target.hpp"
#include "flymc/posterior/global_bounds.hpp"
#include "flymc/posterior/joint_target.hpp"
#include "flymc/random.hpp"
#include "kernel/explicit_z.hpp"
#include "kernel/hmc.hpp"
#include "kernel/implicit_z.hpp"
#include "kernel/split_hmc.hpp"
#include "kernel/weighted_z.hpp"
#include "support/densities.hpp"
#include "support/thread_ranks.hpp"

namespace flymc {
namespace {

using testing::on_ranks;

constexpr std::size_t kFeatures = 3;

// Sections of unequal length, as merging leaves them; dealt out in order, as evenly as they come.
struct Sections {
  std::vector<std::size_t> sizes{700, 513, 2000, 64, 999, 724};

  [[nodiscard]] std::size_t rows() const {
    return std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  }
};

// Mean and log standard deviation, which is the same for all rows or varies with a column.
template <bool varies>
struct NormalScale : unit::NormalDensity {};

double response_of(const Logistic&, double eta, Stream& stream) {
  return stream.uniform() < 1.0 / (1.0 + std::exp(-eta)) ? 1.0 : -1.0;
}
double response_of(const StudentT&, double eta, Stream& stream) {
  return eta + stream.normal() / std::max(0.3, std::abs(stream.normal()));
}
double response_of(const Softmax&, double eta, Stream& stream) {
  return std::floor(3.0 / (1.0 + std::exp(-eta - stream.normal())));
}
double response_of(const Poisson&, double eta, Stream& stream) {
  return static_cast<double>(stream.poisson(std::exp(0.5 * eta)));
}
template <bool varies>
double response_of(const Automatic<NormalScale<varies>>&, double eta, Stream& stream) {
  return eta + 1.5 * stream.normal();
}

template <class M>
Dataset::Options options_of(const M& /*model*/) {
  return {};
}
template <bool varies>
Dataset::Options options_of(const Automatic<NormalScale<varies>>& /*model*/) {
  return {.center = {},
          .scale = {},
          .predictors = {{0, 1, 2, 3}, varies ? std::vector<Index>{0, 3} : std::vector<Index>{0}}};
}

// A row that alone has something in its column is a beacon.
template <class M>
bool is_rare(const M& /*model*/, std::size_t n) {
  return n % (std::is_same_v<M, Poisson> ? 10'000 : 2000) == 3;
}

// All rows are drawn, those of this rank kept: the same data however they are held. A rare
// category makes its rows beacons.
template <class M>
Dataset make_data(const M& model, Ranks& ranks, const Sections& sections = {}) {
  Table table;
  table.columns = {"a", "b", "c"};
  table.shard = Shard(ranks, testing::dealt(ranks, sections.sizes));
  Stream stream(5, 0, Purpose::kTest, 0);
  for (std::size_t n = 0; n < sections.rows(); ++n) {
    double x[kFeatures];
    for (double& value : x) {
      value = stream.normal();
    }
    x[2] = is_rare(model, n) ? 3.0 : 0.0;
    const double y = response_of(model, x[0] - 0.5 * x[1] + 0.3, stream);
    if (table.shard.holds(n)) {
      table.x.insert(table.x.end(), x, x + kFeatures);
      table.response.values.push_back(y);
      table.weights.push_back(1.0 + static_cast<double>(n % 3 == 0));
      ++table.rows;
    }
  }
  return {std::move(table), options_of(model)};
}

Prior make_prior(Index size) {
  return Prior(
      std::vector<PriorTerm>(static_cast<std::size_t>(size), {PriorKind::kNormal, 0.0, 5.0}));
}

class ValueRecorder final : public Sink {
 public:
  explicit ValueRecorder(std::vector<double>& out) : out_(out) {}
  void accept(const Draw& draw) override {
    out_.insert(out_.end(), draw.theta.begin(), draw.theta.end());
    out_.push_back(draw.log_density);
    out_.push_back(static_cast<double>(draw.bright));
    out_.push_back(static_cast<double>(draw.queries));
  }

 private:
  std::vector<double>& out_;
};

constexpr Schedule kSchedule{.warmup = 100, .draws = 150};

std::vector<double> draws_of(ChainParts parts, const Vector& start) {
  std::vector<double> out;
  ValueRecorder sink(out);
  WarmupChain chain(std::move(parts), start, {});
  std::ignore = run_chain(std::move(chain), kSchedule, sink);
  return out;
}

// Local bounds and the weighted update, the default; with beacons where `lit`.
template <class M>
std::vector<double> fly_draws(const M& model, Ranks& ranks, bool lit = false) {
  const Dataset data = make_data(model, ranks);
  const Prior prior = make_prior(data.design().parameters(predictor_count(model)));
  const SetUp land =
      set_up(model, prior, data,
             {.anchor = {.threads = 1}, .local = {.threads = 1}, .engine = EngineKind::kFly});
  EXPECT_EQ(!land.bounds.beacons.empty(), lit);
  auto target = std::make_unique<JointTarget<M>>(model, prior, data, land.bounds, *land.frame);
  const Index size = land.frame->dimension();
  return draws_of(firefly_parts(std::move(target), std::make_unique<SplitHmc>(size),
                                std::make_unique<WeightedZ>(), Streams{1, 0}),
                  land.anchor.theta);
}

// The paper's bounds and updates.
template <class ZUpdate>
std::vector<double> paper_draws(BoundKind kind, Ranks& ranks) {
  const Logistic model;
  const Dataset data = make_data(model, ranks);
  const Prior prior = make_prior(data.columns());
  const Anchor anchor = find_anchor(model, prior, data, {.threads = 1});
  const Bounds bounds = make_bounds(model, data, anchor, {.kind = kind, .xi = 1.5, .threads = 1});
  const Frame frame = Frame::oscillator(anchor, gaussian_precision(prior, bounds.gaussian));
  auto target = std::make_unique<JointTarget<Logistic>>(model, prior, data, bounds, frame);
  return draws_of(
      firefly_parts(std::move(target), std::make_unique<Hmc>(frame.dimension(), Hmc::Options{}),
                    std::make_unique<ZUpdate>(typename ZUpdate::Options{}), Streams{1, 0}),
      anchor.theta);
}

std::vector<double> regular_draws(Ranks& ranks) {
  const Logistic model;
  const Dataset data = make_data(model, ranks);
  const Prior prior = make_prior(data.columns());
  const Anchor anchor = find_anchor(model, prior, data, {.threads = 1});
  const Frame frame = Frame::whitened(anchor);
  ChainParts parts{std::make_unique<FullTarget<Logistic>>(model, prior, data, frame), nullptr,
                   std::make_unique<Hmc>(frame.dimension(), Hmc::Options{}), nullptr,
                   Streams{1, 0}};
  return draws_of(std::move(parts), anchor.theta);
}

using Sampler = std::function<std::vector<double>(Ranks&)>;

void expect_same_everywhere(const Sampler& sampler) {
  const std::vector<double> expected = sampler(single_process());
  ASSERT_GT(expected.size(), kSchedule.draws);
  for (const int size : {1, 2, 3, 4, 8}) {  // eight: some hold nothing
    std::vector<std::vector<double>> draws(static_cast<std::size_t>(size));
    on_ranks(size,
             [&](Ranks& ranks) { draws[static_cast<std::size_t>(ranks.rank())] = sampler(ranks); });
    for (int rank = 0; rank < size; ++rank) {
      EXPECT_EQ(draws[static_cast<std::size_t>(rank)], expected)
          << "rank " << rank << " of " << size;
    }
  }
}

// Sum of rates below 0.5: fewer than one collective an iteration, and bytes that do not depend on
// the number of rows.
TEST(Ranks, TalkLittleOnceFirefliesAreFew) {
  std::vector<double> bytes;
  for (const std::size_t copies : {1, 4}) {
    on_ranks(2, [&](Ranks& ranks) {
      const Logistic model;
      Sections sections;
      for (std::size_t& size : sections.sizes) {
        size *= copies * 4;
      }
      const Dataset data = make_data(model, ranks, sections);
      const Prior prior = make_prior(data.columns());
      const auto land =
          set_up(model, prior, data,
                 {.anchor = {.threads = 1}, .local = {.threads = 1}, .engine = EngineKind::kFly});
      ASSERT_LT(land.bounds.coins.rates.total(), 0.5);
      auto target =
          std::make_unique<JointTarget<Logistic>>(model, prior, data, land.bounds, *land.frame);
      WarmupChain chain(firefly_parts(std::move(target), std::make_unique<SplitHmc>(data.columns()),
                                      std::make_unique<WeightedZ>(), Streams{1, 0}),
                        land.anchor.theta, {});
      const Ranks::Traffic before = ranks.traffic();
      constexpr int kIterations = 2000;
      for (int i = 0; i < kIterations; ++i) {
        std::ignore = chain.step();
      }
      const auto collectives = ranks.traffic().collectives - before.collectives;
      EXPECT_LT(collectives, 0.6 * kIterations);
      EXPECT_GT(collectives, 0U);  // else nothing was tested
      if (ranks.rank() == 0) {
        bytes.push_back(static_cast<double>(ranks.traffic().bytes - before.bytes) / kIterations);
      }
    });
  }
  ASSERT_EQ(bytes.size(), 2U);
  EXPECT_LE(bytes[1], 1.2 * bytes[0]);  // four times the rows: no more, rather less
}

TEST(Ranks, LogisticDrawsAreTheSame) {
  expect_same_everywhere([](Ranks& ranks) { return fly_draws(Logistic{}, ranks); });
}

TEST(Ranks, SoftmaxDrawsAreTheSame) {
  expect_same_everywhere([](Ranks& ranks) { return fly_draws(Softmax(3), ranks, true); });
}

TEST(Ranks, StudentTDrawsAreTheSame) {
  expect_same_everywhere([](Ranks& ranks) { return fly_draws(StudentT(4.0, 0.8), ranks); });
}

TEST(Ranks, PoissonDrawsAreTheSame) {
  expect_same_everywhere([](Ranks& ranks) { return fly_draws(Poisson{}, ranks, true); });
}

TEST(Ranks, DrawsOfPredictorsWithColumnsOfTheirOwnAreTheSame) {
  expect_same_everywhere(
      [](Ranks& ranks) { return fly_draws(Automatic<NormalScale<false>>(), ranks); });
  expect_same_everywhere(
      [](Ranks& ranks) { return fly_draws(Automatic<NormalScale<true>>(), ranks, true); });
}

TEST(Ranks, ImplicitDrawsAreTheSame) {
  expect_same_everywhere(
      [](Ranks& ranks) { return paper_draws<ImplicitZ>(BoundKind::kMapTuned, ranks); });
}

TEST(Ranks, ExplicitDrawsWithUntunedBoundsAreTheSame) {
  expect_same_everywhere(
      [](Ranks& ranks) { return paper_draws<ExplicitZ>(BoundKind::kUntuned, ranks); });
}

TEST(Ranks, RegularDrawsAreTheSame) { expect_same_everywhere(regular_draws); }

}  // namespace
}  // namespace flymc
