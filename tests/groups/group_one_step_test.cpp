// Every move of the theta-updates with groups by itself, and all of them, leaves the posterior as
// it is: with regions so small that all is outside much of the time, and the default.
#include "flymc/family/logistic.hpp"
#include "flymc/family/poisson.hpp"
#include "groups/one_step.hpp"
#include "groups/small_crossed.hpp"
#include "groups/small_shared.hpp"

namespace flymc {
namespace {

using test::Design;
using test::expect_stationary;
using test::SmallCrossed;
using test::SmallGroups;

constexpr double kRadii[] = {0.7, 2.0, 0.0};  // 0: the default

constexpr std::size_t kDraws = 10'000;

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
    for (const GroupMoveSet& moves : {levels, fixed, scales, centred, held, GroupMoveSet{}}) {
      SCOPED_TRACE(testing::Message()
                   << moves.levels << moves.fixed << moves.scales << moves.centred << moves.held);
      expect_stationary<GroupTarget, GroupMoves>(GroupSetting{small.problem, bounds}, draws, moves);
    }
    if (small.model->log_concave() && small.model->shared() == 0) {
      SCOPED_TRACE("coins summed out");
      expect_stationary<GroupTarget, GroupMoves>(GroupSetting{small.problem, bounds}, draws, held,
                                                 test::summed_out);
    }
  }
}

template <class M>
SmallGroups small_problem(const M& model) {
  return {std::make_unique<RowModelOf<M>>(model),
          [=](Stream& stream, double eta) {
            const double drawn = model.sample(stream, eta, Sampling{});
            return std::same_as<M, Logistic> ? (drawn > 0.0 ? 1.0 : -1.0) : drawn;
          },
          5};
}

TEST(GroupOneStep, Logistic) { expect_stationary_groups(small_problem(Logistic{})); }
TEST(GroupOneStep, Poisson) { expect_stationary_groups(small_problem(Poisson{})); }
TEST(GroupOneStep, NegativeBinomial) {
  expect_stationary_groups(small_problem(NegativeBinomial{2.0}));
}
TEST(GroupOneStep, StudentT) { expect_stationary_groups(small_problem(StudentT(4.0, 0.6))); }
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
    std::vector<CrossedMoveSet> all_moves = {levels,    nests,        block,           centred,
                                             collapsed, proportional, CrossedMoveSet{}};
    if (small.problem.shared() > 0) {
      all_moves.insert(all_moves.end(), {shared, shared_along});
    }
    for (const CrossedMoveSet& moves : all_moves) {
      SCOPED_TRACE(testing::Message()
                   << moves.levels << moves.nests << moves.block << moves.centred << moves.collapsed
                   << moves.proportional << moves.shared << moves.shared_along);
      expect_stationary<CrossedTarget, CrossedMoves>(CrossedSetting{small.problem, bounds}, draws,
                                                     moves);
    }
  }
}

SmallCrossed crossed_counts(Design design) {
  return {design, std::make_unique<RowModelOf<Poisson>>(Poisson{}),
          [](Stream& stream, double eta) { return Poisson{}.sample(stream, eta, Sampling{}); },
          [](double eta, double y) { return y * eta - std::exp(eta); }};
}

TEST(GroupOneStep, PoissonCrossed) { expect_stationary_crossed(crossed_counts(Design::kCrossed)); }
TEST(GroupOneStep, PoissonNested) { expect_stationary_crossed(crossed_counts(Design::kNested)); }
TEST(GroupOneStep, PoissonSigned) { expect_stationary_crossed(crossed_counts(Design::kSigned)); }
TEST(GroupOneStep, CrossedCountsOfUnknownSize) {
  expect_stationary_crossed(test::make_small_shared(test::Kind::kSize, Design::kCrossed));
}
TEST(GroupOneStep, SignedStudentTOfUnknownScale) {
  expect_stationary_crossed(test::make_small_shared(test::Kind::kScale, Design::kSigned));
}

}  // namespace
}  // namespace flymc
