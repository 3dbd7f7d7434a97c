#include "predict/new_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/csv/csv_fields.hpp"
#include "data/table/fill_missing.hpp"
#include "data/table/formula.hpp"
#include "data/table/group_terms.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// The input columns behind the features: "city=Oslo", "city=Paris" are one, city; so are age and
// "age_missing". Names of features are distinct, so nothing else has such a name.
void name_columns(const std::vector<std::string>& features, const StoredRun& run, LoadSpec& spec) {
  const Levels& known = run.levels;
  std::map<std::string, std::string> column_of;
  for (const std::string& column : filled_numbers(run.constants)) {
    column_of[missing_name(column)] = column;
  }
  for (const auto& [column, levels] : known) {
    for (const std::string& level : levels) {
      column_of[column + "=" + level] = column;
    }
  }
  std::set<std::string> taken;
  for (const std::string& feature : features) {
    const auto found = column_of.find(feature);
    const std::string& column = found != column_of.end() ? found->second : feature;
    if (taken.insert(column).second) {
      spec.features.push_back(column);
    }
    if (known.contains(column) && found != column_of.end() && !spec.levels.contains(column)) {
      spec.categorical.push_back(column);
      spec.levels[column] = known.at(column);
    }
  }
}

// The columns behind the features that no function or product of the formula makes: what its `.`
// stood for, and columns that it names beside it.
std::vector<std::string> others_of(const RunDraws& draws, const Formula& formula) {
  std::vector<std::string> rest = draws.features;
  for (const Formula::Term& term : formula.terms) {
    const Formula::Kind kind = formula.variables[term[0]].kind;
    if (term.size() == 1 && (kind == Formula::Kind::kColumn || kind == Formula::Kind::kFactor)) {
      continue;
    }
    for (const std::string& name : formula.columns_of(term, draws.run.levels)) {
      std::erase(rest, name);
    }
  }
  LoadSpec others;
  name_columns(rest, draws.run, others);
  return others.features;
}

// What a term needs to be read for: its own columns, and those of missing values beside them.
std::vector<std::string> columns_made_of(const Formula::Term& term, const Formula& formula,
                                         const Levels& levels) {
  std::vector<std::string> names = formula.columns_of(term, levels);
  for (const std::size_t v : term) {
    for (const std::string& column : formula.variables[v].value.columns()) {
      names.push_back(missing_name(column));
    }
  }
  return names;
}

// The terms of the fit that have a feature, with the levels that they had.
void name_terms(const RunDraws& draws, const Formula& of_fit, LoadSpec& spec) {
  const Levels& levels = draws.run.levels;
  const Formula formula = of_fit.with_others(others_of(draws, of_fit));
  std::vector<std::string> terms;
  for (const Formula::Term& term : formula.terms) {
    if (std::ranges::none_of(columns_made_of(term, formula, levels), [&](const std::string& name) {
          return std::ranges::find(draws.features, name) != draws.features.end();
        })) {
      continue;
    }
    std::vector<std::string> variables;
    for (const std::size_t v : formula.in_order_of_name(term)) {
      const Formula::Variable& variable = formula.variables[v];
      variables.push_back(variable.text);
      if (levels.contains(variable.name) && !spec.levels.contains(variable.name)) {
        spec.categorical.push_back(variable.name);
        spec.levels[variable.name] = levels.at(variable.name);
      }
    }
    terms.push_back(fmt::format("{}", fmt::join(variables, ":")));
  }
  for (const std::size_t v : formula.offsets) {
    terms.push_back(fmt::format("offset({})", formula.variables[v].text));
  }
  spec.formula = terms.empty() ? "" : fmt::format("~ {}", fmt::join(terms, " + "));
}

