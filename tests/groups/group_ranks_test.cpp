// Draws of a model with levels do not depend on how many ranks hold the rows, nor on which rows
// they read: the same bits for one, two, three, four and eight, of which some hold none, and for a
// process alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "flymc/chain/run_chain.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/family/poisson.hpp"
#include "groups/group_engine.hpp"
#include "groups/small_shared.hpp"
#include "support/thread_ranks.hpp"

namespace flymc {
namespace {

using testing::on_ranks;

constexpr std::size_t kRankedRows = 5000;
constexpr std::size_t kRankedLevels = 60;
constexpr std::size_t kIterations = 100;

// A table with levels of many rows and of few, of responses that `respond` draws.
using RespondBy = double (*)(Stream&, double eta);

struct RankedTable {
  RespondBy respond;
  bool weighted = true;
  double unequal = 2.0;  // the larger, the fewer rows have the last levels

  // Sections of unequal length, dealt out in order.
  [[nodiscard]] Dataset at(Ranks& ranks) const {
    const std::vector<std::size_t> sizes{700, 513, 2000, 64, 999, 724};
    Table table;
    table.columns = {"a", "b"};
    table.shard = Shard(ranks, testing::dealt(ranks, sizes));
    Factor factor{"g", {}, {}};
    std::vector<double> effects;
    Stream stream(7, 0, Purpose::kTest, 0);
    for (std::size_t level = 0; level < kRankedLevels; ++level) {
      factor.labels.push_back(std::to_string(level));
      effects.push_back(0.7 * stream.normal());
    }
    for (std::size_t n = 0; n < kRankedRows; ++n) {
      const double x[2] = {stream.normal(), 10.0 + stream.normal()};
      const auto level = static_cast<std::uint32_t>(std::pow(stream.uniform(), unequal) *
                                                    static_cast<double>(kRankedLevels));
      const double offset = 0.2 * stream.normal();
      const double y = respond(stream, 0.3 * x[0] + effects[level] + offset);
      if (table.shard.holds(n)) {
        table.x.insert(table.x.end(), x, x + 2);
        table.response.values.push_back(y);
        table.offset.push_back(offset);
        if (weighted) {
          table.weights.push_back(1.0 + 0.1 * static_cast<double>(n % 3));
        }
        factor.codes.push_back(level);
        ++table.rows;
      }
    }
    table.factors.push_back(std::move(factor));
    return {std::move(table), {.center = Eigen::Vector2d(0.0, 10.0), .scale = {}}};
  }
};

double class_of(Stream& stream, double eta) {
  return stream.uniform() < 1.0 / (1.0 + std::exp(-eta)) ? 1.0 : -1.0;
}
double count_of(Stream& stream, double eta) {
  return static_cast<double>(stream.poisson(std::exp(eta)));
}
double noisy(Stream& stream, double eta) { return eta + stream.normal(); }

class DrawRecorder final : public Sink {
 public:
  explicit DrawRecorder(std::vector<double>& out) : out_(out) {}
  void accept(const Draw& draw) override {
    out_.insert(out_.end(), draw.theta.begin(), draw.theta.end());
    for (const double fact :
         {draw.log_density, static_cast<double>(draw.bright), static_cast<double>(draw.queries)}) {
      out_.push_back(fact);
    }
  }

