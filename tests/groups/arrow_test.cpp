// The arrow frame against dense linear algebra, and the scales' prior against what it says.
#include "groups/arrow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "flymc/random.hpp"

namespace flymc {
namespace {

// 3 levels of 2 coefficients, 2 fixed effects, rows at random.
class Arrow : public testing::Test {
 protected:
  static constexpr Index kQ = 2, kP = 2, kLevels = 3, kSize = kP + kLevels * kQ;

  Arrow()
      : shape_{kLevels, kQ, kP},
        sums_(shape_),
        scales_({{.kind = PriorKind::kHalfNormal, .scale = 1.0},
                 {.kind = PriorKind::kHalfT, .scale = 2.0, .shape = 3.0}},
                true) {
    Stream stream(3, 0, Purpose::kTest, 0);
    const auto normal = [&] { return stream.normal(); };
    precision_ = Matrix::Zero(kSize, kSize);
    linear_ = Vector::Zero(kSize);
    for (int row = 0; row < 20; ++row) {
      const Index g = row % kLevels;
      const Vector x = Vector::NullaryExpr(kP, normal), w = Vector::NullaryExpr(kQ, normal);
      const double k = std::exp(normal()), slope = normal();
      Vector v = Vector::Zero(kSize);
      v.head(kP) = x;
      v.segment(kP + g * kQ, kQ) = w;
      precision_ += k * v * v.transpose();
      linear_ += slope * v;
    }
    for (Index g = 0; g < kLevels; ++g) {
      const Index at = kP + g * kQ;
      RowMatrixView(sums_.d.data() + g * kQ * kQ, kQ, kQ) = precision_.block(at, at, kQ, kQ);
      RowMatrixView(sums_.c.data() + g * kQ * kP, kQ, kP) = precision_.block(at, 0, kQ, kP);
      VectorView(sums_.b.data() + g * kQ, kQ) = linear_.segment(at, kQ);
    }
    sums_.s = precision_.topLeftCorner(kP, kP);
    sums_.r = linear_.head(kP);
    prior_ = {Vector::NullaryExpr(kP, normal), Vector::Constant(kP, 0.3)};
    anchor_.beta = Vector::NullaryExpr(kP, normal);
    anchor_.u.resize(kLevels * kQ);
    std::ranges::generate(anchor_.u, normal);
    sums_.centre(anchor_);
  }

  // The exponent at theta - anchor = delta: tangents and priors, without the determinants of these.
  [[nodiscard]] double exponent(const Vector& delta, const Matrix& lambda) const {
    const Vector off = anchor_.beta + delta.head(kP) - prior_.mean;
    double sum = linear_.dot(delta) - 0.5 * delta.dot(precision_ * delta) -
                 0.5 * prior_.precision.dot(off.cwiseAbs2());
    for (Index g = 0; g < kLevels; ++g) {
      const Vector u =
          ConstVectorView(anchor_.u.data() + g * kQ, kQ) + delta.segment(kP + g * kQ, kQ);
      sum -= 0.5 * u.dot(lambda * u);
    }
    return sum;
  }

