// The columns of a formula, made from those that were read.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "data/table/b_splines.hpp"
#include "data/table/formula.hpp"
#include "data/table/formula_basis.hpp"
#include "data/table/table_rows.hpp"
#include "flymc/dataset.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

using Term = Formula::Term;
using Variable = Formula::Variable;

constexpr std::size_t kPieceNumbers = std::size_t{1} << 18;

// A variable and the columns of the table, as it was read, that it is made of.
struct BoundVariable {
  const Variable* variable = nullptr;
  std::vector<std::size_t>
      inputs;  // of its value; of a category the indicators of levels 1, 2, ...
  bool is_category = false;
  std::size_t first = 0;           // its columns among those of all variables;
  std::vector<std::string> names;  // of a category every level; none: no term has it
  std::vector<double> constants;   // formula_basis.hpp
};

// The variables of a row. Not thread safe: has room for one.
class RowOfVariables {
 public:
  explicit RowOfVariables(const std::vector<BoundVariable>& variables) : variables_(variables) {
    std::size_t count = 0;
    std::size_t inputs = 0;
    std::size_t steps = 0;
    for (const BoundVariable& bound : variables) {
      count += bound.names.size();
      inputs = std::max(inputs, bound.inputs.size());
      steps = std::max(steps, bound.variable->value.size());
    }
    columns_.resize(count);
    inputs_.resize(inputs);
    scratch_.resize(steps);
  }

  [[nodiscard]] const std::vector<double>& columns(const double* in) {
    for (const BoundVariable& bound : variables_) {
      double* const out = columns_.data() + bound.first;
      if (bound.is_category) {
        set_indicators(bound, in, out);
      } else if (!bound.names.empty()) {
        set_basis(*bound.variable, bound.constants, value(bound, in), out);
      }
    }
    return columns_;
  }

  [[nodiscard]] double value(const BoundVariable& bound, const double* in) {
    for (std::size_t i = 0; i < bound.inputs.size(); ++i) {
      inputs_[i] = in[bound.inputs[i]];
    }
    return bound.variable->value(inputs_, scratch_);
  }

 private:
  static void set_indicators(const BoundVariable& bound, const double* in, double* out) {
    out[0] = 1.0;
    for (std::size_t level = 1; level <= bound.inputs.size(); ++level) {
      out[level] = in[bound.inputs[level - 1]];
      out[0] -= out[level];
    }
  }

  const std::vector<BoundVariable>& variables_;
  std::vector<double> columns_;
  std::vector<double> inputs_;
  std::vector<double> scratch_;
};

std::vector<FeatureColumns> features_of(const TableRead& read) {
  if (!read.features.empty()) {
    return read.features;
  }
  std::vector<FeatureColumns> features;  // numbers only: every column is itself
  for (const std::string& name : read.table.columns) {
    features.push_back({name, 1});
  }
  return features;
}

std::vector<std::string> names_of(const std::vector<FeatureColumns>& features) {
  std::vector<std::string> names;
  for (const FeatureColumns& feature : features) {
    names.push_back(feature.name);
  }
  return names;
}

// Finds what a formula needs among the columns that were read.
class FormulaBinder {
 public:
  explicit FormulaBinder(const TableRead& read) : table_(read.table) {
    std::size_t first = 0;
    for (const FeatureColumns& feature : features_of(read)) {
      places_[feature.name] = {first, feature.count};
      first += feature.count;
    }
  }

  [[nodiscard]] std::vector<BoundVariable> bind(const Formula& formula) const {
    std::vector<BoundVariable> all;
    std::size_t first = 0;
    for (std::size_t v = 0; v < formula.variables.size(); ++v) {
      BoundVariable& bound = all.emplace_back();
      bound.variable = &formula.variables[v];
      bound.first = first;
      const bool is_offset = std::ranges::find(formula.offsets, v) != formula.offsets.end();
      if (is_offset || is_used(formula, v)) {
        bind(bound);
      }
      if (is_offset && bound.is_category) {
        throw Error(
            ErrorKind::kUsage,
            message("{}: {} is a category, and offset({}) needs numbers.", Setting{"formula"},
                    in_quotes(bound.variable->name), bound.variable->text));
      }
      first += bound.names.size();
    }
    return all;
  }

 private:
  struct Place {
    std::size_t first = 0;
    std::size_t count = 1;
  };

  static bool is_used(const Formula& formula, std::size_t v) {
    return std::any_of(formula.terms.begin(), formula.terms.end(), [&](const Term& term) {
      return std::find(term.begin(), term.end(), v) != term.end();
    });
  }