 private:
  std::vector<double>& out_;
};

struct RankedLevels {
  RankedTable table;
  const RowModel& model;
  GroupTerm term{.factor = "g"};
  SharedLaws shared{};
  GroupOptions options{.threads = 1};
};

struct SeenByRank {
  std::vector<double> draws;
  std::size_t beacons = 0;
  Ranks::Traffic said{};  // of the chain
};

SeenByRank sample(const RankedLevels& of, Ranks& ranks) {
  const Dataset data = of.table.at(ranks);
  const FixedPrior prior{Vector::Zero(3), Vector::Constant(3, 0.04)};
  const GroupScales scales(
      std::vector<PriorTerm>(of.term.size(), {.kind = PriorKind::kHalfNormal, .scale = 1.0}), true,
      of.shared);
  const std::vector<GroupTerm> terms{of.term};
  const auto engine = make_group_engine({data, terms, of.model, prior, scales, Vector::Zero(3)},
                                        of.options, false, 1);
  SeenByRank seen;
  seen.beacons = engine->bounds().beacons;
  const Ranks::Traffic before = ranks.traffic();
  const Streams streams{3, 0};
  DrawRecorder sink(seen.draws);
  WarmupChain chain(engine->make_parts(streams), engine->start(streams.at(1, Purpose::kInit)), {});
  std::ignore = run_chain(std::move(chain), {.warmup = 40, .draws = kIterations - 40}, sink);
  seen.said = {ranks.traffic().collectives - before.collectives,
               ranks.traffic().bytes - before.bytes};
  return seen;
}

// Returns what a process alone has seen, and the most that ranks said.
SeenByRank expect_same_everywhere(const RankedLevels& of,
                                  const std::vector<int>& sizes = {1, 2, 3, 4, 8}) {
  SeenByRank expected = sample(of, single_process());
  const std::set<double> distinct(expected.draws.begin(), expected.draws.end());
  EXPECT_GT(distinct.size(), 1000U);  // else nothing has moved
  for (const int size : sizes) {
    std::vector<SeenByRank> seen(static_cast<std::size_t>(size));
    on_ranks(size, [&](Ranks& ranks) {
      seen[static_cast<std::size_t>(ranks.rank())] = sample(of, ranks);
    });
    for (int rank = 0; rank < size; ++rank) {
      const SeenByRank& here = seen[static_cast<std::size_t>(rank)];
      EXPECT_EQ(here.draws, expected.draws) << "rank " << rank << " of " << size;
      EXPECT_EQ(here.beacons, expected.beacons);
      expected.said.collectives = std::max(expected.said.collectives, here.said.collectives);
    }
  }
  return expected;
}

const RowModelOf<Logistic> kLogistic{Logistic{}};
const RowModelOf<Poisson> kPoisson{Poisson{}};

// Two calls for each of three sweeps; a level seldom leaves its region.
TEST(GroupRanks, LogisticDrawsAreTheSame) {
  const SeenByRank seen = expect_same_everywhere({{class_of}, kLogistic});
  EXPECT_LE(seen.said.collectives, kIterations * (2 * 3 + 1));
}

TEST(GroupRanks, CorrelatedSlopesHaveTheSameDraws) {
  std::ignore =
      expect_same_everywhere({{class_of, false}, kLogistic, {.factor = "g", .slopes = {"a"}}});
}

// Levels leave their regions all the time: they come to every rank with all of their rows.
TEST(GroupRanks, LevelsOutsideHaveTheSameDraws) {
  std::ignore = expect_same_everywhere(
      {{count_of},
       kPoisson,
       {.factor = "g"},
       {},
       {.level_radius = 1.5, .fixed_radius = 2.0, .beacons = false, .threads = 1}});
}

TEST(GroupRanks, BeaconsHaveTheSameDraws) {
  const SeenByRank some = expect_same_everywhere({{count_of, true, 15.0}, kPoisson});
  EXPECT_GT(some.beacons, 0U);
  EXPECT_LT(some.beacons, kRankedRows);
  const SeenByRank all = expect_same_everywhere(
      {{class_of}, kLogistic, {.factor = "g"}, {}, {.all_beacons = true, .threads = 1}}, {2});
  EXPECT_EQ(all.beacons, kRankedRows);
}

TEST(GroupRanks, DrawsWithSharedParametersAreTheSame) {
  const auto counts = test::shared_model(test::Kind::kSize);
  const RespondBy respond = [](Stream& stream, double eta) {
    return test::shared_response(test::Kind::kSize, stream, eta);
  };
  std::ignore = expect_same_everywhere(
      {{respond}, *counts, {.factor = "g"}, {.laws = {test::law_of(test::Kind::kSize)}}});
}

TEST(GroupRanks, NormalDrawsAreTheSame) {
  const GaussianModel model([](double response) { return response; });
  std::ignore = expect_same_everywhere(
      {{noisy},
       model,
       {.factor = "g", .slopes = {"b"}},
       {.laws = {{.kind = PriorKind::kNormal, .location = 0.0, .scale = 1.0}}}});
}

}  // namespace
}  // namespace flymc
