#include "family/auto/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/text.hpp"
#include "family/auto/graph.hpp"

namespace flymc::typed {
namespace {

// Answers to conditions, by their nodes.
using Answers = std::map<Id, bool>;

struct Signed {
  Id id;
  bool is_negative;
};

// A tree as a node of the graph, for one set of answers. A condition that none of them decides is
// taken to hold, and remembered.
class Lowering {
 public:
  Lowering(const Syntax& syntax, Graph& graph, const Answers& answers)
      : syntax_(syntax), graph_(graph), answers_(answers) {}

  [[nodiscard]] Id result() {
    const std::vector<bool> is_used = used_definitions();
    for (std::size_t i = 0; i < syntax_.definitions.size(); ++i) {
      defined_.push_back(is_used[i] ? lower(syntax_.definitions[i].tree) : 0);
    }
    return lower(syntax_.result);
  }
  [[nodiscard]] std::optional<Id> undecided() const { return undecided_; }

 private:
  // Those that the result refers to, by whatever way. Trees stand after what they are made of.
  [[nodiscard]] std::vector<bool> used_definitions() const {
    std::vector<bool> is_used(syntax_.definitions.size(), false);
    std::vector<bool> is_seen(syntax_.trees.size(), false);
    is_seen[syntax_.result] = true;
    for (std::size_t i = syntax_.trees.size(); i-- > 0;) {
      if (!is_seen[i]) {
        continue;
      }
      const Tree& tree = syntax_.trees[i];
      for (const Operand& operand : tree.operands) {
        is_seen[operand.tree] = true;
      }
      if (tree.form == Form::kDefined) {
        is_used[tree.index] = true;
        is_seen[syntax_.definitions[tree.index].tree] = true;
      }
    }
    return is_used;
  }

  [[nodiscard]] bool decide(Id condition) {
    const Node& node = graph_.at(condition);
    if (node.op == Op::kLiteral) {
      return node.literal != 0.0;
    }
    if (node.op == Op::kNot) {
      return !decide(node.from[0]);
    }
    const auto answer = answers_.find(condition);
    if (answer != answers_.end()) {
      return answer->second;
    }
    undecided_ = undecided_.value_or(condition);
    return true;
  }

  [[nodiscard]] Id lower(std::size_t index) {
    const Tree& tree = syntax_.trees[index];
    switch (tree.form) {
      case Form::kLiteral:
        return graph_.literal(tree.literal);
      case Form::kColumn:
        return graph_.column(tree.index);
      case Form::kPredictor:
        return graph_.predictor(tree.index);
      case Form::kDefined:
        return defined_[tree.index];
      case Form::kSum:
        return sum(tree);
      case Form::kProduct:
        return product(tree);
      case Form::kIf:
        return choice(tree);
      case Form::kLogSigmoid: {
        const Id inner = graph_.negate(operand(tree, 0));
        return graph_.negate(graph_.function(Op::kSoftplus, inner));
      }
      case Form::kFunction:
        return function(tree);
      default:
        return condition(tree);
    }
  }
  [[nodiscard]] Id operand(const Tree& tree, std::size_t i) { return lower(tree.operands[i].tree); }

  [[nodiscard]] Id condition(const Tree& tree) {
    const Id a = operand(tree, 0);
    if (tree.form == Form::kNot) {
      const Node& inner = graph_.at(a);
      return inner.op == Op::kNot ? inner.from[0] : graph_.of_numbers(Op::kNot, a);
    }
    const Id b = operand(tree, 1);
    const Op op = tree.form == Form::kCompare ? tree.op
                  : tree.form == Form::kAnd   ? Op::kAnd
                                              : Op::kOr;
    return graph_.of_numbers(op, a, b);
  }

  // A number is chosen when a row is read; what is smooth has a tape for each answer.
  [[nodiscard]] Id choice(const Tree& tree) {
    const Id decides = operand(tree, 0);
    if (tree.type == Type::kNumber) {
      const Id yes = operand(tree, 1);
      return graph_.of_numbers(Op::kSelect, decides, yes, operand(tree, 2));
    }
    return decide(decides) ? operand(tree, 1) : operand(tree, 2);
  }

