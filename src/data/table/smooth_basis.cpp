#include "flymc/detail/data/table/smooth_basis.hpp"

#include <algorithm>
#include <cmath>

#include "flymc/detail/core/linalg.hpp"

namespace flymc {
namespace {

// Where a value lies: the knot below it, and how V and M of this knot and the next count there.
struct Between {
  std::size_t knot = 0;
  double v[2] = {};
  double m[2] = {};
};

Between locate(std::span<const double> knots, double value) noexcept {
  const double first = knots.front();
  const double range = knots.back() - first;
  const auto inner = knots.subspan(1, knots.size() - 2);
  const auto above = std::upper_bound(inner.begin(), inner.end(), value) - inner.begin();
  Between at{.knot = static_cast<std::size_t>(above)};
  const double h = (knots[at.knot + 1] - knots[at.knot]) / range;
  const double r = (value - knots[at.knot]) / range / h;
  const double l = 1.0 - r;
  at.v[0] = l;
  at.v[1] = r;
  if (r < 0.0) {  // along the slope at the end, where the own M is 0
    at.m[1] = -h * h / 6.0 * r;
  } else if (r > 1.0) {
    at.m[0] = -h * h / 6.0 * l;
  } else {
    at.m[0] = h * h / 6.0 * (l * l * l - l);
    at.m[1] = h * h / 6.0 * (r * r * r - r);
  }
  return at;
}

std::vector<double> place_knots(std::size_t count, std::span<const double> values) {
  std::vector<double> distinct(values.begin(), values.end());
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<double> knots;
  for (std::size_t i = 0; i < count; ++i) {
    const double at = static_cast<double>(i) / static_cast<double>(count - 1) *
                      static_cast<double>(distinct.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, distinct.size() - 1);
    knots.push_back(distinct[below] +
                    (at - static_cast<double>(below)) * (distinct[above] - distinct[below]));
  }
  return knots;
}

// V and M of k - 2 splines with penalty one each, k x (k - 2).
struct Splines {
  Matrix v;
  Matrix m;
};
Splines unit_splines(std::span<const double> knots) {
  const auto k = static_cast<Index>(knots.size());
  const double range = knots.back() - knots.front();
  const auto h = [&](Index i) {
    return (knots[static_cast<std::size_t>(i) + 1] - knots[static_cast<std::size_t>(i)]) / range;
  };
  Matrix d = Matrix::Zero(k - 2, k);
  Matrix b = Matrix::Zero(k - 2, k - 2);
  for (Index i = 0; i < k - 2; ++i) {
    d(i, i) = 1.0 / h(i);
    d(i, i + 1) = -1.0 / h(i) - 1.0 / h(i + 1);
    d(i, i + 2) = 1.0 / h(i + 1);
    b(i, i) = (h(i) + h(i + 1)) / 3.0;
    if (i + 1 < k - 2) {
      b(i, i + 1) = b(i + 1, i) = h(i + 1) / 6.0;
    }
  }
  const Eigen::LLT<Matrix> llt(b);
  const Matrix lower = llt.matrixL();
  Splines splines{d.completeOrthogonalDecomposition().solve(lower), Matrix::Zero(k, k - 2)};
  splines.m.middleRows(1, k - 2) =
      lower.transpose().triangularView<Eigen::Upper>().solve(Matrix::Identity(k - 2, k - 2));
  return splines;
}

void set_columns(const Splines& splines, const Between& at, double* out) noexcept {
  const auto knot = static_cast<Index>(at.knot);
  for (Index j = 0; j < splines.v.cols(); ++j) {
    out[j] = at.v[0] * splines.v(knot, j) + at.v[1] * splines.v(knot + 1, j) +
             at.m[0] * splines.m(knot, j) + at.m[1] * splines.m(knot + 1, j);
  }
}

// Takes straight lines away, and turns what is left.
void make_orthogonal(std::span<const double> knots, std::span<const double> values,
                     Splines& splines) {
  const auto columns = splines.v.cols();
  const double first = knots.front();
  const double range = knots.back() - first;
  Matrix squares = Matrix::Zero(columns + 2, columns + 2);  // of rows (1, t, splines)
  Vector row(columns + 2);
  for (const double value : values) {
    row[0] = 1.0;
    row[1] = (value - first) / range;
    set_columns(splines, locate(knots, value), row.data() + 2);
    squares.selfadjointView<Eigen::Lower>().rankUpdate(row);
  }
  squares.triangularView<Eigen::StrictlyUpper>() = squares.transpose();
  const Matrix line = squares.topLeftCorner(2, 2).ldlt().solve(squares.topRightCorner(2, columns));
  const Matrix left =
      squares.bottomRightCorner(columns, columns) - squares.bottomLeftCorner(columns, 2) * line;
  for (Index i = 0; i < splines.v.rows(); ++i) {
    const double t = (knots[static_cast<std::size_t>(i)] - first) / range;
    splines.v.row(i) -= line.row(0) + t * line.row(1);
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> turned(left / static_cast<double>(values.size()));
  // the smoothest first, each upwards at the last knot
  Matrix turn = turned.eigenvectors().rowwise().reverse() / std::sqrt(turned.eigenvalues().sum());
  for (Index j = 0; j < columns; ++j) {
    turn.col(j) *= splines.v.row(splines.v.rows() - 1).dot(turn.col(j)) < 0.0 ? -1.0 : 1.0;
  }
  splines.v *= turn;
  splines.m *= turn;
}

}  // namespace

void set_smooth_basis(std::size_t knots, std::span<const double> constants, double value,
                      double* out) noexcept {
  const Between at = locate(constants.first(knots), value);
  const std::size_t columns = smooth_columns(knots);
  const double* v = constants.data() + knots + at.knot;
  const double* m = v + columns * knots;
  for (std::size_t j = 0; j < columns; ++j, v += knots, m += knots) {
    out[j] = at.v[0] * v[0] + at.v[1] * v[1] + at.m[0] * m[0] + at.m[1] * m[1];
  }
}

std::vector<double> find_smooth_constants(std::size_t knots, std::span<const double> values) {
  constexpr int kPasses = 2;  // where a few values lie far off, the first is not exact
  std::vector<double> constants = place_knots(knots, values);
  Splines splines = unit_splines(constants);
  for (int pass = 0; pass < kPasses; ++pass) {
    make_orthogonal(constants, values, splines);
  }
  constants.insert(constants.end(), splines.v.data(), splines.v.data() + splines.v.size());
  constants.insert(constants.end(), splines.m.data(), splines.m.data() + splines.m.size());
  return constants;
}

}  // namespace flymc