  ArrowShape shape_;
  ArrowSums sums_;
  GroupScales scales_;
  FixedPrior prior_;
  GroupAnchor anchor_;
  Matrix precision_;
  Vector linear_;
};

TEST_F(Arrow, IsTheGaussianOfTangentsAndPriors) {
  Stream stream(4, 0, Purpose::kTest, 0);
  std::optional<double> constant;  // the same for all psi
  for (const double log_sd : {-1.0, 0.0, 0.7}) {
    Vector psi(3);
    psi << log_sd, 0.4 - log_sd, 0.3;
    GroupScales::Precision precision;
    scales_.precision(psi, precision);
    ArrowFrame frame(shape_);
    ASSERT_TRUE(frame.factor(sums_, prior_, anchor_, scales_.factor(psi)));
    for (int i = 0; i < 5; ++i) {
      const Vector zeta = Vector::NullaryExpr(kSize, [&] { return stream.normal(); });
      Vector delta(kSize), dbeta, back(kSize);
      frame.fixed_from(zeta.data(), dbeta);
      delta.head(kP) = dbeta;
      frame.to_fixed(dbeta, back.data());
      for (Index g = 0; g < kLevels; ++g) {
        const Index at = kP + g * kQ;
        frame.level_from(static_cast<std::size_t>(g), zeta.data() + at, dbeta.data(),
                         delta.data() + at);
        frame.to_level(static_cast<std::size_t>(g), delta.data() + at, dbeta.data(),
                       back.data() + at);
      }
      EXPECT_LT((back - zeta).norm(), 1e-10);
      // Z(psi) N(zeta) |d zeta / d theta| is the density: prior determinant and exponent.
      const double density = 0.5 * kLevels * precision.log_det + exponent(delta, precision.lambda);
      const double found = frame.log_z() - 0.5 * zeta.squaredNorm() + frame.half_log_det();
      constant = constant.value_or(density - found);
      EXPECT_NEAR(density - found, *constant, 1e-9);
    }
  }
}

// log |d u2 / d u1| of a linear map of coefficients, from differences.
template <class Map>
double log_jacobian(const Map& map, const Vector& from) {
  const Vector at = map(from);
  Matrix slopes(at.size(), from.size());
  for (Index j = 0; j < from.size(); ++j) {
    slopes.col(j) = map(from + Vector::Unit(from.size(), j)) - at;
  }
  return std::log(std::abs(slopes.determinant()));
}

// From one psi to another with beta and zeta held: densities and the Jacobian of u, by definition.
TEST_F(Arrow, HeldMovesByItsDensityAndJacobian) {
  Stream stream(5, 0, Purpose::kTest, 0);
  const auto normal = [&] { return stream.normal(); };
  Vector psi(3), other(3);
  psi << 0.2, -0.5, 0.8;
  other << -0.6, 0.3, -0.4;
  HeldArrow held(sums_, anchor_);
  const Vector dbeta = Vector::NullaryExpr(kP, normal);
  const Vector from = Vector::NullaryExpr(kLevels * kQ, normal);
  const auto density = [&](const Vector& at, const Vector& du) {
    GroupScales::Precision precision;
    scales_.precision(at, precision);
    Vector delta(kSize);
    delta << dbeta, du;
    return 0.5 * kLevels * precision.log_det + exponent(delta, precision.lambda);
  };
  const auto map = [&](const Vector& du) {
    Vector moved(du.size());
    EXPECT_TRUE(std::isfinite(held.hold(dbeta, {}, scales_.factor(psi), du.data())));
    EXPECT_TRUE(std::isfinite(held.move(scales_.factor(other), moved.data())));
    return moved;
  };
  const double expected = density(other, map(from)) - density(psi, from) + log_jacobian(map, from);
  Vector du = from;
  const double before = held.hold(dbeta, {}, scales_.factor(psi), du.data());
  EXPECT_NEAR(held.move(scales_.factor(psi), du.data()), before, 1e-12);
  EXPECT_LT((du - from).norm(), 1e-12);
  EXPECT_NEAR(held.move(scales_.factor(other), du.data()) - before, expected, 1e-9);
  EXPECT_TRUE(std::isnan(held.move(Matrix::Zero(kQ, kQ), du.data())));
}

// The same of one coefficient a level, with a parameter that rows share.
TEST(HeldIntercepts, MoveByTheirDensityAndJacobian) {
  constexpr Index kLevels = 4;
  Stream stream(6, 0, Purpose::kTest, 0);
  const auto normal = [&] { return stream.normal(); };
  ArrowSums sums({kLevels, 1, 2, 1});
  for (Buffer<double>* const numbers : {&sums.b, &sums.c, &sums.t}) {
    std::ranges::generate(*numbers, normal);
  }
  std::ranges::generate(sums.d, [&] { return std::exp(normal()); });
  GroupAnchor anchor{Vector::Zero(2), Buffer<double>(kLevels), Vector::Zero(1)};
  std::ranges::generate(anchor.u, normal);
  const Vector dbeta = Vector::NullaryExpr(2, normal), shared = Vector::Constant(1, 0.3);
  const Matrix sd = Matrix::Constant(1, 1, 0.4), other = Matrix::Constant(1, 1, 1.7);
  const auto density = [&](double at, const Vector& du) {
    double sum = 0.0;
    for (Index g = 0; g < kLevels; ++g) {
      const auto i = static_cast<std::size_t>(g);
      const double u = anchor.u[i] + du[g];
      sum += (sums.b[i] - sums.c[2 * i] * dbeta[0] - sums.c[2 * i + 1] * dbeta[1] -
              sums.t[i] * shared[0]) *
                 u -
             0.5 * (sums.d[i] + 1.0 / (at * at)) * u * u - std::log(at);
    }
    return sum;
  };
  HeldArrow held(sums, anchor);
  const Vector from = Vector::NullaryExpr(kLevels, normal);
  const auto map = [&](const Vector& du) {
    Vector moved(du.size());
    EXPECT_TRUE(std::isfinite(held.hold(dbeta, shared, sd, du.data())));
    EXPECT_TRUE(std::isfinite(held.move(other, moved.data())));
    return moved;
  };
  const double expected = density(1.7, map(from)) - density(0.4, from) + log_jacobian(map, from);
  Vector du = from;
  const double before = held.hold(dbeta, shared, sd, du.data());
  EXPECT_NEAR(held.move(sd, du.data()), before, 1e-12);
  EXPECT_LT((du - from).norm(), 1e-12);
  EXPECT_NEAR(held.move(other, du.data()) - before, expected, 1e-9);
}

// Scales near zero, correlations near one: log Z settles, where a precision matrix would cancel.
TEST_F(Arrow, KeepsItsDigitsAtTheEdges) {
  ArrowFrame frame(shape_);
  const auto log_z = [&](double a, double b, double y) {
    Vector psi(3);
    psi << a, b, y;
    EXPECT_TRUE(frame.factor(sums_, prior_, anchor_, scales_.factor(psi)));
    return frame.log_z();
  };
  EXPECT_NEAR(log_z(-18.0, -18.0, 0.3), log_z(-40.0, -40.0, 0.3), 1e-12);
  EXPECT_NEAR(log_z(0.2, -0.3, 18.0), log_z(0.2, -0.3, 25.0), 1e-12);
  EXPECT_NEAR(log_z(0.2, -40.0, -25.0), log_z(0.2, -40.0, 0.0), 1e-12);
}

TEST_F(Arrow, ScalesHaveTheCovarianceTheySay) {
  Vector psi(3);
  psi << 0.2, -0.5, 0.8;
  const Vector natural = scales_.natural(psi);
  Matrix sigma(2, 2);
  sigma << natural[0] * natural[0], natural[2] * natural[0] * natural[1],
      natural[2] * natural[0] * natural[1], natural[1] * natural[1];
  GroupScales::Precision precision;
  scales_.precision(psi, precision);
  EXPECT_LT((precision.lambda * sigma - Matrix::Identity(2, 2)).norm(), 1e-12);
  EXPECT_NEAR(precision.log_det, -std::log(sigma.determinant()), 1e-12);
  EXPECT_LT((scales_.factor(psi) * scales_.factor(psi).transpose() - sigma).norm(), 1e-12);
}

// LKJ(1): every correlation matrix is as likely as another. Of 3 x 3 ones each correlation then has
// a density in proportion to sqrt(1 - r^2), so E r^2 = 1/4; here by weighting draws of y.
TEST_F(Arrow, CorrelationsAreUniformOverTheirMatrices) {
  const GroupScales three(std::vector<PriorTerm>(3, {.kind = PriorKind::kHalfNormal}), true);
  Stream stream(5, 0, Purpose::kTest, 0);
  constexpr int kDraws = 200'000;
  Vector squares = Vector::Zero(3), fourth = Vector::Zero(3);
  double total = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    Vector psi = Vector::Zero(6);
    double log_proposal = 0.0;
    for (Index j = 3; j < 6; ++j) {
      psi[j] = 1.2 * stream.normal();
      log_proposal -= 0.5 * psi[j] * psi[j] / 1.44;
    }
    const double weight = std::exp(three.log_prior(psi) - log_proposal);
    const Vector r2 = three.natural(psi).tail(3).cwiseAbs2();
    squares += weight * r2;
    fourth += weight * weight * (r2.array() - 0.25).square().matrix();
    total += weight;
  }
  for (Index j = 0; j < 3; ++j) {
    EXPECT_NEAR(squares[j] / total, 0.25, 4.5 * std::sqrt(fourth[j]) / total) << j;
  }
}

}  // namespace
}  // namespace flymc