  [[nodiscard]] Id function(const Tree& tree) {
    const Id a = operand(tree, 0);
    if (tree.operands.size() == 1) {
      return graph_.function(tree.op, a);
    }
    const Id b = operand(tree, 1);
    if (tree.op == Op::kPower) {
      return graph_.power(a, b);
    }
    return tree.op == Op::kLogRising ? graph_.log_rising(a, graph_.of_numbers(Op::kRise, b))
                                     : graph_.of_numbers(tree.op, a, b);
  }

  [[nodiscard]] Id product(const Tree& tree) {
    Id all = operand(tree, 0);
    for (std::size_t i = 1; i < tree.operands.size(); ++i) {
      const Id next = operand(tree, i);
      all = tree.operands[i].is_reversed ? graph_.divide(all, next) : graph_.multiply(all, next);
    }
    return all;
  }

  [[nodiscard]] Id sum(const Tree& tree) {
    std::vector<Signed> terms;
    for (const Operand& each : tree.operands) {
      terms.push_back({lower(each.tree), each.is_reversed});
    }
    join_log_gammas(terms);
    Id all = terms[0].is_negative ? graph_.negate(terms[0].id) : terms[0].id;
    for (std::size_t i = 1; i < terms.size(); ++i) {
      all = terms[i].is_negative ? graph_.subtract(all, terms[i].id) : graph_.add(all, terms[i].id);
    }
    return all;
  }

  // lgamma(x + d) - lgamma(x) = lrising(x, d) for a number d >= 0, and -lrising(x + d, -d) else.
  void join_log_gammas(std::vector<Signed>& terms) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      for (std::size_t j = i + 1; j < terms.size(); ++j) {
        if (terms[i].is_negative == terms[j].is_negative || !is_log_gamma(terms[i].id) ||
            !is_log_gamma(terms[j].id)) {
          continue;
        }
        const auto [plus, minus] = terms[i].is_negative ? std::pair(terms[j].id, terms[i].id)
                                                        : std::pair(terms[i].id, terms[j].id);
        if (const auto joined = rising(graph_.at(plus).from[0], graph_.at(minus).from[0])) {
          terms[i] = *joined;
          terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(j));
          break;
        }
      }
    }
  }
  [[nodiscard]] bool is_log_gamma(Id id) const {
    return graph_.is_smooth(id) && graph_.at(id).op == Op::kLogGamma;
  }
  [[nodiscard]] std::optional<Signed> rising(Id to, Id from) {
    const Graph::Shifted end = graph_.shifted(to);
    const Graph::Shifted start = graph_.shifted(from);
    if (end.base != start.base) {
      return std::nullopt;
    }
    const Id rise = graph_.subtract(end.offset, start.offset);
    const Id fall = graph_.subtract(start.offset, end.offset);
    const Id rises = graph_.of_numbers(Op::kLessEqual, graph_.literal(0.0), rise);
    return decide(rises) ? Signed{graph_.log_rising(from, rise), false}
                         : Signed{graph_.log_rising(to, fall), true};
  }

  const Syntax& syntax_;
  Graph& graph_;
  const Answers& answers_;
  std::vector<Id> defined_{};
  std::optional<Id> undecided_{};
};

struct TooLong {
  std::string_view what;
  std::size_t limit;
};

// The numbers that some nodes need, in the order of their making.
class RowCoder {
 public:
  explicit RowCoder(const Graph& graph) : graph_(graph) {}

  void need(Id id) {
    if (!needed_.insert(id).second) {
      return;
    }
    std::vector<Id> open{id};
    while (!open.empty()) {
      const Node& node = graph_.at(open.back());
      open.pop_back();
      for (std::size_t i = 0; i < Graph::operands(node.op); ++i) {
        if (needed_.insert(node.from[i]).second) {
          open.push_back(node.from[i]);
        }
      }
    }
  }

