// A typed-in likelihood as values that are computed once each: literals folded, equal
// subexpressions one node, and forms that lose digits or tightness written in better ones.
// See docs/method/automatic.md, Likelihoods as text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "family/auto/op.hpp"

namespace flymc::typed {

using Id = std::uint32_t;  // of a node; operands have smaller ones

struct Node {
  Op op;
  bool is_smooth;
  bool of_data;             // a column enters it
  std::uint8_t predictors;  // which of them enter it, a bit each
  std::array<Id, 3> from;
  double literal;     // of kLiteral
  std::size_t index;  // of kColumn and kPredictor
};

class Graph {
 public:
  [[nodiscard]] Id literal(double value);
  [[nodiscard]] Id column(std::size_t index);
  [[nodiscard]] Id predictor(std::size_t index);

  // Of numbers and smooth values alike. `function` of two: the second is a number.
  [[nodiscard]] Id add(Id a, Id b);
  [[nodiscard]] Id subtract(Id a, Id b);
  [[nodiscard]] Id multiply(Id a, Id b);
  [[nodiscard]] Id divide(Id a, Id b);
  [[nodiscard]] Id negate(Id a);
  [[nodiscard]] Id power(Id a, Id exponent);
  [[nodiscard]] Id function(Op op, Id a);
  [[nodiscard]] Id log_rising(Id a, Id rise);
  // Of numbers.
  [[nodiscard]] Id of_numbers(Op op, Id a, Id b = 0, Id c = 0);

  // a = base + offset, the offset a number; offset 0 where there is none to be seen.
  struct Shifted {
    Id base;
    Id offset;
  };
  [[nodiscard]] Shifted shifted(Id a);

  // How many of a node's operands count.
  [[nodiscard]] static std::size_t operands(Op op) noexcept;
  [[nodiscard]] const Node& at(Id id) const noexcept { return nodes_[id]; }
  [[nodiscard]] bool is_smooth(Id id) const noexcept { return nodes_[id].is_smooth; }
  [[nodiscard]] bool is_literal(Id id, double value) const noexcept {
    return nodes_[id].op == Op::kLiteral && nodes_[id].literal == value;
  }
  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }

 private:
  using Key = std::tuple<Op, bool, Id, Id, Id, std::size_t, std::uint64_t>;

  [[nodiscard]] Id intern(const Node& node);
  [[nodiscard]] Id smooth_node(Op op, Id a, Id b = 0);
  [[nodiscard]] Id inverse(Id a);
  [[nodiscard]] Id log(Id a);
  [[nodiscard]] Id log1p(Id a);
  [[nodiscard]] Id product(Id a, Id b);
  [[nodiscard]] Id whole_power(Id a, int exponent);
  [[nodiscard]] std::optional<Id> log_of(Id a);
  [[nodiscard]] std::optional<Id> find_log_of(Id a);
  [[nodiscard]] Shifted find_shifted(Id a);
  [[nodiscard]] Id log_sigmoid(Id a);
  [[nodiscard]] bool is(Id id, Op op) const noexcept { return nodes_[id].op == op; }
  [[nodiscard]] Id first(Id id) const noexcept { return nodes_[id].from[0]; }
  [[nodiscard]] Id second(Id id) const noexcept { return nodes_[id].from[1]; }

  std::vector<Node> nodes_{};
  std::map<Key, Id> known_{};
  // A node may be an operand many times over: each is looked at once.
  std::map<Id, std::optional<Id>> logs_{};
  std::map<Id, Shifted> shifted_{};
};

}  // namespace flymc::typed