  void bind(BoundVariable& bound) const {
    const Variable& variable = *bound.variable;
    for (const std::string& name : variable.value.columns()) {
      const auto place = places_.find(name);
      if (place == places_.end()) {
        throw Error(ErrorKind::kData,
                    message("{}: no column {}.", Setting{"formula"}, in_quotes(name)));
      }
      bound.is_category = table_.levels.contains(name);
      if (bound.is_category && variable.kind != Formula::Kind::kColumn &&
          variable.kind != Formula::Kind::kFactor) {
        throw Error(ErrorKind::kUsage,
                    message("{}: {} is a category, and {} needs numbers.", Setting{"formula"},
                            in_quotes(name), in_quotes(variable.text)));
      }
      for (std::size_t i = 0; i < place->second.count; ++i) {
        bound.inputs.push_back(place->second.first + i);
      }
    }
    bound.names = Formula::columns_of(variable, table_.levels);
  }

  const Table& table_;
  std::map<std::string, Place> places_;
};

// A column to make: the product of columns of variables.
struct MadeColumn {
  std::string name{};
  std::vector<std::size_t> factors{};
  std::vector<std::string> names{};  // of the factors
};

// Which levels of its categories each term has.
class TermCoding {
 public:
  TermCoding(const Formula& formula, const std::vector<BoundVariable>& variables)
      : formula_(formula), variables_(variables) {}

  [[nodiscard]] std::vector<MadeColumn> columns() {
    std::vector<MadeColumn> all;
    for (std::size_t t = 0; t < formula_.terms.size(); ++t) {
      const Term& term = formula_.terms[t];
      std::vector<MadeColumn> made = {{}};
      for (const std::size_t v : term) {
        made = extended(made, variables_[v], lacks_first_level(t, v));
      }
      for (MadeColumn& column : made) {
        column.name = formula_.product_name(term, column.names);
        all.push_back(std::move(column));
      }
    }
    return all;
  }

 private:
  // What is left of the term without the variable is part of an earlier term. Without an intercept
  // the first category of all has every level.
  [[nodiscard]] bool lacks_first_level(std::size_t t, std::size_t v) {
    if (!variables_[v].is_category) {
      return false;
    }
    if (formula_.every_level || (!formula_.intercept && !std::exchange(met_category_, true))) {
      return false;
    }
    Term rest = formula_.terms[t];
    std::erase(rest, v);
    if (rest.empty()) {
      return true;
    }
    return std::any_of(
        formula_.terms.begin(), formula_.terms.begin() + static_cast<std::ptrdiff_t>(t),
        [&](const Term& earlier) {
          return std::includes(earlier.begin(), earlier.end(), rest.begin(), rest.end());
        });
  }

  // The first variable of a term varies fastest.
  static std::vector<MadeColumn> extended(const std::vector<MadeColumn>& made,
                                          const BoundVariable& bound, bool lacks_first) {
    std::vector<MadeColumn> longer;
    for (std::size_t i = lacks_first ? 1 : 0; i < bound.names.size(); ++i) {
      for (const MadeColumn& column : made) {
        MadeColumn next = column;
        next.names.push_back(bound.names[i]);
        next.factors.push_back(bound.first + i);
        longer.push_back(std::move(next));
      }
    }
    return longer;
  }

  const Formula& formula_;
  const std::vector<BoundVariable>& variables_;
  bool met_category_ = false;
};

void require_distinct(const std::vector<MadeColumn>& made) {
  std::unordered_set<std::string> names;
  for (const MadeColumn& column : made) {
    if (!names.insert(column.name).second) {
      throw Error(ErrorKind::kData,
                  fmt::format("column {} is in the file and made by the formula; rename it in the "
                              "file.",
                              in_quotes(column.name)));
    }
  }
}

// Calls work(rows) for pieces of the table's own rows, in parallel; what it returns, in order.
template <class Work>
auto for_pieces(std::size_t rows, std::size_t width, unsigned threads, const Work& work) {
  const std::size_t step = kPieceNumbers / (width + 1) + 1;
  std::vector<decltype(work(RowRange{}))> results((rows + step - 1) / step);
  parallel_for(results.size(), threads, [&](std::size_t piece) {
    const std::size_t first = piece * step;
    results[piece] = work(RowRange{first, std::min(first + step, rows)});
  });
  return results;
}

// A value that is no number.
struct BadValue {
  std::size_t variable = 0;
  double value = 0.0;
};

// The first in a row that was read.
std::optional<BadValue> bad_value(const std::vector<BoundVariable>& variables, const double* in,
                                  RowOfVariables& values) {
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const BoundVariable& bound = variables[v];
    if (bound.variable->kind == Formula::Kind::kColumn || bound.names.empty() ||
        bound.is_category) {
      continue;
    }
    if (const double value = values.value(bound, in); !std::isfinite(value)) {
      return BadValue{v, value};
    }
  }
  return std::nullopt;
}

