#include "family/auto/compile.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/text.hpp"
#include "family/auto/emit.hpp"
#include "family/auto/graph.hpp"
#include "family/auto/lower.hpp"

namespace flymc::typed {
namespace {

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
    RowCoder::Places places;
    program_.conditions = conditions.code(places);
    for (std::size_t i = 0; i < conditions_.size(); ++i) {
      program_.choices[i].condition = places.at(conditions_[i]);
    }
    return std::move(program_);
  }
  [[nodiscard]] unsigned predictors_seen() const noexcept { return seen_; }

 private:
  // The tree of choices below these answers.
  std::size_t grow(const Answers& answers) {
    const auto [result, undecided] = lower(syntax_, answers, graph_);
    if (!undecided) {
      if (program_.tapes.size() == Program::kMostTapes) {
        throw TooLong{"combinations of conditions", Program::kMostTapes};
      }
      program_.tapes.push_back(make_tape(graph_, predictors_, result));
      seen_ |= graph_.at(result).predictors;
      return Program::kTape + program_.tapes.size() - 1;
    }
    const std::size_t at = program_.choices.size();
    program_.choices.push_back({});
    conditions_.push_back(*undecided);
    Answers more = answers;
    more[*undecided] = true;
    const std::size_t yes = grow(more);
    more[*undecided] = false;
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
