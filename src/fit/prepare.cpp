#include "fit/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/table/dependence.hpp"
#include "data/table/group_terms.hpp"
#include "data/table/merge_rows.hpp"
#include "family/prior_constant.hpp"
#include "fit/auxiliary_prior.hpp"
#include "fit/make_family.hpp"
#include "fit/propriety.hpp"
#include "fit/response.hpp"
#include "fit/select_prior.hpp"
#include "flymc/detail/core/special.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::size_t kNamesShown = 8;

// Whether a constant added to a column changes no more than an intercept, or all cut points, can
// make up for.
bool may_shift_columns(const FitSettings& options, const std::vector<PredictorDesign>& predictors) {
  return family_type(options).is_ordered() ||
         std::ranges::all_of(predictors, &PredictorDesign::intercept);
}

// Logits of cumulative shares, where a search may begin: increasing, and finite.
std::vector<double> cuts_of(const std::vector<std::uint64_t>& class_rows) {
  const double all = 1.0 + static_cast<double>(std::accumulate(class_rows.begin(), class_rows.end(),
                                                               std::uint64_t{0}));
  std::vector<double> cuts;
  double below = 0.5;
  for (std::size_t k = 0; k + 1 < class_rows.size(); ++k) {
    below += static_cast<double>(class_rows[k]);
    cuts.push_back(std::log(below / (all - below)));
  }
  return cuts;
}

bool never_changes(const Table& table, std::size_t column) {
  const SequentialRead in_order(table.source);
  const Shard shard = table.sharding();
  const auto first = copy_rows(table, {0}, 1.0, 1).x[column];
  Buffer<double> scratch(table.columns.size());
  bool same = true;
  for (std::size_t n = 0; same && n < table.rows; ++n) {
    same = table.row(n, scratch.data())[column] == first;
  }
  return holds_everywhere(shard.ranks(), same);
}

// Squares of numbers beyond these bounds, summed over rows, leave the range of a double.
void require_squares(const std::string& column, double size) {
  constexpr double kLargest = 1e145;
  if (!(size < kLargest)) {
    throw Error(ErrorKind::kData,
                fmt::format("column {} holds numbers too large to square (beyond 1e145); rescale "
                            "it.",
                            in_quotes(column)));
  }
}

// What to say of a column whose standard deviation vanishes beside its mean.
std::string why_dropped(const Table& table, std::size_t column) {
  const std::string name = in_quotes(table.columns[column]);
  return never_changes(table, column)
             ? fmt::format("column {} is constant; dropped.", name)
             : fmt::format(
                   "column {} varies too little for its size; dropped. Subtract its mean "
                   "and rescale it to keep it.",
                   name);
}

bool has_coefficient(const FitSettings& options, const std::string& column) {
  return !is_offset(options.columns, column) ||
         std::ranges::any_of(options.columns, [&](const auto& predictor) {
           const std::vector<std::string>& columns = predictor.second.columns;
           return std::ranges::find(columns, column) != columns.end();
         });
}

// Beside intercepts of levels, slopes along a column that never changes say nothing.
void require_no_slope(const FitSettings& options, const std::string& column) {
  for (const GroupTerm& term : options.groups) {
    if (std::ranges::find(term.slopes, column) != term.slopes.end()) {
      throw Error(ErrorKind::kData,
                  fmt::format("column {} is constant, or nearly so for its size: no slope of it "
                              "varies by {}; leave it out of the term.",
                              in_quotes(column), in_quotes(term.factor)));
    }
  }
}

// A column that never changes says nothing that the intercept does not; as an offset it stays.
ColumnMoments drop_constant_columns(Table& table, FitSettings& options, bool may_shift,
                                    std::vector<Message>& warnings) {
  ColumnMoments moments = column_moments(table, options.threads);
  std::vector<std::size_t> constant;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const auto j = static_cast<Index>(column);
    const std::string& name = table.columns[column];
    require_squares(name, std::abs(moments.mean[j]) + moments.sd[j]);
    if (!may_shift || !is_constant(moments, j) || !has_coefficient(options, name)) {
      continue;
    }
    require_no_slope(options, name);
    warnings.push_back(why_dropped(table, column));
    for (auto& [predictor, of] : options.columns) {
      std::erase(of.columns, name);
    }
    if (!is_offset(options.columns, name)) {
      constant.push_back(column);
    }
  }
  if (!constant.empty()) {
    drop_columns(table, constant);
    moments = column_moments(table, options.threads);
  }
  return moments;
}

