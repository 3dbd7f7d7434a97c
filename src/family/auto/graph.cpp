#include "family/auto/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "family/auto/row_code.hpp"

namespace flymc::typed {
namespace {

bool commutes(Op op) { return op == Op::kAdd || op == Op::kMultiply; }

}  // namespace

std::size_t Graph::operands(Op op) noexcept {
  switch (op) {
    case Op::kLiteral:
    case Op::kColumn:
    case Op::kPredictor:
      return 0;
    case Op::kSelect:
      return 3;
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kDivide:
    case Op::kAddNumber:
    case Op::kNumberMinus:
    case Op::kScale:
    case Op::kPower:
    case Op::kLogRising:
    case Op::kMax:
    case Op::kMin:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kAnd:
    case Op::kOr:
      return 2;
    default:
      return 1;
  }
}

// The node that is known already, if there is one.
Id Graph::intern(const Node& node) {
  Id a = node.from[0];
  Id b = node.from[1];
  if (commutes(node.op) && b < a) {
    std::swap(a, b);
  }
  const Key key{node.op,
                node.is_smooth,
                a,
                b,
                node.from[2],
                node.index,
                std::bit_cast<std::uint64_t>(node.literal)};
  const auto [entry, is_new] = known_.try_emplace(key, static_cast<Id>(nodes_.size()));
  if (is_new) {
    nodes_.push_back(node);
    Node& added = nodes_.back();
    for (std::size_t i = 0; i < operands(node.op); ++i) {
      const Node& operand = nodes_[node.from[i]];
      added.of_data = added.of_data || operand.of_data;
      added.predictors = static_cast<std::uint8_t>(added.predictors | operand.predictors);
    }
  }
  return entry->second;
}

Id Graph::literal(double value) {
  return intern({Op::kLiteral, false, false, 0, {}, value == 0.0 ? 0.0 : value, 0});
}
Id Graph::column(std::size_t index) {
  return intern({Op::kColumn, false, true, 0, {}, 0.0, index});
}
Id Graph::predictor(std::size_t index) {
  return intern(
      {Op::kPredictor, true, false, static_cast<std::uint8_t>(1U << index), {}, 0.0, index});
}
Id Graph::smooth_node(Op op, Id a, Id b) { return intern({op, true, false, 0, {a, b, 0}, 0.0, 0}); }

Id Graph::of_numbers(Op op, Id a, Id b, Id c) {
  const std::array<Id, 3> from{a, b, c};
  std::array<double, 3> values{};
  bool folds = true;
  for (std::size_t i = 0; i < operands(op); ++i) {
    folds = folds && is(from[i], Op::kLiteral);
    values[i] = nodes_[from[i]].literal;
  }
  if (folds) {
    return literal(evaluate(op, values[0], values[1], values[2]));
  }
  return intern({op, false, false, 0, from, 0.0, 0});
}

Id Graph::add(Id a, Id b) {
  if (is_literal(a, 0.0)) {
    return b;
  }
  if (is_literal(b, 0.0)) {
    return a;
  }
  if (is_smooth(a) == is_smooth(b)) {
    return is_smooth(a) ? smooth_node(Op::kAdd, a, b) : of_numbers(Op::kAdd, a, b);
  }
  return is_smooth(a) ? smooth_node(Op::kAddNumber, a, b) : smooth_node(Op::kAddNumber, b, a);
}

Id Graph::subtract(Id a, Id b) {
  if (is_literal(b, 0.0)) {
    return a;
  }
  if (is_literal(a, 0.0)) {
    return negate(b);
  }
  if (!is_smooth(b)) {
    return is_smooth(a) ? add(a, negate(b)) : of_numbers(Op::kSubtract, a, b);
  }
  if (is_smooth(a)) {
    return smooth_node(Op::kSubtract, a, b);
  }
  // 1 - sigmoid(x): both of it, and not the difference, in every product that it enters.
  if (is_literal(a, 1.0) && is(b, Op::kSigmoid)) {
    return function(Op::kSigmoid, negate(first(b)));
  }
  return smooth_node(Op::kNumberMinus, b, a);
}

Id Graph::negate(Id a) {
  if (is(a, Op::kScale) && is_literal(second(a), -1.0)) {
    return first(a);
  }
  return multiply(literal(-1.0), a);
}

Id Graph::multiply(Id a, Id b) {
  if (is_literal(a, 1.0)) {
    return b;
  }
  if (is_literal(b, 1.0)) {
    return a;
  }
  if (is_smooth(a) && is_smooth(b)) {
    return product(a, b);
  }
  if (!is_smooth(a) && !is_smooth(b)) {
    return of_numbers(Op::kMultiply, a, b);
  }
  return is_smooth(a) ? smooth_node(Op::kScale, a, b) : smooth_node(Op::kScale, b, a);
}

Id Graph::product(Id a, Id b) {
  if (a == b) {
    return function(Op::kSquare, a);
  }
  // e^x / (1 + e^x), whose second factor has become sigmoid(-x).
  if (is(a, Op::kSigmoid) && is(b, Op::kExp)) {
    std::swap(a, b);
  }
  if (is(a, Op::kExp) && is(b, Op::kSigmoid) && first(b) == negate(first(a))) {
    return function(Op::kSigmoid, first(a));
  }
  return smooth_node(Op::kMultiply, a, b);
}

Id Graph::divide(Id a, Id b) {
  if (is_smooth(b)) {
    return multiply(a, inverse(b));
  }
  return is_smooth(a) ? multiply(a, of_numbers(Op::kDivide, literal(1.0), b))
                      : of_numbers(Op::kDivide, a, b);
}

// 1 / e^x = e^-x, 1 / (1 + e^x) = sigmoid(-x).
Id Graph::inverse(Id a) {
  if (is(a, Op::kExp)) {
    return function(Op::kExp, negate(first(a)));
  }
  if (is(a, Op::kAddNumber) && is_literal(second(a), 1.0) && is(first(a), Op::kExp)) {
    return function(Op::kSigmoid, negate(first(first(a))));
  }
  return smooth_node(Op::kInverse, a);
}

// By products, which a negative base has, too.
Id Graph::whole_power(Id a, int exponent) {
  if (exponent == 1) {
    return a;
  }
  const Id half = whole_power(a, exponent / 2);
  const Id even = function(Op::kSquare, half);
  return exponent % 2 == 0 ? even : multiply(even, a);
}

Id Graph::power(Id a, Id exponent) {
  if (!is_smooth(a)) {
    return of_numbers(Op::kPower, a, exponent);
  }
  constexpr double kMostProducts = 8.0;
  if (is(exponent, Op::kLiteral)) {
    const double c = nodes_[exponent].literal;
    if (c == 0.0) {
      return literal(1.0);
    }
    if (std::abs(c) <= kMostProducts && c == std::floor(c)) {
      const Id raised = whole_power(a, static_cast<int>(std::abs(c)));
      return c > 0.0 ? raised : inverse(raised);
    }
    if (c == 0.5) {
      return function(Op::kSqrt, a);
    }
  }
  return smooth_node(Op::kPower, a, exponent);
}

Id Graph::function(Op op, Id a) {
  if (!is_smooth(a)) {
    return op == Op::kSquare ? of_numbers(Op::kMultiply, a, a) : of_numbers(op, a);
  }
  if (op == Op::kLog) {
    return log(a);
  }
  return op == Op::kLog1p ? log1p(a) : smooth_node(op, a);
}

Id Graph::log_rising(Id a, Id rise) {
  return is_smooth(a) ? smooth_node(Op::kLogRising, a, rise) : of_numbers(Op::kLogRising, a, rise);
}

Id Graph::log_sigmoid(Id a) { return negate(function(Op::kSoftplus, negate(a))); }

std::optional<Id> Graph::log_of(Id a) {
  const auto known = logs_.find(a);
  return known != logs_.end() ? known->second : logs_.emplace(a, find_log_of(a)).first->second;
}

// The logarithm of what is positive because it is made of exponentials; none of anything else.
// log(e^a + e^b) = a + softplus(b - a).
std::optional<Id> Graph::find_log_of(Id a) {
  const Op op = nodes_[a].op;
  if (op == Op::kExp) {
    return first(a);
  }
  if (op == Op::kSigmoid) {
    return log_sigmoid(first(a));
  }
  if (op == Op::kLiteral && nodes_[a].literal > 0.0) {
    return literal(std::log(nodes_[a].literal));
  }
  const bool is_sum = op == Op::kAdd || op == Op::kAddNumber;
  const bool is_product = op == Op::kMultiply || op == Op::kScale;
  if (!is_sum && !is_product) {
    return std::nullopt;
  }
  const auto log_a = log_of(first(a));
  const auto log_b = log_of(second(a));
  if (!log_a || !log_b) {
    return std::nullopt;
  }
  // A number comes first: log(1 + e^x) = softplus(x).
  const auto [from, to] =
      op == Op::kAddNumber ? std::pair(*log_b, *log_a) : std::pair(*log_a, *log_b);
  return is_sum ? add(from, function(Op::kSoftplus, subtract(to, from))) : add(*log_a, *log_b);
}

Id Graph::log(Id a) {
  if (const auto found = log_of(a)) {
    return *found;
  }
  if (is(a, Op::kNumberMinus) && is_literal(second(a), 1.0) && is(first(a), Op::kExp)) {
    return function(Op::kLog1mExp, negate(first(first(a))));
  }
  return smooth_node(Op::kLog, a);
}

Id Graph::log1p(Id a) {
  if (is(a, Op::kExp)) {
    return function(Op::kSoftplus, first(a));
  }
  if (is(a, Op::kScale) && is_literal(second(a), -1.0) && is(first(a), Op::kExp)) {
    return function(Op::kLog1mExp, negate(first(first(a))));
  }
  return smooth_node(Op::kLog1p, a);
}

Graph::Shifted Graph::shifted(Id a) {
  const auto known = shifted_.find(a);
  return known != shifted_.end() ? known->second
                                 : shifted_.emplace(a, find_shifted(a)).first->second;
}

Graph::Shifted Graph::find_shifted(Id a) {
  const Node node = nodes_[a];
  if (node.is_smooth && node.op == Op::kAddNumber) {
    const Shifted inner = shifted(node.from[0]);
    return {inner.base, add(inner.offset, node.from[1])};
  }
  if (node.is_smooth && node.op == Op::kNumberMinus) {
    const Shifted inner = shifted(node.from[0]);
    return {negate(inner.base), subtract(node.from[1], inner.offset)};
  }
  if (node.is_smooth && (node.op == Op::kAdd || node.op == Op::kSubtract)) {
    const Shifted left = shifted(node.from[0]);
    const Shifted right = shifted(node.from[1]);
    const bool adds = node.op == Op::kAdd;
    return {adds ? add(left.base, right.base) : subtract(left.base, right.base),
            adds ? add(left.offset, right.offset) : subtract(left.offset, right.offset)};
  }
  return {a, literal(0.0)};
}

}  // namespace flymc::typed