// Of all predictors; without a formula the first has what is left of the features.
Formula united_formula(const LoadSpec& fit) {
  Formula first;
  first.all_others = true;
  std::vector<Formula> formulas = {fit.formula.empty() ? first : parse_formula(fit.formula)};
  for (const auto& [name, text] : fit.formulas) {  // their offsets are columns of the fit
    Formula& other = formulas.emplace_back(parse_predictor(text));
    for (const std::size_t v : std::exchange(other.offsets, {})) {
      if (std::ranges::find(other.terms, Formula::Term{v}) == other.terms.end()) {
        other.terms.push_back({v});
      }
    }
  }
  return unite(formulas);
}

bool is_npy(const LoadSpec& spec) { return named_format(spec) == Format::kNpy; }

// What was given, else the column of the fit; a file of the fit's has other rows and is no answer.
class PartNames {
 public:
  PartNames(const LoadSpec& fit, const LoadSpec& spec) : files_(is_npy(fit) || is_npy(spec)) {}

  [[nodiscard]] std::string name(const std::string& given, const std::string& in_fit) const {
    return !given.empty() || files_ ? given : in_fit;
  }
  // Of a part that the fit had and a prediction cannot do without.
  [[nodiscard]] std::string required(const std::string& given, const std::string& in_fit,
                                     const char* setting) const {
    const std::string found = name(given, in_fit);
    if (!in_fit.empty() && found.empty()) {
      throw Error(ErrorKind::kUsage, message("the fit had {}", Setting{setting, shortened(in_fit)}),
                  message("name that of the new rows with {}.", Setting{setting}));
    }
    return found;
  }

 private:
  bool files_;
};

// Not all classes are numbers.
bool has_names(const std::vector<std::string>& classes) {
  double ignored = 0.0;
  return std::ranges::any_of(classes, [&](const std::string& label) {
    return csv::read_number(label, ignored) != csv::Reading::kFinite;
  });
}

// Where the rows lie and which of them count. The response is read where a missing one leaves out
// its row.
void read_as_fit(const LoadSpec& fit, const NewData& data, LoadSpec& spec) {
  spec.path = fit.path;
  spec.frame = data.frame;
  spec.format = fit.format;
  spec.header = fit.header;
  spec.missing = fit.missing;
  spec.missing_in = fit.missing_in;
  spec.other_levels = fit.other_levels;
  spec.offset = fit.offset;
  spec.weights = fit.weights;
  const bool npz = named_format(fit) == Format::kNpz;
  const std::string response = fit.response.empty() && npz ? "y" : fit.response;
  spec.response = data.with_response || fit.missing != Missing::kError ? response : "";
  if (data.with_response) {
    spec.trials = fit.trials;
    spec.censored = fit.censored;
  }
}

void read_new(const LoadSpec& fit, const NewData& data, LoadSpec& spec) {
  spec.path = data.path;
  spec.frame = data.frame;
  spec.format = data.format;
  spec.missing = data.missing;
  spec.drops_unanswered = data.drops_unanswered;
  const PartNames parts(fit, spec);
  spec.offset = parts.required(data.offset, fit.offset, "offset");
  if (data.with_response) {
    const bool npz = named_format(spec) == Format::kNpz;
    spec.response = parts.name(data.response, fit.response.empty() && npz ? "y" : fit.response);
  }
  if (data.with_response || data.with_trials) {
    spec.trials = parts.required(data.trials, fit.second(), "trials");
  }
}

// A .fly has no levels: it has the columns that `convert` made of them, by the names that the fit
// gives them, too. What is added to the predictor, or grouped by, is made of columns as they were.
bool has_columns_of_fit(const RunDraws& draws, const NewData& data) {
  const LoadSpec& fit = draws.run.options.data;
  return !data.of_fit && !data.changes_rows && data.frame == nullptr &&
         named_format({.path = data.path, .format = data.format}) == Format::kFly &&
         !draws.run.levels.empty() && draws.run.options.groups.empty() && fit.formulas.empty() &&
         (fit.formula.empty() || parse_formula(fit.formula).offsets.empty());
}