// "row 41", as the input counts them from 1, without a header line.
std::string row_name(const Table& table, std::size_t n) {
  const std::size_t row = table.sharding().mine().first + table.gaps.number_of(n);
  return fmt::format("row {}", with_commas(table.first_row + row + 1));
}

// Where it is, and what it was made of.
std::string describe_bad(const BoundVariable& bound, double value, const std::string& row,
                         const double* in) {
  std::vector<std::string> where;
  for (std::size_t i = 0; i < bound.inputs.size(); ++i) {
    where.push_back(
        fmt::format("{} = {}", shortened(bound.variable->value.columns()[i]), in[bound.inputs[i]]));
  }
  return fmt::format("column {} is {} in {}, where {}", in_quotes(bound.variable->name),
                     std::isnan(value) ? "not a number"
                     : value > 0.0     ? "inf"
                                       : "-inf",
                     row, fmt::join(where, ", "));
}

// Before constants are made of them.
void require_finite_values(const Table& table, const std::vector<BoundVariable>& variables,
                           unsigned threads) {
  const auto work = [&](RowRange rows) -> std::string {
    RowOfVariables values(variables);
    Buffer<double> scratch(table.columns.size());
    for (std::size_t n = rows.first; n < rows.last; ++n) {
      const double* const in = table.row(n, scratch.data());
      if (const auto bad = bad_value(variables, in, values)) {
        return describe_bad(variables[bad->variable], bad->value, row_name(table, n), in);
      }
    }
    return {};
  };
  fail_together(table.shard.ranks(), [&] {
    for (const std::string& bad : for_pieces(table.rows, table.columns.size(), threads, work)) {
      if (!bad.empty()) {
        throw Error(ErrorKind::kData, bad,
                    table.sharding().is_split()
                        ? Message("leave such rows out of the file or use another function.")
                        : message("leave such rows out ({}) or use another function.",
                                  Setting{"missing", "drop"}));
      }
    }
  });
}

// Those that were given, else from the rows.
void set_constants(const Formula& formula, const Table& table, unsigned threads,
                   std::vector<BoundVariable>& variables) {
  const Shard shard = table.sharding();
  const std::size_t mine = shard.mine().first;
  for (BoundVariable& bound : variables) {
    const std::size_t count = bound.names.empty() ? 0 : basis_constants(*bound.variable);
    if (count == 0) {
      continue;
    }
    if (const auto given = formula.constants.find(bound.variable->name);
        given != formula.constants.end()) {
      bound.constants = given->second;
      if (bound.constants.size() != count) {
        throw Error(ErrorKind::kData,
                    fmt::format("the constants of {} are {} numbers, not {}.",
                                in_quotes(bound.variable->name), count, bound.constants.size()));
      }
      continue;
    }
    bound.constants = find_constants(
        *bound.variable, shard, threads, [&](RowRange rows, std::span<double> values) {
          RowOfVariables row(variables);
          Buffer<double> scratch(table.columns.size());
          for (std::size_t i = 0; i < rows.size(); ++i) {
            values[i] = row.value(bound, table.row(rows.first - mine + i, scratch.data()));
          }
        });
  }
}

// Rows unlike those that knots were given for.
std::vector<std::string> warn_outside_knots(const Formula& formula, const Table& table,
                                            const std::vector<BoundVariable>& variables,
                                            unsigned threads) {
  std::vector<std::string> warnings;
  for (const BoundVariable& bound : variables) {
    const auto given = formula.constants.find(bound.variable->name);
    if (bound.variable->kind != Formula::Kind::kSpline || given == formula.constants.end()) {
      continue;
    }
    const auto outside = for_pieces(table.rows, table.columns.size(), threads, [&](RowRange rows) {
      RowOfVariables row(variables);
      Buffer<double> scratch(table.columns.size());
      bool any = false;
      for (std::size_t n = rows.first; n < rows.last && !any; ++n) {
        any = !is_within_knots(bound.constants, row.value(bound, table.row(n, scratch.data())));
      }
      return int{any};
    });
    if (std::ranges::find(outside, 1) != outside.end()) {
      warnings.push_back(fmt::format(
          "{}: some values lie outside of those of the fit, {} to {}; the curve goes on "
          "there as its outer cubic pieces do.",
          in_quotes(bound.variable->name), given->second.front(), given->second.back()));
    }
  }
  return warnings;
}

