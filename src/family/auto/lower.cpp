#include "family/auto/lower.hpp"

#include <utility>

namespace flymc::typed {
namespace {

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

}  // namespace

Lowered lower(const Syntax& syntax, const Answers& answers, Graph& graph) {
  Lowering lowering(syntax, graph, answers);
  const Id result = lowering.result();
  return {result, lowering.undecided()};
}

}  // namespace flymc::typed