LoadSpec spec_for(const RunDraws& draws, const NewData& data) {
  const LoadSpec& fit = draws.run.options.data;
  LoadSpec spec;
  spec.threads = data.threads;
  spec.matches_earlier = true;
  spec.dates = fit.dates;
  spec.constants = draws.run.constants;
  spec.text_response = has_names(draws.run.classes);
  if (has_columns_of_fit(draws, data)) {
    spec.features = draws.features;
    spec.levels = draws.run.levels;
  } else if (fit.formula.empty() && fit.formulas.empty()) {
    name_columns(draws.features, draws.run, spec);
  } else {
    name_terms(draws, united_formula(fit), spec);
  }
  for (const GroupTerm& term : draws.run.options.groups) {
    if (!term.is_smooth()) {
      spec.formula += " + " + to_text(term);
    }
  }
  if (data.of_fit) {
    read_as_fit(fit, data, spec);
  } else {
    read_new(fit, data, spec);
  }
  return spec;
}

BlockLimits limits_for(const RunDraws& draws, const NewData& data) {
  constexpr std::size_t kBlockNumbers = std::size_t{1} << 20;  // 8 MiB
  const std::size_t by_width = kBlockNumbers / (draws.features.size() + 1) + 1;
  return {.rows = data.block_rows > 0 ? data.block_rows : by_width};
}

void encode(Table& table, const RunDraws& draws, const NewData& data) {
  if (table.response.values.empty()) {
    throw Error(ErrorKind::kUsage,
                message("{}: {} has no response", Setting{"log_lik"}, escaped(data.path)),
                message("name it with {}.", Setting{"response"}));
  }
  encode_known_response(table, draws);
}

}  // namespace

std::span<const Word<NewLevels>> words_of(NewLevels) noexcept {
  static constexpr Word<NewLevels> kWords[] = {{"draw", NewLevels::kDraw},
                                               {"error", NewLevels::kError}};
  return kWords;
}

NewRows::NewRows(const RunDraws& draws, const NewData& data)
    : draws_(draws),
      data_(data),
      blocks_(spec_for(draws, data), limits_for(draws, data)),
      levels_(draws) {}

std::vector<std::string> NewRows::warnings() const {
  std::vector<std::string> all = blocks_.warnings();
  std::ranges::copy(levels_.warnings(), std::back_inserter(all));
  if (has_columns_of_fit(draws_, data_)) {
    for (const auto& [column, levels] : draws_.run.levels) {
      all.push_back(fmt::format(
          "{} does not say which level of {} rows without an indicator have; they are taken for "
          "{}, as in the fit.",
          escaped(data_.path), in_quotes(column), in_quotes(levels.front())));
    }
  }
  return all;
}

void NewRows::arrange(Table& table) const {
  if (const LoadSpec& fit = draws_.run.options.data;
      !fit.formula.empty() || !fit.formulas.empty()) {
    arrange_columns(draws_.features, table);
  }
  if (table.columns != draws_.features) {
    throw Error(ErrorKind::kData, "run.json: 'levels' and 'parameters' do not belong together",
                message("restore the file, or fit again with {}.", Setting{"overwrite"}));
  }
}

std::optional<TableRead> NewRows::next_raw() {
  std::optional<TableRead> rows = blocks_.next_raw();
  if (rows) {
    levels_.match(rows->table.factors, data_.new_levels);
    rows->table.response = {};
  }
  return rows;
}

void NewRows::make_columns(TableRead& rows, unsigned threads) const {
  blocks_.make_columns(rows, threads);
  arrange(rows.table);
}

std::optional<Table> NewRows::next() {
  std::optional<Table> table = blocks_.next();
  if (!table) {
    return table;
  }
  arrange(*table);
  levels_.match(table->factors, data_.new_levels);
  if (data_.with_response) {
    encode(*table, draws_, data_);
  }
  return table;
}

}  // namespace flymc