// The data have an intercept where any predictor is made of it.
Dataset::Options design(const FitSettings& options, const std::vector<PredictorDesign>& predictors,
                        const std::vector<std::string>& names, const ColumnMoments& moments) {
  Dataset::Options result;
  result.intercept = std::ranges::any_of(predictors, &PredictorDesign::intercept);
  const bool named = std::ranges::any_of(
      predictors, [](const PredictorDesign& predictor) { return !predictor.name.empty(); });
  if (named) {
    const Index first = result.intercept ? 1 : 0;
    for (const PredictorDesign& predictor : predictors) {
      std::vector<Index>& columns = result.predictors.emplace_back(predictor.intercept ? 1 : 0, 0);
      for (const Index column : predictor.columns) {
        columns.push_back(first + column);
      }
      result.offsets.push_back(predictor.offsets);
    }
  }
  if (options.prior.automatic) {
    result.scale = moments.sd.unaryExpr([](double sd) { return sd > 0.0 ? sd : 1.0; });
    for (const GroupTerm& term : options.groups) {
      for (const std::string& column :
           term.splines) {  // their coefficients have one scale as it is
        result.scale[std::ranges::find(names, column) - names.begin()] = 1.0;
      }
    }
    if (may_shift_columns(options, predictors)) {
      result.center = moments.mean;
    }
  }
  return result;
}

// Indicators of categories are what they are: they have no unit to be measured in.
double sd_of_column(const std::string& name, double sd, const Levels& levels) {
  for (const auto& [column, values] : levels) {
    if (name.starts_with(column + "=") &&
        std::ranges::find(values, name.substr(column.size() + 1)) != values.end()) {
      return RunRecord::kUnknown;
    }
  }
  return sd;
}

// Draws of so many numbers would be larger than anybody wants to read.
constexpr std::size_t kMostLevelDraws = 10'000'000;

void require_levels(const Dataset& data, const Factor& factor, const GroupTerm& term,
                    const FitSettings& options) {
  const std::string name = in_quotes(factor.name);
  if (factor.labels.size() < 2) {
    throw Error(ErrorKind::kData, message("{}: {} has one level; leave the term out.",
                                          Setting{"formula", to_text(term)}, name));
  }
  const ResponseKind response = family_type(options).response;
  const bool says_nothing_alone =
      response == ResponseKind::kNumbers || response == ResponseKind::kTwoClasses;
  if (factor.labels.size() == data.rows() && data.rows() > 1 && says_nothing_alone) {
    throw Error(ErrorKind::kData,
                message("{}: every row has its own {}: its effect cannot be told from the noise; "
                        "leave the term out.",
                        Setting{"formula", to_text(term)}, name));
  }
}

ProblemGroups make_groups(const Dataset& data, const FitSettings& options,
                          const ResponseScale& response, const ColumnMoments& moments,
                          std::vector<Message>& notes) {
  ProblemGroups groups{.terms = options.groups, .levels = {}, .sd_priors = {}};
  const auto add = [&](const std::string& name, const std::string& what, double unit) {
    const auto asked = options.prior_sd.find(name);
    groups.sd_priors.push_back(
        asked != options.prior_sd.end()
            ? parse_sd_law(asked->second, name)
            : PriorTerm{.kind = PriorKind::kHalfT, .scale = 2.5 * unit, .shape = 3.0});
    notes.push_back(fmt::format("prior: sd of {} {}", what, to_text(groups.sd_priors.back())));
  };
  std::size_t numbers = 0;
  std::size_t at = 0;
  for (const GroupTerm& term : groups.terms) {
    if (term.is_smooth()) {
      add(term.factor, in_quotes(term.factor), response.sd);
      groups.levels.push_back(0);
      continue;
    }
    const Factor& factor = data.factors()[at];
    at += term.all_members().size();
    const std::string name = in_quotes(factor.name);
    require_levels(data, factor, term, options);
    if (term.intercept) {
      add(term.factor, name, response.sd);
    }
    for (const std::string& slope : term.slopes) {
      const auto column = std::ranges::find(data.names(), slope) - data.names().begin();
      const double sd = column < moments.sd.size() ? moments.sd[column] : 1.0;
      add(term.factor + "." + slope, fmt::format("{} by {}", in_quotes(slope), name),
          response.sd / (sd > 0.0 ? sd : 1.0));
    }
    groups.levels.push_back(factor.labels.size());
    numbers += factor.labels.size() * term.size() * options.chains *
               static_cast<std::size_t>(options.schedule.draws);
  }
  groups.keeps_levels = options.levels == LevelDraws::kAuto
                            ? numbers <= kMostLevelDraws
                            : options.levels == LevelDraws::kAll || numbers == 0;
  for (std::size_t i = 0; i < groups.terms.size(); ++i) {
    if (groups.terms[i].is_smooth()) {
      continue;
    }
    notes.push_back(fmt::format("{}: {} levels{}", in_quotes(groups.terms[i].factor),
                                with_commas(groups.levels[i]),
                                groups.keeps_levels ? "" : ", of which no draws are kept"));
  }
  return groups;
}

