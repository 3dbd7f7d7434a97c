// Every move of the theta-updates with groups by itself, all of them, the sweeps over coins, and
// whole iterations leave the posterior as it is: with regions so small that all is outside much of
// the time, and the default.
#include "groups/one_step.hpp"
#include "groups/small_crossed.hpp"
#include "groups/small_shared.hpp"

namespace flymc {
namespace {

using test::Design;
using test::expect_stationary;
using test::expect_stationary_iteration;
using test::SmallCrossed;
using test::SmallGroups;

constexpr double kRadii[] = {0.7, 2.0, 0.0};  // 0: the default

constexpr std::size_t kDraws = 5'000;

void expect_stationary_groups(const SmallGroups& small) {
  constexpr GroupMoveSet kNone{false, false, false, false, false};
  GroupMoveSet levels = kNone, fixed = kNone, scales = kNone, centred = kNone, held = kNone;
  levels.levels = fixed.fixed = scales.scales = centred.centred = held.held = true;
  const Vector start = Vector::Zero(1);
  const GroupBounds all = make_group_bounds(small.problem, start, {.all_beacons = true});
  const auto draws = test::posterior_draws(GroupSetting{small.problem, all}, test::wanted(kDraws));
  for (const double radius : kRadii) {
    SCOPED_TRACE(radius);
    const GroupBounds bounds = make_group_bounds(
        small.problem, start,
        {.level_radius = radius, .fixed_radius = radius, .beacons = radius == 0.0});
    const GroupSetting setting{small.problem, bounds};
    for (const GroupMoveSet& moves : {levels, fixed, scales, centred, held, GroupMoveSet{}}) {
      SCOPED_TRACE(testing::Message()
                   << moves.levels << moves.fixed << moves.scales << moves.centred << moves.held);
      expect_stationary<GroupTarget, GroupMoves>(setting, draws, moves);
    }
    for (const GroupMoveSet& moves : {kNone, GroupMoveSet{}}) {
      SCOPED_TRACE(moves.levels ? "an iteration" : "sweeps over coins");
      expect_stationary_iteration<GroupTarget>(setting, draws, moves);
    }
    if (small.model->log_concave() && small.model->shared() == 0) {
      SCOPED_TRACE("coins summed out");
      expect_stationary<GroupTarget, GroupMoves>(setting, draws, held, test::summed_out);
      expect_stationary_iteration<GroupTarget>(setting, draws, GroupMoveSet{}, test::summed_out);
    }
  }
}

TEST(GroupOneStep, Logistic) { expect_stationary_groups(test::make_small_groups("logistic")); }
TEST(GroupOneStep, Poisson) { expect_stationary_groups(test::make_small_groups("poisson")); }
TEST(GroupOneStep, NegativeBinomial) {
  expect_stationary_groups(test::make_small_groups("negative-binomial"));
}
TEST(GroupOneStep, StudentT) { expect_stationary_groups(test::make_small_groups("student-t")); }
TEST(GroupOneStep, LogisticWithSlopes) {
  expect_stationary_groups(test::make_small_groups("logistic", true));
}
TEST(GroupOneStep, PoissonWithSlopes) {
  expect_stationary_groups(test::make_small_groups("poisson", true));
}
TEST(GroupOneStep, CountsOfUnknownSize) {
  expect_stationary_groups(test::make_small_shared(test::Kind::kSize));
}
TEST(GroupOneStep, StudentTOfUnknownScale) {
  expect_stationary_groups(test::make_small_shared(test::Kind::kScale));
}

void expect_stationary_crossed(const SmallCrossed& small) {
  const Vector start = Vector::Zero(1);
  constexpr CrossedMoveSet kNone{false, false, false, false, false, false, false, false, false};
  CrossedMoveSet levels = kNone, nests = kNone, block = kNone, centred = kNone, collapsed = kNone,
                 proportional = kNone, shared = kNone, shared_along = kNone;
  levels.levels = nests.nests = block.block = centred.centred = collapsed.collapsed =
      proportional.proportional = shared.shared = shared_along.shared_along = true;
  const CrossedBounds all =
      make_crossed_bounds(small.problem, start, {.rows = {.all_beacons = true}, .few_levels = 0});
  const auto draws =
      test::posterior_draws(CrossedSetting{small.problem, all}, test::wanted(kDraws));
  for (const double radius : kRadii) {
    SCOPED_TRACE(radius);
    const CrossedBounds bounds = make_crossed_bounds(
        small.problem, start,
        {.rows = {.level_radius = radius, .fixed_radius = radius, .beacons = radius == 0.0},
         .few_levels = 0});
    const CrossedSetting setting{small.problem, bounds};
    std::vector<CrossedMoveSet> all_moves = {levels,    nests,        block,           centred,
                                             collapsed, proportional, CrossedMoveSet{}};
    if (small.problem.shared() > 0) {
      all_moves.insert(all_moves.end(), {shared, shared_along});
    }
    for (const CrossedMoveSet& moves : all_moves) {
      SCOPED_TRACE(testing::Message()
                   << moves.levels << moves.nests << moves.block << moves.centred << moves.collapsed
                   << moves.proportional << moves.shared << moves.shared_along);
      expect_stationary<CrossedTarget, CrossedMoves>(setting, draws, moves);
    }
    for (const CrossedMoveSet& moves : {kNone, CrossedMoveSet{}}) {
      SCOPED_TRACE(moves.levels ? "an iteration" : "sweeps over coins");
      expect_stationary_iteration<CrossedTarget>(setting, draws, moves);
    }
  }
}

TEST(GroupOneStep, PoissonCrossed) {
  expect_stationary_crossed(test::make_small_crossed("poisson", Design::kCrossed));
}
TEST(GroupOneStep, PoissonNested) {
  expect_stationary_crossed(test::make_small_crossed("poisson", Design::kNested));
}
TEST(GroupOneStep, PoissonSigned) {
  expect_stationary_crossed(test::make_small_crossed("poisson", Design::kSigned));
}
TEST(GroupOneStep, CrossedCountsOfUnknownSize) {
  expect_stationary_crossed(test::make_small_shared(test::Kind::kSize, Design::kCrossed));
}
TEST(GroupOneStep, SignedStudentTOfUnknownScale) {
  expect_stationary_crossed(test::make_small_shared(test::Kind::kScale, Design::kSigned));
}

}  // namespace
}  // namespace flymc
