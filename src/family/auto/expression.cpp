#include "family/auto/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/text.hpp"
#include "family/auto/compile.hpp"
#include "family/auto/syntax.hpp"

namespace flymc {
namespace {

void check_names(const typed::Names& names, const std::string& text) {
  if (names.predictors.empty() || names.predictors.size() > typed::Tape::kMostPredictors) {
    typed::fail_text(text, counted(names.predictors.size(), "predictor"),
                     fmt::format("give one to {}.", typed::Tape::kMostPredictors));
  }
  if (names.columns.empty()) {
    typed::fail_text(text, "no column of data", "give the response at least.");
  }
  std::set<std::string> all;
  for (const auto* list : {&names.predictors, &names.columns}) {
    for (const std::string& name : *list) {
      if (name.empty() || !all.insert(name).second) {
        typed::fail_text(text, fmt::format("name {} is empty or given twice", in_quotes(name)),
                         "predictors and columns have names of their own.");
      }
    }
  }
}

typed::Program compiled(const typed::Names& names, const std::string& text) {
  check_names(names, text);
  return typed::compile(typed::parse(text, names), names, text);
}

}  // namespace

Expression::Expression(std::string text, std::vector<std::string> predictors,
                       std::vector<std::string> columns) {
  typed::Program program = compiled({predictors, columns}, text);
  parts_ = std::make_shared<const Parts>(
      Parts{std::move(text), std::move(predictors), std::move(columns), std::move(program)});
}

std::vector<std::string> Expression::columns_used() const {
  std::set<std::uint16_t> used(program().conditions.columns.begin(),
                               program().conditions.columns.end());
  for (const typed::Tape& tape : program().tapes) {
    used.insert(tape.row.columns.begin(), tape.row.columns.end());
  }
  std::vector<std::string> names;
  names.reserve(used.size());
  for (const std::uint16_t column : used) {
    names.push_back(columns()[column]);
  }
  return names;
}

}  // namespace flymc
