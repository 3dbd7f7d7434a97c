#include "run/run_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/text.hpp"
#include "fit/draw_values.hpp"
#include "fit/parameters.hpp"
#include "fit/settings.hpp"
#include "flymc/error.hpp"
#include "run/run_folder.hpp"
#include "run/run_json.hpp"

namespace flymc {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kStatistics = std::size(kStatisticColumns);

std::shared_ptr<const Family> family_of(const StoredRun& run, const fs::path& folder) {
  const Settings settings = run.settings();
  const FamilyType& type = family_type(run.options);
  for (const OwnSetting& setting : type.settings) {
    const auto value = settings.find(setting.name);
    if (setting.absent == Absent::kDefault ||
        (value != settings.end() && value->second != kChoose)) {
      continue;
    }
    if (setting.may_be_chosen) {
      fail_run_json(folder, fmt::format("'{}.{}'", type.key(), setting.name), "there");
    }
    fail_run_json(folder, fmt::format("'config.{}'", setting.name), "a number");
  }
  return type.make(settings, run.classes.size());
}

const FamilyType& type_of(const StoredRun& run) {
  return family_type(run.options).of_classes(run.classes.size());
}

// Those that are made of columns.
std::size_t predictors_in(const StoredRun& run) {
  return type_of(run).linear_predictors(run.classes.size());
}

// Which of all draws, chains one after another: the middles of `count` equal parts.
std::vector<std::size_t> spaced(std::size_t all, std::size_t count) {
  std::vector<std::size_t> picked;
  for (std::size_t i = 0; i < count; ++i) {
    picked.push_back((2 * i + 1) * all / (2 * count));
  }
  return picked;
}

// Column `parameter` of the chain files at the picked draws.
Vector gather(const RunChains& run, std::size_t parameter, const std::vector<std::size_t>& picked) {
  const std::size_t length = run.chains.front().draws();
  Vector values(static_cast<Index>(picked.size()));
  for (std::size_t s = 0; s < picked.size(); ++s) {
    const ChainDraws& chain = run.chains[picked[s] / length];
    values[static_cast<Index>(s)] = chain.values[kStatistics + parameter][picked[s] % length];
  }
  return values;
}

void fill(RunDraws& draws, const RunChains& chains, const std::vector<std::size_t>& picked) {
  draws.groups =
      arrange_groups(draws.run.options.groups, draws.run.labels, draws.features, chains, picked);
  const auto designs =
      predictor_designs(draws.run.options, draws.run.classes.size(), draws.features);
  const auto rows = static_cast<Index>(picked.size());
  draws.constants = Matrix::Zero(rows, static_cast<Index>(designs.size()));
  for (const PredictorDesign& design : designs) {
    const bool constant = design.columns.empty() && design.offsets.empty();
    const std::size_t width = constant ? 0 : draws.features.size();
    draws.slopes.push_back(Matrix::Zero(rows, static_cast<Index>(width)));
  }
  std::size_t parameter = 0;
  for (const ParameterPlace& place : parameter_places(designs, draws.run.classes, draws.features)) {
    const Vector values = gather(chains, parameter++, picked);
    if (place.column != ParameterPlace::kConstant) {
      draws.slopes[static_cast<std::size_t>(place.predictor)].col(place.column) = values;
      continue;
    }
    draws.constants.col(place.predictor) =
        values.unaryExpr([&](double value) { return to_predictor(place.natural, value); });
  }
  for (std::size_t k = 0; k < designs.size(); ++k) {
    for (const Index column : designs[k].offsets) {
      draws.slopes[k].col(column).array() += 1.0;
    }
  }
}

// Of more than `at_most` (0: no limit) that many, evenly spaced, which is said.
void fill_some(RunDraws& draws, const RunChains& chains, std::size_t at_most) {
  const std::size_t all = chains.chains.size() * chains.chains.front().draws();
  const std::size_t used = at_most > 0 ? std::min(at_most, all) : all;
  if (used < all) {
    draws.notes.push_back(
        fmt::format("using {} of {}, evenly spaced.", with_commas(used), counted(all, "draw")));
  }
  fill(draws, chains, spaced(all, used));
}

}  // namespace

std::vector<std::string> feature_names(const StoredRun& run, const fs::path& folder) {
  if (!run.columns.empty()) {
    return run.columns;
  }
  const std::size_t predictors = predictors_in(run);
  const std::size_t intercepts = has_intercept(run.options) ? predictors : 0;
  const std::size_t others = intercepts + type_of(run).auxiliaries.size() +
                             group_parameters(run.options.groups, run.labels);
  if (predictors == 0 || run.labels.size() < others ||
      (run.labels.size() - others) % predictors != 0) {
    fail_run_json(folder, "'parameters'", "one list a class");
  }
  const bool by_class = type_of(run).one_a_class();
  const std::string prefix = by_class ? run.classes.front() + ": " : "";
  std::vector<std::string> names;
  for (std::size_t j = 0; j < (run.labels.size() - others) / predictors; ++j) {
    const std::string& label = run.labels[intercepts + j];
    if (!label.starts_with(prefix)) {
      fail_run_json(folder, "'parameters'", "named by class");
    }
    names.push_back(label.substr(prefix.size()));
  }
  return names;
}

void require_same_parameters(const StoredRun& run, const RunChains& chains,
                             const fs::path& folder) {
  const std::vector<std::string> features = feature_names(run, folder);
  const auto designs = predictor_designs(run.options, run.classes.size(), features);
  const std::size_t parameters = parameter_places(designs, run.classes, features).size() +
                                 group_parameters(run.options.groups, run.labels);
  if (parameters != run.labels.size() ||
      chains.chains.front().columns.size() != kStatistics + parameters) {
    throw Error(ErrorKind::kData, shown_folder(folder) +
                                      "run.json and the chain files have different parameters; "
                                      "they are not of one run.");
  }
}

std::string incomplete_note(const StoredRun& run, const RunChains& chains) {
  return fmt::format("the run is not complete ({}): it holds {} a chain so far.",
                     escaped(run.status), counted(chains.chains.front().draws(), "draw"));
}

RunDraws arrange_draws(StoredRun run, std::vector<std::string> features, const RunChains& chains,
                       std::size_t at_most) {
  auto family = family_of(run, {});
  RunDraws draws{std::move(run), std::move(family), std::move(features), {}, {}, {}, {}};
  fill_some(draws, chains, at_most);
  return draws;
}

RunDraws read_run_draws(const fs::path& folder, std::size_t at_most) {
  StoredRun run = read_stored_run(folder);
  RunChains chains = read_run_chains(folder);
  require_same_parameters(run, chains, folder);
  auto family = family_of(run, folder);
  std::vector<std::string> features = feature_names(run, folder);
  RunDraws draws{std::move(run),         std::move(family), std::move(features), {}, {}, {},
                 std::move(chains.notes)};
  if (draws.run.status != "complete") {
    draws.notes.push_back(incomplete_note(draws.run, chains));
  }
  fill_some(draws, chains, at_most);
  return draws;
}

}  // namespace flymc