// The number of the first column that is not finite, if any.
std::optional<std::size_t> fill(const Table& table, const std::vector<BoundVariable>& variables,
                                const std::vector<MadeColumn>& made, RowRange rows,
                                Buffer<double>& x) {
  std::optional<std::size_t> bad;
  RowOfVariables row(variables);
  Buffer<double> scratch(table.columns.size());
  double* out = x.data() + rows.first * made.size();
  for (std::size_t n = rows.first; n < rows.last; ++n) {
    const std::vector<double>& columns = row.columns(table.row(n, scratch.data()));
    for (std::size_t j = 0; j < made.size(); ++j) {
      double value = 1.0;
      for (const std::size_t factor : made[j].factors) {
        value *= columns[factor];
      }
      if (!std::isfinite(value)) {
        bad = bad ? bad : j;
        value = std::numeric_limits<double>::quiet_NaN();
      }
      *out++ = value;
    }
  }
  return bad;
}

Buffer<double> make_columns(const Table& table, const std::vector<BoundVariable>& variables,
                            const std::vector<MadeColumn>& made, unsigned threads,
                            bool keeps_missing) {
  Buffer<double> x(table.rows * made.size());
  const auto bad = for_pieces(table.rows, made.size(), threads,
                              [&](RowRange rows) { return fill(table, variables, made, rows, x); });
  if (keeps_missing) {
    return x;
  }
  fail_together(table.shard.ranks(), [&] {
    for (const std::optional<std::size_t>& column : bad) {
      if (column) {
        throw Error(ErrorKind::kData,
                    fmt::format("column {} is infinite: the product of its columns is too large; "
                                "rescale one of them.",
                                in_quotes(made[*column].name)));
      }
    }
  });
  return x;
}

bool is_plain(const BoundVariable& bound) {
  return bound.variable->kind == Formula::Kind::kColumn ||
         bound.variable->kind == Formula::Kind::kFactor;
}

// Which of the columns that were read they are, where they are nothing else.
std::optional<std::vector<std::size_t>> as_read(const std::vector<MadeColumn>& made,
                                                const std::vector<BoundVariable>& variables,
                                                const Table& table) {
  std::vector<bool> plain;
  for (const BoundVariable& bound : variables) {
    plain.insert(plain.end(), bound.names.size(), is_plain(bound));
  }
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    places.emplace(table.columns[j], j);
  }
  std::vector<std::size_t> columns;
  for (const MadeColumn& column : made) {
    const auto place = places.find(column.name);
    if (column.factors.size() != 1 || !plain[column.factors[0]] || place == places.end()) {
      return std::nullopt;
    }
    columns.push_back(place->second);
  }
  return columns;
}

// The sum of these variables; where one of them is no number, neither is the sum.
void set_offset(const std::vector<BoundVariable>& variables,
                const std::vector<std::size_t>& offsets, unsigned threads, Table& table) {
  if (!table.offset.empty()) {
    throw Error(
        ErrorKind::kUsage,
        message("{}: offset() is a second offset of rows that have one", Setting{"formula"}),
        message("name both in the formula (offset(a) + offset(b)), or one of them in {} "
                "alone.",
                Setting{"offset"}));
  }
  const SequentialRead in_order(table.source);
  table.offset.resize(table.rows);
  std::ignore = for_pieces(table.rows, table.columns.size(), threads, [&](RowRange rows) {
    RowOfVariables row(variables);
    Buffer<double> scratch(table.columns.size());
    for (std::size_t n = rows.first; n < rows.last; ++n) {
      const double* const in = table.row(n, scratch.data());
      double sum = row.value(variables[offsets[0]], in);
      for (std::size_t i = 1; i < offsets.size(); ++i) {
        sum += row.value(variables[offsets[i]], in);
      }
      table.offset[n] = std::isfinite(sum) ? sum : std::numeric_limits<double>::quiet_NaN();
    }
    return 0;
  });
}

// Of finite numbers.
void require_finite_sum(const Table& table) {
  fail_together(table.shard.ranks(), [&] {
    if (std::ranges::any_of(table.offset, [](double offset) { return std::isnan(offset); })) {
      throw Error(ErrorKind::kData,
                  "the offset is infinite: the sum of its columns is too large; rescale them.");
    }
  });
}

// The columns of any of the formulas, whose variables are those of `all`, and the names of each.
struct MadeColumns {
  std::vector<MadeColumn> made;
  std::vector<std::vector<std::string>> names;
};

