#include "effects/effects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/table/group_terms.hpp"
#include "flymc/error.hpp"
#include "run/run_json.hpp"
#include "run/stored_data.hpp"

namespace flymc {
namespace {

constexpr std::size_t kMostRows = 100'000;
constexpr std::size_t kFewestRows = 500;
constexpr std::size_t kNamesShown = 12;

NewData rows_to_read(const EffectsOptions& options) {
  NewData data;
  data.of_fit = options.data.empty();
  data.path = options.data;
  data.format = options.format;
  data.missing = Missing::kDrop;
  data.changes_rows = true;
  data.threads = options.how.threads;
  return data;
}

std::vector<std::string> outcome_words(const RunDraws& draws) {
  const FamilyType& type = draws.family->type();
  const std::string response = shortened(draws.run.options.data.response);
  const std::string name = response.empty() ? "the response" : response;
  const auto of_class = [&](const std::string& label) {
    return fmt::format("the probability of {} = {}", name, shortened(label));
  };
  switch (type.response) {
    case ResponseKind::kTwoClasses:
      return {of_class(draws.run.classes.back())};
    case ResponseKind::kSuccesses:
    case ResponseKind::kTallies:
      return {"the probability of success"};
    case ResponseKind::kClasses:
    case ResponseKind::kOrdered: {
      std::vector<std::string> words;
      std::ranges::transform(draws.run.classes, std::back_inserter(words), of_class);
      return words;
    }
    default:
      return {type.says_mean ? "the expected " + name : "mu"};
  }
}

// A factor of a group term has no effect of its own: one a level, which the summary has.
void refuse_factor(const RunDraws& draws, const std::string& name) {
  for (const GroupTerm& term : draws.run.options.groups) {
    const std::vector<std::string> factors = factor_columns(term);
    if (std::ranges::find(factors, name) != factors.end()) {
      throw Error(ErrorKind::kUsage,
                  message("{}: the column is a factor of {}, whose levels rows keep",
                          Setting{"of", shortened(name)}, to_text(term)),
                  message("{} has what each of them adds.", Command{"summary", "", {"all"}}));
    }
  }
}

std::vector<InputColumn> chosen_columns(const RunDraws& draws, std::vector<InputColumn> all,
                                        const std::vector<std::string>& names) {
  if (names.empty()) {
    return all;
  }
  std::vector<InputColumn> chosen;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(all, name, &InputColumn::name);
    if (found == all.end()) {
      refuse_factor(draws, name);
      std::vector<std::string> known;
      std::ranges::transform(all, std::back_inserter(known), &InputColumn::name);
      throw Error(ErrorKind::kUsage,
                  message("{}: the model has no such column", Setting{"of", shortened(name)}),
                  known.empty()
                      ? "it has none."
                      : fmt::format("its columns are {}.", listed(known, ", ", kNamesShown)));
    }
    if (std::ranges::find(chosen, name, &InputColumn::name) == chosen.end()) {
      chosen.push_back(*found);
    }
  }
  return chosen;
}

// Work for one row: a predictor costs its products, and about twenty more for its mean.
double work_of_row(const RunDraws& draws, const std::vector<InputColumn>& columns,
                   const EffectsOptions& options) {
  double settings = 0.0;
  for (const InputColumn& column : columns) {
    settings += static_cast<double>(settings_of(column, !options.of.empty()));
  }
  settings += static_cast<double>(options.curves * options.points);
  const double width = static_cast<double>(draws.features.size()) + 20.0;
  return settings * static_cast<double>(draws.draws() * draws.predictors()) * width;
}

// How much a column does: of a number over a standard deviation, of levels the most of any.
double size_of(const std::vector<AverageEffect>& effects) {
  double most = 0.0;
  for (const AverageEffect& effect : effects) {
    for (const DrawSummary& outcome : effect.outcomes) {
      const double size = std::abs(outcome.mean) * (effect.level.empty() ? effect.column_sd : 1.0);
      most = std::isfinite(size) ? std::max(most, size) : most;
    }
  }
  return most;
}

void note_skipped(const std::string& column, std::size_t skipped, const char* what,
                  std::vector<std::string>& notes) {
  if (skipped > 0) {
    notes.push_back(fmt::format("{}: {} left out, where {} is no number.", shortened(column),
                                counted(skipped, "row"), what));
  }
}

// One column after another; then the curves of those that do most.
class EffectsOfRun {
 public:
  EffectsOfRun(const Predictor& predictor, const InputRows& rows, const RowSample& sample,
               const EffectsOptions& options)
      : predictor_(predictor), rows_(rows), sample_(sample), options_(options) {}

