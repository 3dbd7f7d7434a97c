#include "family/auto/emit.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <utility>

namespace flymc::typed {

void RowCoder::need(Id id) {
  std::vector<Id> open{id};
  while (!open.empty()) {
    const Id next = open.back();
    open.pop_back();
    if (needed_.insert(next).second) {
      const Node& node = graph_.at(next);
      open.insert(open.end(), node.from.begin(),
                  node.from.begin() + static_cast<std::ptrdiff_t>(Graph::operands(node.op)));
    }
  }
}

RowCode::Step RowCoder::step(const Node& node, const Places& places) const {
  std::array<std::uint8_t, 3> from{};
  for (std::size_t i = 0; i < Graph::operands(node.op); ++i) {
    from[i] = places.at(node.from[i]);
  }
  return {node.op, from[0], from[1], from[2]};
}

RowCode RowCoder::code(Places& places) const {
  if (needed_.size() > RowCode::kMostValues) {
    throw TooLong{"numbers and operations on data", RowCode::kMostValues};
  }
  RowCode code;
  const auto add = [&](Id id, auto& list, auto what) {
    places[id] = static_cast<std::uint8_t>(code.size());
    list.push_back(what);
  };
  for (const Id id : needed_) {
    if (graph_.at(id).op == Op::kColumn) {
      add(id, code.columns, static_cast<std::uint16_t>(graph_.at(id).index));
    }
  }
  for (const Id id : needed_) {
    if (graph_.at(id).op == Op::kLiteral) {
      add(id, code.literals, graph_.at(id).literal);
    }
  }
  for (const Id id : needed_) {
    if (!places.contains(id)) {
      add(id, code.steps, step(graph_.at(id), places));
    }
  }
  return code;
}

namespace {

// Of the operands of a smooth node the first ones are smooth.
std::size_t smooth_operands(Op op) {
  switch (op) {
    case Op::kPredictor:
      return 0;
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
      return 2;
    default:
      return 1;
  }
}

// Operands first, depth first: sums hold few values at a time. No recursion, for they may be long.
std::vector<Id> order_of(const Graph& graph, Id result) {
  std::vector<Id> order;
  std::vector<std::pair<Id, std::size_t>> open{{result, 0}};
  std::set<Id> is_done;
  while (!open.empty()) {
    const Id id = open.back().first;
    const Node& node = graph.at(id);
    if (open.back().second < smooth_operands(node.op)) {
      const Id operand = node.from[open.back().second++];
      if (!is_done.contains(operand)) {
        open.emplace_back(operand, 0);
      }
      continue;
    }
    open.pop_back();
    if (is_done.insert(id).second && node.op != Op::kPredictor) {
      order.push_back(id);
    }
  }
  if (order.size() > Tape::kMostSteps) {
    throw TooLong{"operations", Tape::kMostSteps};
  }
  return order;
}

// A register for each value, from its making to its last use.
class Registers {
 public:
  Registers(const Graph& graph, std::size_t predictors) : graph_(graph), predictors_(predictors) {}

  // Counts a use that is to come.
  void expect(Id id) { ++uses_[id]; }
  [[nodiscard]] std::uint8_t of(Id id) const {
    const Node& node = graph_.at(id);
    return node.op == Op::kPredictor ? static_cast<std::uint8_t>(node.index) : register_.at(id);
  }
  [[nodiscard]] std::uint8_t use(Id id) {
    const std::uint8_t found = of(id);
    if (--uses_.at(id) == 0 && graph_.at(id).op != Op::kPredictor) {
      free_.push_back(found);
    }
    return found;
  }
  [[nodiscard]] std::uint8_t make(Id id) {
    if (free_.empty()) {
      if (next_ + predictors_ == Tape::kMostRegisters) {
        throw TooLong{"values at a time", next_};
      }
      free_.push_back(static_cast<std::uint8_t>(predictors_ + next_++));
    }
    register_[id] = free_.back();
    free_.pop_back();
    return register_[id];
  }

 private:
  const Graph& graph_;
  std::size_t predictors_;
  std::size_t next_ = 0;
  std::vector<std::uint8_t> free_{};
  std::map<Id, std::size_t> uses_{};
  std::map<Id, std::uint8_t> register_{};
};

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

Tape number_tape(const Graph& graph, Id result) {
  Tape tape{.is_number = true};
  RowCoder numbers(graph);
  numbers.need(result);
  RowCoder::Places places;
  tape.row = numbers.code(places);
  tape.result = places.at(result);
  return tape;
}

}  // namespace

Tape make_tape(const Graph& graph, std::size_t predictors, Id result) {
  if (!graph.is_smooth(result)) {
    return number_tape(graph, result);
  }
  const std::vector<Id> order = order_of(graph, result);
  RowCoder numbers(graph);
  Registers registers(graph, predictors);
  registers.expect(result);
  for (const Id id : order) {
    const Node& node = graph.at(id);
    for (std::size_t i = 0; i < Graph::operands(node.op); ++i) {
      i < smooth_operands(node.op) ? registers.expect(node.from[i]) : numbers.need(node.from[i]);
    }
  }
  Tape tape;
  RowCoder::Places places;
  tape.row = numbers.code(places);
  tape.serial = next_serial();
  std::array<std::uint8_t, Tape::kMostPredictors> kept_of{};
  for (const Id id : order) {
    const Node& node = graph.at(id);
    Tape::Step step{.op = node.op};
    if (!node.of_data && std::has_single_bit(node.predictors)) {
      const int predictor = std::countr_zero(node.predictors);
      std::uint8_t& kept = kept_of[static_cast<std::size_t>(predictor)];
      if (kept < Tape::kMostKept) {
        step.predictor = static_cast<std::uint8_t>(predictor);
        step.place = kept++;
      }
    }
    step.left = registers.use(node.from[0]);
    if (smooth_operands(node.op) == 2) {
      step.right = registers.use(node.from[1]);
    } else if (Graph::operands(node.op) == 2) {
      step.right = places.at(node.from[1]);
    }
    step.to = registers.make(id);
    tape.steps.push_back(step);
  }
  tape.result = registers.of(result);
  return tape;
}

}  // namespace flymc::typed