  // And the place of each value. Ids are in an order of evaluation.
  [[nodiscard]] RowCode code(std::map<Id, std::uint8_t>& place) const {
    if (needed_.size() > RowCode::kMostValues) {
      throw TooLong{"numbers and operations on data", RowCode::kMostValues};
    }
    RowCode code;
    for (const Op op : {Op::kColumn, Op::kLiteral}) {
      for (const Id id : needed_) {
        const Node& node = graph_.at(id);
        if (node.op != op) {
          continue;
        }
        place[id] = static_cast<std::uint8_t>(code.size());
        if (op == Op::kColumn) {
          code.columns.push_back(static_cast<std::uint16_t>(node.index));
        } else {
          code.literals.push_back(node.literal);
        }
      }
    }
    for (const Id id : needed_) {
      const Node& node = graph_.at(id);
      if (node.op == Op::kColumn || node.op == Op::kLiteral) {
        continue;
      }
      RowCode::Step step{node.op, 0, 0, 0};
      std::uint8_t* const to[] = {&step.a, &step.b, &step.c};
      for (std::size_t i = 0; i < Graph::operands(node.op); ++i) {
        *to[i] = place.at(node.from[i]);
      }
      place[id] = static_cast<std::uint8_t>(code.size());
      code.steps.push_back(step);
    }
    return code;
  }

 private:
  const Graph& graph_;
  std::set<Id> needed_{};
};

[[nodiscard]] bool has_two_smooth(Op op) {
  return op == Op::kAdd || op == Op::kSubtract || op == Op::kMultiply;
}

// Steps for what a result needs, operands first, and a register for each while it is needed.
class TapeMaker {
 public:
  TapeMaker(const Graph& graph, std::size_t predictors) : graph_(graph), predictors_(predictors) {}

  [[nodiscard]] Tape make(Id result) {
    Tape tape;
    std::map<Id, std::uint8_t> value;
    RowCoder numbers(graph_);
    if (!graph_.is_smooth(result)) {
      numbers.need(result);
      tape.row = numbers.code(value);
      tape.is_number = true;
      tape.result = value.at(result);
      return tape;
    }
    schedule(result);
    for (const Id id : order_) {
      const Node& node = graph_.at(id);
      if (Graph::operands(node.op) == 2 && !has_two_smooth(node.op)) {
        numbers.need(node.from[1]);
      }
    }
    tape.row = numbers.code(value);
    assign_registers(result, value, tape);
    return tape;
  }

 private:
  [[nodiscard]] std::size_t smooth_operands(const Node& node) const {
    return node.op == Op::kPredictor ? 0 : has_two_smooth(node.op) ? 2 : 1;
  }

  // Depth first, so that sums hold few values at a time. No recursion: a sum may have many terms.
  void schedule(Id result) {
    std::vector<std::pair<Id, std::size_t>> open{{result, 0}};
    std::set<Id> is_done;
    while (!open.empty()) {
      auto& [id, next] = open.back();
      const Node& node = graph_.at(id);
      if (next < smooth_operands(node)) {
        const Id operand = node.from[next++];
        if (!is_done.contains(operand)) {
          open.emplace_back(operand, 0);
        }
        continue;
      }
      if (is_done.insert(id).second && node.op != Op::kPredictor) {
        order_.push_back(id);
      }
      open.pop_back();
    }
    if (order_.size() > Tape::kMostSteps) {
      throw TooLong{"operations", Tape::kMostSteps};
    }
  }

