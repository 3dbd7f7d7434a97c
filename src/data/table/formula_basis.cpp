#include "data/table/formula_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "data/table/b_splines.hpp"
#include "flymc/detail/data/table/smooth_basis.hpp"
#include "flymc/detail/ranks/piece_sum.hpp"
#include "flymc/error.hpp"
#include "ranks/gather_values.hpp"

namespace flymc {
namespace {

using Kind = Formula::Kind;

// p_0 .. p_degree at one value.
void set_polynomials(std::span<const double> a, std::span<const double> squares, double value,
                     std::span<double> p) noexcept {
  p[0] = 1.0;
  for (std::size_t i = 0; i + 1 < p.size(); ++i) {
    p[i + 1] = (value - a[i]) * p[i];
    if (i > 0) {
      p[i + 1] -= squares[i] / squares[i - 1] * p[i - 1];
    }
  }
}

// Sums of `width` terms over all rows; `add(value, sums)` adds those of one.
template <class Add>
std::vector<double> sum_rows(std::size_t width, const Shard& shard, unsigned threads,
                             const ValuesOfRows& values, const Add& add) {
  constexpr std::size_t kBlockRows = 256;
  return sum_pieces(shard, width, threads, [&](RowRange rows, std::span<double> sums) {
    std::array<double, kBlockRows> block{};
    for (std::size_t first = rows.first; first < rows.last; first += kBlockRows) {
      const RowRange some{first, std::min(first + kBlockRows, rows.last)};
      values(some, std::span(block).first(some.size()));
      for (std::size_t i = 0; i < some.size(); ++i) {
        add(block[i], sums);
      }
    }
  });
}

[[noreturn]] void fail_too_few(const Formula::Variable& variable, std::size_t distinct) {
  const std::string name = in_quotes(variable.name);
  if (distinct == 1) {
    throw Error(ErrorKind::kData, fmt::format("{}: all values are equal; leave it out.", name));
  }
  const std::string remedy = variable.kind == Kind::kPoly ? "the degree must be less."
                             : variable.kind == Kind::kSmooth
                                 ? fmt::format(
                                       "give it at most so many knots, {}, or leave "
                                       "the curve out.",
                                       in_quotes(fmt::format("s(..., {})", distinct)))
                                 : "the degrees of freedom must be less.";
  throw Error(ErrorKind::kData,
              fmt::format("{}: there are only {} different values; {}", name, distinct, remedy));
}

// How many different values all ranks have, up to `most`.
std::size_t count_distinct(Ranks& ranks, std::span<const double> values, std::size_t most) {
  std::set<double> mine;
  for (std::size_t i = 0; i < values.size() && mine.size() < most; ++i) {
    mine.insert(values[i]);
  }
  std::set<double> all;
  for (const std::vector<double>& some :
       gather_values(ranks, std::vector(mine.begin(), mine.end()))) {
    all.insert(some.begin(), some.end());
  }
  return std::min(all.size(), most);
}

std::vector<double> spline_constants(const Formula::Variable& variable, const Shard& shard,
                                     unsigned threads, const ValuesOfRows& values) {
  std::vector<double> mine(shard.mine().size());
  const auto& pieces = shard.pieces();
  parallel_for(pieces.size(), threads, [&](std::size_t piece) {
    const RowRange rows = pieces[piece].rows;
    values(rows, std::span(mine).subspan(rows.first - shard.mine().first, rows.size()));
  });
  const bool smooth = variable.kind == Kind::kSmooth;
  const std::size_t needed = smooth ? variable.degree : variable.degree + 1;
  const std::size_t distinct = count_distinct(shard.ranks(), mine, needed);
  if (distinct < needed) {
    fail_too_few(variable, distinct);
  }
  return smooth ? find_smooth_constants(variable.degree, mine)
                : find_knots(variable.degree, shard.ranks(), mine);
}

}  // namespace

std::size_t basis_columns(const Formula::Variable& variable) noexcept {
  switch (variable.kind) {
    case Kind::kPoly:
    case Kind::kSpline:
      return variable.degree;
    case Kind::kSmooth:
      return smooth_columns(variable.degree);
    default:
      return 1;
  }
}

std::size_t basis_constants(const Formula::Variable& variable) noexcept {
  switch (variable.kind) {
    case Kind::kScale:
      return 2;
    case Kind::kPoly:
      return 2 * variable.degree + 1;
    case Kind::kSpline:
      return variable.degree - 1;
    case Kind::kSmooth:
      return smooth_constants(variable.degree);
    default:
      return 0;
  }
}

void set_basis(const Formula::Variable& variable, std::span<const double> constants, double value,
               double* out) noexcept {
  if (variable.kind == Kind::kScale) {
    *out = (value - constants[0]) / constants[1];
    return;
  }
  if (variable.kind == Kind::kSpline) {
    set_b_splines(constants, value, out);
    return;
  }
  if (variable.kind == Kind::kSmooth) {
    set_smooth_basis(variable.degree, constants, value, out);
    return;
  }
  if (variable.kind != Kind::kPoly) {
    *out = value;
    return;
  }
  const std::size_t degree = variable.degree;
  const auto squares = constants.subspan(degree);
  std::array<double, 32> p{};  // the parser allows degrees to 20
  set_polynomials(constants.first(degree), squares, value, std::span(p).first(degree + 1));
  for (std::size_t i = 1; i <= degree; ++i) {
    out[i - 1] = p[i] / std::sqrt(squares[i]);
  }
}

std::vector<double> find_constants(const Formula::Variable& variable, const Shard& shard,
                                   unsigned threads, const ValuesOfRows& values) {
  if (variable.kind == Kind::kSpline || variable.kind == Kind::kSmooth) {
    return spline_constants(variable, shard, threads, values);
  }
  const auto rows = static_cast<double>(shard.rows());
  const std::size_t degree = variable.kind == Kind::kPoly ? variable.degree : 1;
  const double mean = sum_rows(1, shard, threads, values,
                               [](double value, std::span<double> sums) { sums[0] += value; })[0] /
                      rows;
  std::vector<double> a = {mean};
  std::vector<double> squares = {rows};
  for (std::size_t i = 1; i <= degree; ++i) {
    // sum p_i^2 and sum (x - mean) p_i^2
    const auto sums =
        sum_rows(2, shard, threads, values, [&](double value, std::span<double> total) {
          std::array<double, 32> p{};
          set_polynomials(a, squares, value, std::span(p).first(i + 1));
          total[0] += p[i] * p[i];
          total[1] += (value - mean) * p[i] * p[i];
        });
    // With i different values p_i vanishes at each of them, up to rounding.
    const double unit = i == 1 ? mean * mean : squares[1] / rows;
    if (!(sums[0] > 1e-24 * unit * squares.back())) {
      fail_too_few(variable, i);
    }
    squares.push_back(sums[0]);
    a.push_back(mean + sums[1] / sums[0]);
  }
  if (variable.kind == Kind::kScale) {
    return {mean, std::sqrt(squares[1] / (rows - 1.0))};
  }
  a.pop_back();
  a.insert(a.end(), squares.begin(), squares.end());
  return a;
}

}  // namespace flymc
