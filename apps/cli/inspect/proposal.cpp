#include "cli/inspect/proposal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "data/table/formula.hpp"
#include "data/table/group_terms.hpp"

namespace flymc::cli {
namespace {

bool is_in(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// A column that cannot be what somebody wants to explain.
bool explains_nothing(const ColumnGuess& column) {
  return column.kind == ColumnKind::kIdentifier || column.kind == ColumnKind::kIsoDate ||
         column.kind == ColumnKind::kDate || column.kind == ColumnKind::kConstant ||
         column.kind == ColumnKind::kEmpty || column.kind == ColumnKind::kLevels ||
         column.kind == ColumnKind::kMixed || column.kind == ColumnKind::kDecimalComma;
}

// By its name, else the last of two values, else the last.
const ColumnGuess* guess_response(const TableGuess& table) {
  constexpr std::string_view kNames[] = {"y",       "target", "response", "label",
                                         "outcome", "class",  "result",   "event"};
  const ColumnGuess* last = nullptr;
  const ColumnGuess* last_of_two = nullptr;
  for (const ColumnGuess& column : table.columns) {
    if (explains_nothing(column)) {
      continue;
    }
    const std::string name = in_lower_case(column.name);
    if (std::ranges::find(kNames, name) != std::end(kNames)) {
      return &column;
    }
    last = &column;
    last_of_two = column.values == 2U ? &column : last_of_two;
  }
  return last_of_two != nullptr ? last_of_two : last;
}

// So many rows are not to be left out for one column.
bool is_often(std::size_t missing, std::size_t rows) { return 20 * missing > rows; }

std::string reason_to_leave_out(const ColumnGuess& column, std::size_t rows) {
  switch (column.kind) {
    case ColumnKind::kIdentifier:
      return "differs in every row, so nothing is learned from it";
    case ColumnKind::kDate:
      return "a date; write it as 2024-01-31, and --date counts the days";
    case ColumnKind::kLevels:
      return fmt::format(
          "too many levels for indicators; (1 | {}) in a formula makes it a group effect",
          shortened(column.name));
    case ColumnKind::kMixed:
      return fmt::format("numbers but for text such as {}", in_quotes(column.example));
    case ColumnKind::kDecimalComma:
      return "write decimals with a point (1.5)";
    case ColumnKind::kEmpty:
      return "has no values";
    default:
      break;
  }
  return 2 * column.missing > rows ? "missing in more than half of the rows" : "";
}

// A part that the request gives a column, or nothing.
std::string asked_part(const LoadSpec& spec, const Formula& formula, const std::string& name) {
  const std::pair<const std::string*, const char*> parts[] = {
      {&spec.response, "response"}, {&formula.response, "response"}, {&spec.weights, "weights"},
      {&spec.offset, "offset"},     {&spec.trials, "trials"},        {&spec.censored, "censored"}};
  for (const auto& [column, part] : parts) {
    if (!name.empty() && name == *column) {
      return part;
    }
  }
  const bool group = std::ranges::any_of(
      formula.groups, [&](const GroupTerm& term) { return is_in(factor_columns(term), name); });
  return group                                                    ? "groups"
         : is_in(formula.offset_columns(), name)                  ? "offset"
         : is_in(spec.drop, name) || is_in(formula.removed, name) ? "left out"
                                                                  : "";
}

}  // namespace

Proposal propose(const LoadSpec& asked, const TableGuess& guess) {
  const Formula formula = asked.formula.empty() ? Formula{} : parse_formula(asked.formula);
  const bool has_formula = !asked.formula.empty();
  // Of the others none is a feature.
  const std::vector<std::string> chosen =
      has_formula && !formula.all_others ? formula.columns() : asked.features;
  Proposal proposal{asked, guess.rows};
  if (asked.response.empty() && formula.response.empty()) {
    if (const ColumnGuess* const response = guess_response(guess)) {
      proposal.spec.response = response->name;
      proposal.response_guessed = proposal.decided = true;
    }
  }
  const bool all_asked = asked.categorical == std::vector<std::string>{"auto"};
  bool misses = false;
  bool misses_often = false;
  for (const ColumnGuess& column : guess.columns) {
    ColumnPlan plan{column, asked_part(proposal.spec, formula, column.name), ""};
    const bool is_category = is_in(asked.categorical, column.name);
    const bool is_date = is_in(asked.dates, column.name);
    const bool is_chosen = is_in(chosen, column.name) || is_category || is_date;
    if (plan.use.empty() && !chosen.empty() && !is_chosen) {
      plan.use = "left out";
    }
    if (plan.use.empty() && !is_chosen) {
      plan.why = reason_to_leave_out(column, guess.rows);
      if (!plan.why.empty()) {
        plan.use = "left out";
        proposal.spec.drop.push_back(column.name);
        proposal.decided = true;
      }
    }
    if (plan.use.empty() && !is_category && (is_date || column.kind == ColumnKind::kIsoDate)) {
      plan.use = "days";
      if (!is_date) {
        proposal.spec.dates.push_back(column.name);
        proposal.decided = true;
      }
    }
    if (plan.use.empty()) {
      const bool encode = column.text && !is_category;
      plan.use = encode || is_category ? "encoded" : "feature";
      if (encode && !all_asked) {
        proposal.spec.categorical.push_back(column.name);
        proposal.decided = true;
      }
    }
    const bool is_feature = plan.use == "feature" || plan.use == "encoded" || plan.use == "days";
    misses = misses || (plan.use != "left out" && column.missing > 0);
    misses_often = misses_often || (is_feature && is_often(column.missing, guess.rows));
    proposal.columns.push_back(std::move(plan));
  }
  if (misses && asked.missing == Missing::kError) {
    proposal.spec.missing = misses_often ? Missing::kIndicator : Missing::kDrop;
    proposal.decided = true;
  }
  return proposal;
}

}  // namespace flymc::cli
