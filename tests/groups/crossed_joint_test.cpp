// The log density of a chain's points against the joint density written down from its definition,
// where rows have several levels: priors, L of every row, and its bound where the row is.
#include <gtest/gtest.h>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/family/poisson.hpp"
#include "flymc/family/student_t.hpp"
#include "groups/group_chain.hpp"
#include "groups/row_joint.hpp"
#include "groups/small_shared.hpp"

namespace flymc {
namespace {

struct JointCase {
  bool slope = false;  // of the second term
  bool nested = false;
  double radius = 1.0;
  std::size_t few_levels = 0;
  bool all_beacons = false;
};

// Two sets of levels: of the first each row has two, of opposite sign; or one, within one of the
// second.
Table crossed_table(const std::function<double(Stream&)>& respond, bool nested) {
  Stream stream(17, 0, Purpose::kTest, 0);
  Table table;
  table.rows = 80;
  table.columns = {"a", "b"};
  const std::vector<std::string> five = {"1", "2", "3", "4", "5"};
  table.factors = {{"g", five, {}}, {"g", five, {}}, {"h", {"x", "y", "z"}, {}}};
  for (std::size_t n = 0; n < table.rows; ++n) {
    table.x.push_back(stream.normal());
    table.x.push_back(stream.normal());
    table.response.values.push_back(respond(stream));
    table.offset.push_back(0.3 * stream.normal());
    table.weights.push_back(1.0 + static_cast<double>(stream.below(3)));
    for (Factor& factor : table.factors) {
      factor.codes.push_back(static_cast<std::uint32_t>(stream.below(factor.labels.size())));
    }
  }
  if (nested) {
    table.factors.erase(table.factors.begin() + 1);
    for (std::size_t n = 0; n < table.rows; ++n) {
      table.factors[1].codes[n] = table.factors[0].codes[n] / 2;
    }
  }
  return table;
}

void expect_crossed_joint(const RowModel& model, const std::function<double(Stream&)>& respond,
                          const JointCase& given, const std::vector<PriorTerm>& laws = {}) {
  const Dataset data(crossed_table(respond, given.nested), {});
  std::vector<GroupTerm> terms = {{.factor = "g", .members = {{{"p"}}, {{"q"}, -1.0}}},
                                  {.factor = "h"}};
  if (given.nested) {
    terms[0].members.clear();
  }
  if (given.slope) {
    terms[1].intercept = false;
    terms[1].slopes = {"b"};
  }
  const Memberships memberships(data, data.factors(), terms);
  const FixedPrior prior{Vector::Constant(3, 0.1), Vector::Constant(3, 0.4)};
  const GroupScales scales(std::vector<PriorTerm>(2, {.kind = PriorKind::kHalfT, .shape = 3.0}),
                           false, {.laws = laws});
  const CrossedProblem problem{data, memberships, model, prior, scales};
  const CrossedBounds bounds = make_crossed_bounds(problem, Vector::Zero(3),
                                                   {.rows = {.level_radius = given.radius,
                                                             .fixed_radius = given.radius,
                                                             .all_beacons = given.all_beacons,
                                                             .beacons = false},
                                                    .few_levels = given.few_levels});
  EXPECT_EQ(bounds.nests.size(), given.nested ? 3U : 0U);
  const CrossedSetting setting{problem, bounds};
  std::uint64_t queries = 0;
  const GroupTuning tuning = tune_groups(setting, 1, queries);
  const Streams streams{5, 0};
  ChainParts parts = make_group_parts(setting, tuning, streams);
  const auto& target = static_cast<const CrossedTarget&>(*parts.density);
  ChainCore chain(std::move(parts), group_start(setting, tuning, streams.at(1, Purpose::kInit)));

  std::optional<double> constant;
  std::size_t twice = 0;  // rows with two levels outside
  Vector theta;
  for (int i = 0; i < 200; ++i) {
    std::ignore = chain.iterate({});
    target.to_theta(chain.current(), theta);
    const Vector beta = theta.head(3), u = theta.segment(3, 8), psi = theta.tail(scales.size()),
                 shared = psi.tail(scales.shared());
    double joint =
        scales.log_prior(psi) - 0.5 * prior.precision.dot((beta - prior.mean).cwiseAbs2().eval());
    const Vector d = theta.head(11) - bounds.anchor;
    const bool common_out =
        bounds.region.common_norm(d) > bounds.fixed_radius ||
        (shared.size() > 0 &&
         (bounds.shared_region.inverse() * (shared - bounds.shared)).cwiseAbs().maxCoeff() > 1.0);
    std::vector<char> out(8, 0);
    for (std::size_t level = 0; level < 8; ++level) {
      const double l = psi[level < 5 ? 0 : 1];
      joint -= 0.5 * std::pow(u[static_cast<Index>(level)] * std::exp(-l), 2.0) + l;
      out[level] = static_cast<char>(bounds.region.is_common[3 + level] == 0 &&
                                     bounds.region.level_norm(level, d) > bounds.level_radius);
    }
    for (std::size_t n = 0; n < data.rows(); ++n) {
      Vector scratch(3), x(3);
      const double* const raw = data.row(n, scratch.data()).raw;
      data.standardise(raw, x.data());
      const std::size_t p = data.factors().front().codes[n];
      const std::size_t h = 5 + data.factors().back().codes[n];
      const std::size_t q = given.nested ? p : data.factors()[1].codes[n];
      const double against = given.nested ? 0.0 : u[static_cast<Index>(q)];
      const double eta = data.offset(n) + x.dot(beta) + u[static_cast<Index>(p)] - against +
                         (given.slope ? raw[1] : 1.0) * u[static_cast<Index>(h)];
      const double y = data.response(n), weight = data.weight(n);
      const double log_l =
          weight * test::log_row(model, bounds, bounds.shared, n, y, eta, shared, false);
      if (bounds.kind[n] == RowBound::kBeacon) {
        joint += log_l;
        continue;
      }
      const int of_first = given.nested ? out[p] : p != q ? out[p] + out[q] : 0;
      const int levels_out = of_first + out[h];
      const bool outside = bounds.kind[n] == RowBound::kLocal && (common_out || levels_out > 0);
      twice += outside && levels_out > 1 ? 1 : 0;
      const double tangent =
          weight * test::log_row(model, bounds, bounds.shared, n, y, eta, shared, true);
      const double log_b = (outside ? log_l : tangent) - bounds.slack(n);
      EXPECT_LE(log_b, log_l + 1e-12);
      const bool bright = chain.coins() != nullptr && chain.coins()->is_bright(n);
      joint += bright ? log_b + log_expm1(log_l - log_b).value : log_b;
    }
    constant = constant.value_or(joint - chain.current().log_density);
    ASSERT_NEAR(joint - chain.current().log_density, *constant, 1e-8 + 1e-13 * std::abs(joint))
        << i;
  }
  if (given.few_levels == 0 && given.radius == 1.0 && !given.all_beacons &&
      std::ranges::find(bounds.kind, RowBound::kLocal) != bounds.kind.end()) {
    EXPECT_GT(twice, 0U);
  }
}

const JointCase kJointCases[] = {{},
                                 {.slope = true},
                                 {.nested = true},
                                 {.nested = true, .radius = 2.0},
                                 {.radius = 4.0},
                                 {.few_levels = 4},
                                 {.few_levels = 50},
                                 {.all_beacons = true}};

TEST(CrossedJoint, LogisticIsAsDefined) {
  for (const JointCase& given : kJointCases) {
    expect_crossed_joint(
        RowModelOf(Logistic{}), [](Stream& s) { return s.uniform() < 0.4 ? 1.0 : -1.0; }, given);
  }
}
TEST(CrossedJoint, PoissonIsAsDefined) {
  for (const JointCase& given : kJointCases) {
    expect_crossed_joint(
        RowModelOf(Poisson{}), [](Stream& s) { return static_cast<double>(s.below(4)); }, given);
  }
}
TEST(CrossedJoint, StudentTIsAsDefined) {
  for (const JointCase& given : kJointCases) {
    expect_crossed_joint(
        RowModelOf(StudentT{4.0, 0.7}), [](Stream& s) { return 3.0 * s.normal(); }, given);
  }
}
TEST(CrossedJoint, CountsOfUnknownSizeAreAsDefined) {
  for (const JointCase& given : kJointCases) {
    expect_crossed_joint(*test::shared_model(test::Kind::kSize),
                         [](Stream& s) { return static_cast<double>(s.below(6) * s.below(3)); },
                         given, {test::law_of(test::Kind::kSize)});
  }
}
TEST(CrossedJoint, StudentTOfUnknownScaleAndNuIsAsDefined) {
  const MatrixRowModel model(std::make_shared<MatrixModelOf<StudentTNu>>(StudentTNu{}));
  for (const JointCase& given : {kJointCases[0], kJointCases[5]}) {
    expect_crossed_joint(model, [](Stream& s) { return 3.0 * s.normal(); }, given,
                         {test::law_of(test::Kind::kScale),
                          {.kind = PriorKind::kGamma, .scale = 10.0, .shape = 2.0}});
  }
}

}  // namespace
}  // namespace flymc
