#include "tune/separation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "flymc/detail/core/bytes.hpp"
#include "flymc/error.hpp"
#include "flymc/family/prior.hpp"

namespace flymc {
namespace {

struct Margins {
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
};

using Sides = std::span<const OpenSide>;

// Each number's largest over all ranks.
Vector largest_of_ranks(const Dataset& data, const Vector& here) {
  ByteWriter mine;
  mine.put_all(here);
  Vector result = here;
  Vector one;
  for (const std::string& bytes : data.shard().ranks().gather(mine.bytes())) {
    ByteReader(bytes).get_all(one);
    result = result.cwiseMax(one);
  }
  return result;
}

// Range over all rows of how far x_n.direction is on the open side, offsets left out; a row without
// one has no way to go but the wrong one.
Margins margins(const Dataset& data, Sides sides, const Vector& direction) {
  Matrix folded(data.folded_rows(), 1);
  data.fold(direction, folded);
  Vector row(data.columns());
  const RowRange held = data.shard().mine();
  Vector most = Vector::Constant(2, -std::numeric_limits<double>::infinity());
  for (std::size_t n = held.first; n < held.last; ++n) {
    double eta = 0.0;
    data.predict_row(n, folded, &eta, row.data());
    eta -= data.offset(n);
    const OpenSide side = sides[n - held.first];
    const double margin =
        side == OpenSide::kNeither ? -std::abs(eta) : static_cast<double>(side) * eta;
    most = most.cwiseMax(Eigen::Vector2d(-margin, margin));
  }
  most = largest_of_ranks(data, most);
  return {-most[0], most[1]};
}

constexpr double kMoves = 0.1;
constexpr double kRounding = 1e-6;

bool is_separating(const Dataset& data, Sides sides, const Vector& direction) {
  const Margins range = margins(data, sides, direction);
  return range.largest > kMoves && range.smallest > -kRounding * range.largest;
}

// What each column adds to a predictor, at most.
Vector reach_of(const Dataset& data, const Vector& direction) {
  Vector row(data.columns());
  Vector reach = Vector::Zero(data.columns());
  const RowRange held = data.shard().mine();
  for (std::size_t n = held.first; n < held.last; ++n) {
    data.copy_row(n, row.data());
    reach = reach.cwiseMax(row.cwiseProduct(direction).cwiseAbs());
  }
  return largest_of_ranks(data, reach);
}

// The columns a separating direction cannot do without, tried from the least to the most.
std::vector<std::size_t> needed_columns(const Dataset& data, Sides sides, Vector direction) {
  const Vector reach = reach_of(data, direction);
  std::vector<Index> order;
  for (Index j = data.intercept() ? 1 : 0; j < reach.size(); ++j) {
    order.push_back(j);
  }
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return reach[a] < reach[b]; });
  std::vector<std::size_t> result;
  for (const Index j : order) {
    const double entry = std::exchange(direction[j], 0.0);
    if (!is_separating(data, sides, direction)) {
      direction[j] = entry;
      result.push_back(static_cast<std::size_t>(j));
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace

std::vector<std::size_t> separating_columns(const Dataset& data, Sides sides,
                                            const LikelihoodPass& pass) {
  const Prior flat(
      std::vector<PriorTerm>(static_cast<std::size_t>(data.columns()), {.kind = PriorKind::kFlat}));
  Vector direction;
  try {
    // Every further Newton step moves separated rows by about one and the others hardly at all.
    direction = newton(flat, pass, flat.location(), {.extra_steps = 6}).last_step;
  } catch (const Error&) {
    return {};  // no mode and no direction either: the search itself reports what it finds
  }
  return is_separating(data, sides, direction) ? needed_columns(data, sides, direction)
                                               : std::vector<std::size_t>{};
}

bool separates(const Dataset& data, const Vector& theta) {
  const RowRange held = data.shard().mine();
  std::vector<OpenSide> sides(held.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    sides[i] = data.response(held.first + i) > 0.0 ? OpenSide::kUp : OpenSide::kDown;
  }
  return margins(data, sides, theta).smallest > 0.0;
}

}  // namespace flymc