  void assign_registers(Id result, const std::map<Id, std::uint8_t>& value, Tape& tape) {
    std::map<Id, std::size_t> last_use;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Node& node = graph_.at(order_[i]);
      for (std::size_t k = 0; k < smooth_operands(node); ++k) {
        last_use[node.from[k]] = i;
      }
    }
    last_use[result] = order_.size();
    std::vector<std::uint8_t> free;
    std::size_t next = predictors_;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Node& node = graph_.at(order_[i]);
      Tape::Step step{.op = node.op,
                      .to = 0,
                      .left = of(node.from[0]),
                      .right = 0,
                      .predictors = node.predictors,
                      .of_data = node.of_data};
      if (has_two_smooth(node.op)) {
        step.right = of(node.from[1]);
      } else if (Graph::operands(node.op) == 2) {
        step.right = value.at(node.from[1]);
      }
      for (std::size_t k = 0; k < smooth_operands(node); ++k) {
        const Id operand = node.from[k];
        const bool is_twice = k == 1 && operand == node.from[0];
        if (!is_twice && last_use.at(operand) == i && graph_.at(operand).op != Op::kPredictor) {
          free.push_back(register_.at(operand));
        }
      }
      if (free.empty()) {
        if (next == Tape::kMostRegisters) {
          throw TooLong{"values at a time", Tape::kMostRegisters - predictors_};
        }
        free.push_back(static_cast<std::uint8_t>(next++));
      }
      step.to = free.back();
      free.pop_back();
      register_[order_[i]] = step.to;
      tape.steps.push_back(step);
    }
    tape.result = of(result);
  }
  [[nodiscard]] std::uint8_t of(Id id) const {
    const Node& node = graph_.at(id);
    return node.op == Op::kPredictor ? static_cast<std::uint8_t>(node.index) : register_.at(id);
  }

  const Graph& graph_;
  std::size_t predictors_;
  std::vector<Id> order_{};
  std::map<Id, std::uint8_t> register_{};
};

class Compiler {
 public:
  Compiler(const Syntax& syntax, std::size_t predictors)
      : syntax_(syntax), predictors_(predictors) {}

  [[nodiscard]] Program run() {
    grow({});
    RowCoder conditions(graph_);
    for (const Id condition : conditions_) {
      conditions.need(condition);
    }
    std::map<Id, std::uint8_t> place;
    program_.conditions = conditions.code(place);
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      program_.choices[i].condition = place.at(conditions_[i]);
    }
    return std::move(program_);
  }
  [[nodiscard]] unsigned predictors_seen() const noexcept { return seen_; }

 private:
  // The tree of choices below these answers.
  std::size_t grow(const Answers& answers) {
    Lowering lowering(syntax_, graph_, answers);
    const Id result = lowering.result();
    if (!lowering.undecided()) {
      if (program_.tapes.size() == Program::kMostTapes) {
        throw TooLong{"combinations of conditions", Program::kMostTapes};
      }
      program_.tapes.push_back(TapeMaker(graph_, predictors_).make(result));
      seen_ |= graph_.at(result).predictors;
      return Program::kTape + program_.tapes.size() - 1;
    }
    const std::size_t at = program_.choices.size();
    program_.choices.push_back({});
    conditions_.push_back(*lowering.undecided());
    Answers more = answers;
    more[*lowering.undecided()] = true;
    const std::size_t yes = grow(more);
    more[*lowering.undecided()] = false;
    const std::size_t no = grow(more);
    program_.choices[at] = {0, yes, no};
    return at;
  }

  const Syntax& syntax_;
  std::size_t predictors_;
  Graph graph_{};
  Program program_{};
  std::vector<Id> conditions_{};  // of the choices
  unsigned seen_ = 0;
};

}  // namespace

Program compile(const Syntax& syntax, const Names& names, std::string_view text) {
  Compiler compiler(syntax, names.predictors.size());
  try {
    Program program = compiler.run();
    for (std::size_t k = 0; k < names.predictors.size(); ++k) {
      if ((compiler.predictors_seen() >> k & 1U) == 0) {
        fail_text(text, fmt::format("predictor {} does not occur", in_quotes(names.predictors[k])),
                  "use it in the log density, or leave it out of the predictors.");
      }
    }
    return program;
  } catch (const TooLong& limit) {
    fail_text(text, fmt::format("more than {} {}", with_commas(limit.limit), limit.what),
              "make the expression shorter, or add columns to the data that hold parts of it.");
  }
}

}  // namespace flymc::typed
