#include "flymc/load.hpp"

#include <utility>

#include "core/text.hpp"
#include "data/load/column_guess.hpp"
#include "data/load/read_table.hpp"
#include "data/table/dates.hpp"
#include "data/table/factors.hpp"
#include "data/table/fill_missing.hpp"
#include "data/table/reference.hpp"

namespace flymc {
namespace {

// The formulas of all predictors, the first's first, and what a table needs for them.
struct AllFormulas {
  std::vector<std::string> names;  // of the predictors; empty: there is one, with all columns
  std::vector<Formula> each;
  Formula united;
};

// Without a formula the first has the columns that the specification names.
Formula first_formula(const LoadSpec& spec) {
  Formula first = formula_of(spec);
  if (spec.formula.empty()) {
    first.all_others = spec.features.empty();
    first.removed = spec.drop;
    for (const std::string& name : spec.features) {
      first.terms.push_back({first.variables.size()});
      first.variables.push_back({name, name, Formula::Kind::kColumn, FormulaValue::column(name)});
    }
  }
  return first;
}

AllFormulas all_formulas(const LoadSpec& spec) {
  if (spec.formulas.empty()) {
    return {{}, {}, formula_of(spec)};
  }
  AllFormulas all{{""}, {first_formula(spec)}, {}};
  for (const auto& [name, text] : spec.formulas) {
    all.names.push_back(name);
    Formula& formula = all.each.emplace_back(parse_predictor(text));
    formula.removed.insert(formula.removed.end(), spec.drop.begin(), spec.drop.end());
  }
  for (Formula& formula : all.each) {
    formula.every_level = spec.matches_earlier;
    formula.constants = spec.constants;
  }
  require_one_kind(all.each);
  all.united = unite(all.each);
  return all;
}

void add_missing_columns(const Constants& constants, AllFormulas& formulas) {
  formulas.united = with_missing_columns(formulas.united, constants);
  for (Formula& formula : formulas.each) {
    formula = with_missing_columns(formula, constants);
  }
}

ColumnsOfPredictors make_columns(const AllFormulas& formulas, TableRead& read, unsigned threads) {
  if (formulas.names.empty()) {
    apply_formula(formulas.united, read, threads);
    return {};
  }
  ColumnsOfPredictors columns;
  const auto made = apply_formulas(formulas.each, read, threads);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Formula& formula = formulas.each[i];
    PredictorColumns& predictor = columns[formulas.names[i]];
    predictor = {made[i], formula.intercept, {}};
    for (const std::size_t v : formula.offsets) {
      if (i > 0) {
        predictor.offsets.push_back(formula.variables[v].name);
      }
    }
  }
  return columns;
}

}  // namespace

Loaded load(const LoadSpec& asked) {
  return within_memory(asked, [&]() -> Loaded {
    const LoadSpec spec = with_categories(asked);
    AllFormulas formulas = all_formulas(spec);
    require_levels_can_be_dealt(formulas.united, *spec.ranks);
    auto [read, kind, checksums] = read_table(spec, formulas.united);
    take_factors(formulas.united, read);
    count_from_first_day(spec, read);
    fill_missing(spec, read);
    add_missing_columns(read.table.constants, formulas);
    if (drops_valueless_rows(spec)) {
      drop_valueless_rows(formulas.united, read, spec.threads);
      require_rows(read.counts, escaped(spec.path));
    }
    require_references(spec.reference, read.table.levels);
    ColumnsOfPredictors predictors = make_columns(formulas, read, spec.threads);
    read.table.left_out = read.counts.rows - read.table.sharding().rows();
    if (!spec.second().empty()) {
      read.table.trials_name = spec.second();
    }
    std::string note = read_note(spec, kind, read);
    return {std::move(read.table),    kind.format,          std::move(read.counts), std::move(note),
            std::move(read.warnings), std::move(checksums), std::move(predictors)};
  });
}

}  // namespace flymc