// Auxiliary parameters, or the number that fixes a normal response's.
SharedLaws shared_laws(const Family& family, const Prior& prior, Index columns) {
  if (family.type().gaussian != nullptr && family.type().auxiliaries.empty()) {
    return {.log_sigma = std::log(family.settings().at("sigma"))};
  }
  return {.laws = {prior.terms().begin() + columns, prior.terms().end()}};
}

// Standard deviations of all terms, their correlations, and the levels of each.
void add_group_names(const Dataset& data, const ProblemGroups& groups,
                     std::vector<ParameterName>& names) {
  for (const GroupTerm& term : groups.terms) {
    for (const std::string& name : coefficient_names(term)) {
      names.push_back({"sd." + in_header(name), "sd." + name});
    }
  }
  for (const GroupTerm& term : groups.terms) {
    for (std::size_t i = 1; term.correlated && i < term.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const auto name = [&](const std::string& of) {
          return fmt::format("cor.{}.{}.{}", of, j + 1, i + 1);
        };
        names.push_back({name(in_header(term.factor)), name(term.factor)});
      }
    }
  }
  if (groups.keeps_levels) {
    std::ranges::transform(level_names(groups.terms, data.factors()), std::back_inserter(names),
                           &LevelName::parameter);
  }
}

std::vector<MergedRow> merge_rows(Table& table, const FitSettings& options,
                                  std::vector<Message>& notes) {
  const std::size_t rows = table.sharding().rows();
  if (!options.merges_rows()) {
    return {};
  }
  std::vector<MergedRow> merged = merge_equal_rows(table, options.threads);
  if (const std::size_t left = table.sharding().rows(); left < rows) {
    notes.push_back(fmt::format("{} distinct rows of {}: equal ones are one row with a weight",
                                with_commas(left), with_commas(rows)));
  }
  return merged;
}

std::vector<std::string> names_at(const Dataset& data, const std::vector<std::size_t>& columns) {
  std::vector<std::string> names;
  for (const std::size_t column : columns) {
    names.push_back(data.names()[column]);
  }
  return names;
}

void warn(Problem& problem, const std::vector<std::string>& dependent) {
  const auto rows = problem.rows;
  const auto columns = static_cast<std::size_t>(problem.data.columns());
  if (rows < columns) {
    problem.warnings.push_back(
        fmt::format("fewer rows ({}) than columns ({}): the prior decides much of the posterior.",
                    with_commas(rows), with_commas(columns)));
  } else if (!dependent.empty()) {
    problem.warnings.push_back(fmt::format(
        "linearly dependent columns: {}; only the prior tells their coefficients apart.",
        listed(dependent, ", ", kNamesShown)));
  }
  if (const std::string always = one_sided(problem); !always.empty()) {
    problem.warnings.push_back(always + ": only the prior keeps the coefficients finite.");
  }
}

}  // namespace

bool is_constant(const ColumnMoments& moments, Index column) noexcept {
  return moments.sd[column] <= 1e-12 * std::abs(moments.mean[column]);
}

// Cut points have one law: each of their (K - 1)! orders is as likely.
double log_prior_constant(const Problem& problem) {
  const FamilyType& family = problem.family->type();
  const double orders =
      family.is_ordered() ? log_gamma(static_cast<double>(family.auxiliaries.size()) + 1.0) : 0.0;
  return log_constant(problem.prior) + orders;
}