MadeColumns columns_of(const std::vector<Formula>& formulas, const Formula& all,
                       const std::vector<BoundVariable>& variables) {
  MadeColumns columns;
  std::set<std::vector<std::size_t>> known;
  const auto add = [&](MadeColumn column) {
    if (known.insert(column.factors).second) {
      columns.made.push_back(std::move(column));
    }
  };
  for (const Formula& formula : formulas) {
    const bool is_first = columns.names.empty();
    std::vector<std::string>& names = columns.names.emplace_back();
    const Formula same = formula.in_variables_of(all);
    for (MadeColumn& column : TermCoding(same, variables).columns()) {
      names.push_back(column.name);
      add(std::move(column));
    }
    for (std::size_t i = 0; !is_first && i < same.offsets.size(); ++i) {
      const BoundVariable& bound = variables[same.offsets[i]];
      add({bound.variable->name, {bound.first}, bound.names});
    }
  }
  return columns;
}

// With columns in place of `.`: all but those of an offset, which have their part.
std::vector<Formula> with_all_others(const std::vector<Formula>& given, const TableRead& read) {
  std::vector<std::string> others = names_of(features_of(read));
  for (const std::string& name : unite(given).offset_columns()) {
    std::erase(others, name);
  }
  std::vector<Formula> formulas;
  for (const Formula& formula : given) {
    formulas.push_back(formula.with_others(others));
  }
  return formulas;
}

// The columns that were read, some of them or in another order.
void keep_as_read(const std::vector<std::size_t>& columns, TableRead& read) {
  if (columns.size() < read.table.columns.size() || !std::ranges::is_sorted(columns)) {
    keep_columns(read.table, columns);
    read.features.clear();
  }
}

// Others in their place.
void replace_columns(const Formula& formula, const std::vector<MadeColumn>& made, unsigned threads,
                     std::vector<BoundVariable>& variables, TableRead& read) {
  Table& table = read.table;
  set_constants(formula, table, threads, variables);
  std::ranges::move(warn_outside_knots(formula, table, variables, threads),
                    std::back_inserter(read.warnings));
  Buffer<double> x = make_columns(table, variables, made, threads, formula.keeps_missing);
  table.x = std::move(x);
  table.source = {};
  table.columns.clear();
  for (const MadeColumn& column : made) {
    table.columns.push_back(column.name);
  }
  for (const BoundVariable& bound : variables) {
    if (!bound.constants.empty()) {
      table.constants[bound.variable->name] = bound.constants;
    }
  }
  read.features.clear();
}

}  // namespace

void drop_valueless_rows(const Formula& formula, TableRead& read, unsigned threads) {
  Table& table = read.table;
  const std::vector<BoundVariable> variables = FormulaBinder(read).bind(formula);
  if (std::ranges::all_of(variables, is_plain)) {
    return;
  }
  const auto pieces = for_pieces(table.rows, table.columns.size(), threads, [&](RowRange rows) {
    RowOfVariables values(variables);
    Buffer<double> scratch(table.columns.size());
    std::vector<std::size_t> kept;
    for (std::size_t n = rows.first; n < rows.last; ++n) {
      if (!bad_value(variables, table.row(n, scratch.data()), values)) {
        kept.push_back(n);
      }
    }
    return kept;
  });
  std::vector<std::size_t> kept;
  for (const std::vector<std::size_t>& piece : pieces) {
    kept.insert(kept.end(), piece.begin(), piece.end());
  }
  if (kept.size() < table.rows) {
    read.counts.valueless += table.rows - kept.size();
    keep_rows(table, kept);
  }
}

void apply_formula(const Formula& formula, TableRead& read, unsigned threads) {
  if (!formula.terms.empty() || formula.all_others || !formula.offsets.empty()) {
    apply_formulas({formula}, read, threads);
  }
}

std::vector<std::vector<std::string>> apply_formulas(const std::vector<Formula>& given,
                                                     TableRead& read, unsigned threads) {
  const std::vector<Formula> formulas = with_all_others(given, read);
  const Formula formula = unite(formulas);
  std::vector<BoundVariable> variables = FormulaBinder(read).bind(formula);
  auto [made, names] = columns_of(formulas, formula, variables);
  const auto kept = as_read(made, variables, read.table);
  if (!kept) {
    require_distinct(made);
  }
  if (!formula.keeps_missing && !std::ranges::all_of(variables, is_plain)) {
    require_finite_values(read.table, variables, threads);
  }
  if (const auto offsets = formulas.front().in_variables_of(formula).offsets; !offsets.empty()) {
    set_offset(variables, offsets, threads, read.table);
    if (!formula.keeps_missing) {
      require_finite_sum(read.table);
    }
  }
  if (kept) {
    keep_as_read(*kept, read);
  } else {
    replace_columns(formula, made, threads, variables, read);
  }
  return names;
}

}  // namespace flymc