  void add(const std::vector<InputColumn>& columns, Effects& result) const {
    std::vector<double> sizes;
    for (const InputColumn& column : columns) {
      ColumnEffects found = of(column, !options_.of.empty());
      sizes.push_back(size_of(found.effects));
      for (const AverageEffect& effect : found.effects) {
        note_skipped(effect.column, effect.skipped, "the effect", result.notes);
      }
      std::ranges::move(found.effects, std::back_inserter(result.effects));
      add_curve(std::move(found.curve), result);
    }
    std::vector<std::size_t> order(columns.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return sizes[i]; });
    for (std::size_t i = 0; i < std::min(options_.curves, order.size()); ++i) {
      add_curve(of(columns[order[i]], true).curve, result);
    }
  }

 private:
  [[nodiscard]] ColumnEffects of(const InputColumn& column, bool with_curve) const {
    return average_effects(predictor_, rows_, sample_, column, with_curve, options_.how);
  }
  static void add_curve(EffectCurve curve, Effects& result) {
    if (!curve.points.empty()) {
      note_skipped(curve.column, curve.skipped, "a point of the curve", result.notes);
      result.curves.push_back(std::move(curve));
    }
  }

  const Predictor& predictor_;
  const InputRows& rows_;
  const RowSample& sample_;
  const EffectsOptions& options_;
};

// Reads the rows to their end.
Effects effects_over(const Predictor& predictor, InputRows& rows, const EffectsOptions& options) {
  const RunDraws& draws = predictor.draws();
  const std::uint64_t seed = draws.run.options.seed;
  RowSample sample = rows.sample(options.rows.value_or(kMostRows), seed);
  const std::vector<InputColumn> columns =
      chosen_columns(draws, input_columns(sample.raw, options.points), options.of);
  if (!options.rows && !columns.empty()) {
    const double affordable = options.most_work / work_of_row(draws, columns, options);
    thin(sample, std::max(kFewestRows, static_cast<std::size_t>(affordable)), seed);
  }
  Effects result{{},
                 draws.family->type().word,
                 outcome_words(draws),
                 options.how.prob,
                 sample.raw.table.rows,
                 sample.of,
                 draws.draws(),
                 {},
                 {},
                 draws.notes};
  EffectsOfRun(predictor, rows, sample, options).add(columns, result);
  return result;
}

// What was left out of rows that are not the fit's own, and what else a user should know of them.
void add_row_notes(const NewRows& rows, Effects& result) {
  if (const std::string dropped = dropped_note(rows.counts()); !dropped.empty()) {
    result.notes.push_back(dropped.substr(2) + ".");
  }
  std::ranges::copy(rows.warnings(), std::back_inserter(result.notes));
}

}  // namespace

Effects effects_of(const EffectsOptions& options) {
  const Predictor predictor(read_run_draws(options.folder, options.draws));
  const RunDraws& draws = predictor.draws();
  if (options.data.empty()) {
    require_stored_rows(draws.run, options.folder, options.verified);
  }
  NewRows rows(draws, rows_to_read(options));
  LoadedRows loaded(rows);
  Effects result = effects_over(predictor, loaded, options);
  result.folder = shown_folder(options.folder);
  if (!options.data.empty()) {
    add_row_notes(rows, result);
  }
  return result;
}

Effects effects_of(const Predictor& predictor, NewData held, const EffectsOptions& options) {
  held.missing = Missing::kDrop;
  NewRows rows(predictor.draws(), held);
  LoadedRows loaded(rows);
  Effects result = effects_over(predictor, loaded, options);
  result.folder = "the fit";
  if (!held.of_fit) {
    add_row_notes(rows, result);
  }
  return result;
}

Effects effects_of(const Predictor& predictor, const HeldRows& held,
                   const EffectsOptions& options) {
  HeldInput rows(held, predictor.draws());
  Effects result = effects_over(predictor, rows, options);
  result.folder = "the fit";
  std::ranges::copy(rows.warnings(), std::back_inserter(result.notes));
  return result;
}

}  // namespace flymc
