// Penalised splines against their definition, and against R's natural splines.
#include "flymc/detail/data/table/smooth_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "data/table/formula.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/error.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

std::vector<double> some_values(std::size_t count) {
  Stream stream(5, 0, Purpose::kTest, 0);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(40.0 + 15.0 * std::exp(0.5 * stream.normal()));
  }
  return values;
}

// Rows (1, x, splines).
Matrix rows_of(std::size_t knots, const std::vector<double>& constants,
               const std::vector<double>& values) {
  Matrix rows(static_cast<Index>(values.size()), static_cast<Index>(knots));
  std::vector<double> out(smooth_columns(knots));
  for (std::size_t i = 0; i < values.size(); ++i) {
    set_smooth_basis(knots, constants, values[i], out.data());
    const auto row = static_cast<Index>(i);
    rows(row, 0) = 1.0;
    rows(row, 1) = values[i];
    for (std::size_t j = 0; j < out.size(); ++j) {
      rows(row, static_cast<Index>(j) + 2) = out[j];
    }
  }
  return rows;
}

// splinefun(x, y, method = "natural") of R 4.2, within the knots and outside.
TEST(SmoothBasis, SpansTheNaturalSplinesOfR) {
  const std::vector<double> knots = {0.0, 1.0, 2.5, 4.0, 6.0, 7.0};
  const std::vector<double> constants = find_smooth_constants(6, knots);
  ASSERT_EQ(constants.size(), smooth_constants(6));
  for (std::size_t i = 0; i < knots.size(); ++i) {
    EXPECT_DOUBLE_EQ(constants[i], knots[i]);
  }
  const Matrix at_knots = rows_of(6, constants, knots);
  const Vector y = (Vector(6) << 1.0, -0.5, 2.0, 0.3, 0.8, -1.0).finished();
  const Vector coefficients = at_knots.fullPivLu().solve(y);
  const std::vector<double> x = {-1.0, 0.4, 1.7, 3.1, 5.2, 6.5, 9.0};
  const Vector expected =
      (Vector(7) << 3.3781661600810535, 0.1049361702127660, 0.5829125295508276, 1.6322972644376899,
       0.6924887537993923, 0.0930756079027355, -5.6297365754812567)
          .finished();
  const Vector made = rows_of(6, constants, x) * coefficients;
  for (Index i = 0; i < made.size(); ++i) {
    EXPECT_NEAR(made[i], expected[i], 1e-10) << i;
  }
}

// Also where a few values lie far off.
TEST(SmoothBasis, IsOrthogonalWhereValuesLieFarOff) {
  Stream stream(6, 0, Purpose::kTest, 0);
  std::vector<double> values;
  for (int i = 0; i < 2000; ++i) {
    values.push_back(std::exp(3.0 * stream.normal()));
  }
  const Matrix rows = rows_of(10, find_smooth_constants(10, values), values);
  Matrix squares = rows.transpose() * rows / 2000.0;
  const Vector size = squares.diagonal().cwiseSqrt().cwiseInverse();
  squares = size.asDiagonal() * squares * size.asDiagonal();
  const Matrix splines = squares.bottomRightCorner(8, 8);
  EXPECT_LT((splines - Matrix::Identity(8, 8)).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(SmoothBasis, IsOrthogonalOverTheRowsOfTheFit) {
  const std::vector<double> values = some_values(500);
  const std::vector<double> constants = find_smooth_constants(10, values);
  const Matrix rows = rows_of(10, constants, values);
  const Matrix squares = rows.transpose() * rows / 500.0;
  const Matrix of_splines = squares.bottomRightCorner(8, 8);
  EXPECT_NEAR(of_splines.trace(), 1.0, 1e-10);
  EXPECT_LT((of_splines - Matrix(of_splines.diagonal().asDiagonal())).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT(squares.topRightCorner(1, 8).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT(squares.row(1).tail(8).cwiseAbs().maxCoeff(), 1e-8);
  for (Index j = 1; j < 8; ++j) {
    EXPECT_GT(of_splines(j - 1, j - 1), of_splines(j, j)) << "the smoothest first";
  }
}

// The integral of f''^2 by the trapezoidal rule on second differences: f'' is linear between knots.
TEST(SmoothBasis, PenaltyIsTheSumOfSquares) {
  const std::vector<double> constants = find_smooth_constants(7, some_values(300));
  const double first = constants[0], range = constants[6] - constants[0];
  const int n = 20'000;
  const double h = 1.0 / n;
  std::vector<double> grid;
  for (int i = 0; i <= n; ++i) {
    grid.push_back(first + range * i * h);
  }
  const Matrix z = rows_of(7, constants, grid).rightCols(5);
  const Matrix bends =
      (z.topRows(n - 1) - 2.0 * z.middleRows(1, n - 1) + z.bottomRows(n - 1)) / (h * h);
  Matrix penalty = h * bends.transpose() * bends;
  penalty /= penalty.diagonal().mean();
  EXPECT_LT((penalty - Matrix::Identity(5, 5)).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(SmoothBasis, UnitsOfTheColumnDoNotMatter) {
  const std::vector<double> values = some_values(200);
  std::vector<double> others;
  for (const double value : values) {
    others.push_back(1e6 * value - 3e5);
  }
  const Matrix a = rows_of(8, find_smooth_constants(8, values), values).rightCols(6);
  const Matrix b = rows_of(8, find_smooth_constants(8, others), others).rightCols(6);
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(SmoothFormula, IsALineAndColumnsOfOneScale) {
  const Formula formula = parse_formula("y ~ a + s(x, k = 5) + s(log(z)) + (1 | g)");
  std::vector<std::string> names;
  for (const Formula::Variable& variable : formula.variables) {
    names.push_back(variable.text);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"a", "x", "s(x, 5)", "log(z)", "s(log(z), 10)"}));
  ASSERT_EQ(formula.groups.size(), 3U);
  EXPECT_EQ(formula.groups[0].factor, "g");
  EXPECT_EQ(formula.groups[1].factor, "s(x)");
  EXPECT_EQ(formula.groups[1].splines, (std::vector<std::string>{"s(x).1", "s(x).2", "s(x).3"}));
  EXPECT_EQ(formula.groups[2].splines.size(), 8U);
}

TEST(SmoothFormula, TakenAwayIsNotThere) {
  const Formula line_away = parse_formula("y ~ a + s(x, 4) - x");
  EXPECT_EQ(line_away.terms.size(), 2U);
  EXPECT_EQ(line_away.groups.size(), 1U);
  EXPECT_TRUE(parse_formula("y ~ a + s(x) - s(x)").groups.empty());
}

TEST(SmoothFormula, SaysWhatCannotStandThere) {
  const auto message = [](const std::string& text) {
    try {
      std::ignore = parse_formula(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_NE(message("y ~ s(x, 2)").find("from 3 to 100 knots"), std::string::npos);
  EXPECT_NE(message("y ~ s(x, 4.5)").find("from 3 to 100 knots"), std::string::npos);
  EXPECT_NE(message("y ~ a:s(x)").find("stands by itself"), std::string::npos);
  EXPECT_NE(message("y ~ a*s(x)").find("stands by itself"), std::string::npos);
  EXPECT_NE(message("y ~ s(x + z)").find("number of knots"), std::string::npos);
  EXPECT_NE(message("y ~ s(poly(x, 2))").find("a column, or a function"), std::string::npos);
}

}  // namespace
}  // namespace flymc