std::optional<std::size_t> Problem::find_row(std::size_t given) const {
  if (merged.empty()) {
    return given < data.rows() ? std::optional(given) : std::nullopt;
  }
  const auto found = std::ranges::lower_bound(merged, given, {}, &MergedRow::first);
  return found != merged.end() && found->first == given
             ? std::optional(static_cast<std::size_t>(found - merged.begin()))
             : std::nullopt;
}

Problem prepare(Table table, const FitSettings& asked) {
  std::vector<Message> notes;
  std::vector<Message> warnings;
  ResponseFacts facts = encode_response(table, asked);
  if (!facts.note.empty()) {
    notes.push_back(facts.note);
  }
  const std::string response = table.response.name;
  Levels levels = table.levels;
  Constants constants = table.constants;
  const FamilyType& type = family_type(asked);
  ResponseScale scale = response_scale(table, type);
  if (type.is_ordered()) {
    scale.cuts = cuts_of(facts.class_rows);
  }
  require_squares(table.response.name, std::abs(scale.median) + scale.sd);
  const bool may_shift =
      may_shift_columns(asked, predictor_designs(asked, facts.classes.size(), table.columns));
  FitSettings options = asked;
  const ColumnMoments moments = drop_constant_columns(table, options, may_shift, warnings);
  const std::size_t rows = table.sharding().rows();
  auto designs = predictor_designs(options, facts.classes.size(), table.columns);
  for (const PredictorDesign& predictor : designs) {
    for (const Index column : predictor.offsets) {
      scale.offsets[predictor.name] += moments.mean[column];
    }
  }
  if (asked.select_prior) {  // before rows are merged: the same prior for every engine
    PriorChoice choice = select_prior(table, design(options, designs, table.columns, moments),
                                      options, scale, facts.classes.size());
    options = std::move(choice.options);
    notes.push_back(choice.note);
  }
  const std::size_t first_given = table.sharding().mine().first;
  const std::size_t left_out = table.left_out;
  RowGaps gaps = std::move(table.gaps);
  // A setting that the data choose is part of the target: before rows are merged, as only some
  // engines do.
  const Dataset::Options shape = design(options, designs, table.columns, moments);
  Dataset as_given(std::move(table), shape);
  MadeFamily made = make_family(options, as_given, facts.classes.size());
  table = std::move(as_given).release();
  std::vector<MergedRow> merged = merge_rows(table, options, notes);
  Dataset data(std::move(table), shape);
  PriorSetup setup = set_up_prior(options, designs, *made.family, scale);
  if (!made.note.empty()) {
    notes.push_back(made.note);
  }
  notes.push_back(setup.note);
  Prior prior = std::move(setup.prior);
  auto places = parameter_places(designs, facts.classes, data.names());
  std::vector<ParameterName> names;
  std::ranges::transform(places, std::back_inserter(names), &ParameterPlace::name);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (const Index column = places[i].column; column != ParameterPlace::kConstant) {
      const std::string& name = data.names()[static_cast<std::size_t>(column)];
      names[i].column_sd = sd_of_column(name, moments.sd[column], levels);
    }
  }
  Problem problem{std::move(made.family),
                  std::move(data),
                  rows,
                  std::move(prior),
                  response,
                  std::move(facts.classes),
                  facts.successes,
                  facts.trials,
                  std::move(designs),
                  std::move(places),
                  std::move(names),
                  setup.used,
                  std::move(notes),
                  std::move(warnings),
                  std::move(levels),
                  std::move(constants),
                  std::move(merged)};
  problem.class_rows = std::move(facts.class_rows);
  if (!options.groups.empty()) {
    problem.groups = make_groups(problem.data, options, scale, moments, problem.notes);
    problem.groups->shared = shared_laws(*problem.family, problem.prior, problem.data.columns());
    add_group_names(problem.data, *problem.groups, problem.parameters);
  }
  problem.first_given = first_given;
  problem.left_out = left_out;
  problem.gaps = std::move(gaps);
  problem.censored = facts.censored;
  problem.columns = std::move(options.columns);
  problem.noise_free = made.noise_free;
  const auto dependent = names_at(problem.data, dependent_columns(problem.data, shape.predictors));
  require_proper(problem, options, dependent);
  warn(problem, dependent);
  return problem;
}

}  // namespace flymc
