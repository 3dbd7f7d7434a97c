// The log density of a chain's points against the joint density written down from its definition:
// priors, L of every row, and its bound where the row is; weights, offsets and slopes included.
#include <gtest/gtest.h>

#include "flymc/detail/core/numeric.hpp"
#include "flymc/family/logistic.hpp"
#include "flymc/family/negative_binomial.hpp"
#include "flymc/family/poisson.hpp"
#include "flymc/family/student_t.hpp"
#include "groups/group_chain.hpp"
#include "groups/row_joint.hpp"

namespace flymc {
namespace {

struct Case {
  std::size_t varying = 1;
  double radius = 1.0;
  bool all_beacons = false;
  bool slope_alone = false;  // of one that varies
};

Table random_table(const std::function<double(Stream&)>& respond) {
  Stream stream(17, 0, Purpose::kTest, 0);
  Table table;
  table.rows = 60;
  table.columns = {"a", "b"};
  table.factors = {{"g", {"1", "2", "3", "4", "5"}, {}}};
  for (std::size_t n = 0; n < table.rows; ++n) {
    table.x.push_back(stream.normal());
    table.x.push_back(stream.normal());
    table.response.values.push_back(respond(stream));
    table.offset.push_back(0.3 * stream.normal());
    table.weights.push_back(1.0 + static_cast<double>(stream.below(3)));
    table.factors[0].codes.push_back(static_cast<std::uint32_t>(stream.below(5)));
  }
  return table;
}

using Laws = std::vector<PriorTerm>;

void expect_joint(const RowModel& model, const std::function<double(Stream&)>& respond,
                  const Case& given, const Laws& laws = {}) {
  const Dataset data(random_table(respond), {});
  GroupTerm term{.factor = "g", .intercept = !given.slope_alone};
  while (term.size() < given.varying) {
    term.slopes.push_back(data.names()[term.slopes.size()]);
  }
  const Grouping grouping(data, data.factors()[0], term);
  const FixedPrior prior{Vector::Constant(3, 0.1), Vector::Constant(3, 0.4)};
  const GroupScales scales(Laws(given.varying, {.kind = PriorKind::kHalfT, .shape = 3.0}), true,
                           {.laws = laws});
  const GroupProblem problem{data, grouping, model, prior, scales};
  const GroupBounds bounds = make_group_bounds(problem, Vector::Zero(3),
                                               {.level_radius = given.radius,
                                                .fixed_radius = given.radius,
                                                .all_beacons = given.all_beacons,
                                                .beacons = false});
  const GroupSetting setting{problem, bounds};
  std::uint64_t queries = 0;
  const GroupTuning tuning = tune_groups(setting, 1, queries);
  const Streams streams{5, 0};
  ChainParts parts = make_group_parts(setting, tuning, streams);
  const auto& target = static_cast<const GroupTarget&>(*parts.density);
  ChainCore chain(std::move(parts), group_start(setting, tuning, streams.at(1, Purpose::kInit)));

  const auto q = static_cast<Index>(given.varying);
  std::optional<double> constant;
  Vector theta;
  for (int i = 0; i < 100; ++i) {
    std::ignore = chain.iterate({});
    target.to_theta(chain.current(), theta);
    const Vector beta = theta.head(3), psi = theta.tail(scales.size());
    const Matrix sigma = scales.factor(psi) * scales.factor(psi).transpose();
    double joint =
        scales.log_prior(psi) - 0.5 * prior.precision.dot((beta - prior.mean).cwiseAbs2().eval());
    const Vector dbeta = beta - bounds.anchor.beta;
    const Vector shared = psi.tail(scales.shared());
    const bool all_out =
        bounds.region.fixed_norm2(dbeta.data()) > bounds.fixed_radius * bounds.fixed_radius ||
        (shared.size() > 0 &&
         (bounds.shared_region.inverse() * (shared - bounds.anchor.shared)).cwiseAbs().maxCoeff() >
             1.0);
    for (std::size_t g = 0; g < grouping.levels(); ++g) {
      const Vector u = theta.segment(3 + static_cast<Index>(g) * q, q);
      joint -= 0.5 * (u.dot(sigma.ldlt().solve(u)) + std::log(sigma.determinant()));
      const Vector du = u - ConstVectorView(bounds.anchor.u.data() + g * given.varying, q);
      const bool outside = all_out || bounds.region.level_norm2(g, du.data(), dbeta.data()) >
                                          bounds.level_radius[g] * bounds.level_radius[g];
      for (const std::size_t n : grouping.rows(g)) {
        Vector scratch(3), x(3), w(q);
        const double* const raw = data.row(n, scratch.data()).raw;
        data.standardise(raw, x.data());
        grouping.copy(raw, w.data());
        const double eta = data.offset(n) + x.dot(beta) + w.dot(u);
        const double y = data.response(n), weight = data.weight(n);
        const double log_l =
            weight * test::log_row(model, bounds, bounds.anchor.shared, n, y, eta, shared, false);
        if (bounds.kind[n] == RowBound::kBeacon) {
          joint += log_l;
          continue;
        }
        const double tangent =
            weight * test::log_row(model, bounds, bounds.anchor.shared, n, y, eta, shared, true);
        const bool is_exact = outside && bounds.kind[n] == RowBound::kLocal;
        const double log_b = (is_exact ? log_l : tangent) - bounds.slack(n);
        EXPECT_LE(log_b, log_l + 1e-12);
        const bool bright = chain.coins() != nullptr && chain.coins()->is_bright(n);
        joint += bright ? log_b + log_expm1(log_l - log_b).value : log_b;
      }
    }
    constant = constant.value_or(joint - chain.current().log_density);
    ASSERT_NEAR(joint - chain.current().log_density, *constant, 1e-8 + 1e-13 * std::abs(joint))
        << i;
  }
}

const Case kCases[] = {
    {1, 1.0, false}, {2, 1.0, false}, {3, 4.0, false}, {2, 1.0, true}, {1, 4.0, false, true}};

TEST(GroupJoint, LogisticIsAsDefined) {
  for (const Case& given : kCases) {
    expect_joint(
        RowModelOf(Logistic{}), [](Stream& s) { return s.uniform() < 0.4 ? 1.0 : -1.0; }, given);
  }
}
TEST(GroupJoint, PoissonIsAsDefined) {
  for (const Case& given : kCases) {
    expect_joint(
        RowModelOf(Poisson{}), [](Stream& s) { return static_cast<double>(s.below(4)); }, given);
  }
}
TEST(GroupJoint, StudentTIsAsDefined) {
  for (const Case& given : kCases) {
    expect_joint(
        RowModelOf(StudentT{4.0, 0.7}), [](Stream& s) { return 3.0 * s.normal(); }, given);
  }
}

template <class M>
MatrixRowModel shared_model(const M& model) {
  return MatrixRowModel(std::make_shared<MatrixModelOf<M>>(model));
}
TEST(GroupJoint, NegativeBinomialOfUnknownSizeIsAsDefined) {
  for (const Case& given : kCases) {
    expect_joint(shared_model(NegativeBinomialSize{}),
                 [](Stream& s) { return static_cast<double>(s.below(7) * s.below(2)); }, given,
                 {{.kind = PriorKind::kGamma, .scale = 2.0, .shape = 2.0}});
  }
}
TEST(GroupJoint, StudentTOfUnknownScaleAndDegreesIsAsDefined) {
  for (const Case& given : {kCases[0], kCases[1], kCases[3]}) {
    expect_joint(shared_model(StudentTNu{}),
                 [](Stream& s) { return 3.0 * s.normal() / (0.5 + s.uniform()); }, given,
                 {{.kind = PriorKind::kExponential, .scale = 2.0},
                  {.kind = PriorKind::kGamma, .scale = 10.0, .shape = 2.0}});
  }
}

// Beyond its inflection a likelihood bends upward. A level of such a row alone has a frame at every
// scale nevertheless: where there were none, chains could not go.
TEST(GroupJoint, ALevelOfAnOutlierHasAFrameAtEveryScale) {
  Stream stream(19, 0, Purpose::kTest, 0);
  Table table;
  table.factors = {{"g", {"1", "2", "3", "4", "5"}, {}}};
  for (std::uint32_t level = 0; level < 4; ++level) {
    for (int i = 0; i < 400; ++i) {
      table.response.values.push_back(stream.normal());
      table.factors[0].codes.push_back(level);
    }
  }
  table.response.values.push_back(40.0);
  table.factors[0].codes.push_back(4);
  table.rows = table.response.values.size();
  const Dataset data(std::move(table), {});
  const Grouping grouping(data, data.factors()[0], {.factor = "g"});
  const FixedPrior prior{Vector::Zero(1), Vector::Constant(1, 1.0 / 9.0)};
  const GroupScales scales({{.kind = PriorKind::kHalfT, .scale = 5.0, .shape = 1.0}}, true,
                           {.laws = {{.kind = PriorKind::kExponential, .scale = 1.0}}});
  const MatrixRowModel model = shared_model(StudentTScale(4.0));
  const GroupProblem problem{data, grouping, model, prior, scales};
  const GroupBounds bounds = make_group_bounds(problem, Vector::Zero(1), {});
  ArrowFrame frame(problem.shape());
  for (Vector psi = bounds.psi; psi[0] < 12.0; psi[0] += 0.5) {
    EXPECT_TRUE(frame.factor(bounds.sums, prior, bounds.anchor, scales.factor(psi))) << psi[0];
  }
}

// A level at which every row is far from where the others are, and counts beyond e^16.
TEST(GroupJoint, SetUpFindsModesThatAreFarAway) {
  expect_joint(RowModelOf(StudentT{4.0, 0.1}), [](Stream& s) { return 100.0 + 10.0 * s.normal(); },
               {1, 4.0, true});
  expect_joint(RowModelOf(Poisson{}),
               [](Stream& s) { return std::floor(std::exp(18.0 + s.normal())); }, {1, 4.0, true});
}

}  // namespace
}  // namespace flymc
