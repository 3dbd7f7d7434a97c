// run.json: what was asked, what was used, what it cost.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/version.hpp"
#include "data/input/input_files.hpp"
#include "run/level_file.hpp"
#include "run/run_config.hpp"
#include "run/run_writer.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

Json describe_prior(const PriorUsed& prior) {
  Json used{{"slopes", prior.slopes}};
  if (!prior.intercept.empty()) {
    used["intercept"] = prior.intercept;
  }
  for (const auto& [name, law] : prior.auxiliaries) {
    used[name] = law;
  }
  used["standardised"] = prior.standardised;
  return used;
}

// Which predictor is made of which columns, where that has to be said.
void describe_predictors(const Problem& problem, Json& run) {
  if (problem.columns.empty()) {
    return;
  }
  run["columns"] = problem.data.names();
  for (const auto& [name, predictor] : problem.columns) {
    Json& one = run["predictors"].emplace_back(
        Json{{"name", name}, {"columns", predictor.columns}, {"intercept", predictor.intercept}});
    if (!predictor.offsets.empty()) {
      one["offsets"] = predictor.offsets;
    }
  }
}

// The fixed numbers of one family alone.
void describe_family(const Problem& problem, Json& run) {
  const FamilyType& type = problem.family->type();
  for (const OwnSetting& setting : type.settings) {
    run[type.key()][setting.name] = problem.family->settings().at(setting.name);
  }
  if (problem.censored > 0.0) {
    run[type.key()]["censored"] = problem.censored;
  }
  if (are_of_trials(type.response)) {
    run[type.key()]["successes"] = problem.successes;
    run[type.key()]["trials"] = problem.trials;
  }
}

Json describe_data(const RunFacts& facts) {
  const LoadSpec& spec = facts.options.data;
  if (spec.path.empty()) {
    return {{"path", facts.options.source}};
  }
  // Standard input has no path, and cannot be read again to resume the run.
  const auto& files = facts.problem.files;
  const auto path_of = [](const std::string& path) {
    return path == kStandardInput ? path : std::filesystem::absolute(path).string();
  };
  Json data{{"path", path_of(spec.path)}, {"checksum", files.empty() ? "" : files[0].checksum}};
  for (std::size_t i = 1; i < files.size(); ++i) {  // columns that are files of their own
    data["files"].push_back({{"path", path_of(files[i].path)}, {"checksum", files[i].checksum}});
  }
  return data;
}

Json describe_forecast(const Forecast& forecast) {
  const auto one = [](const Cost& cost) {
    return Json{{"queries_per_iteration", cost.queries()},
                {"effective_draws_per_iteration", cost.draws()},
                {"queries_per_effective_draw", cost.queries() / cost.draws()}};
  };
  return {{"fly", one(forecast.fly)},
          {"regular", one(forecast.regular)},
          {"fly_pays", forecast.fly_pays()}};
}

Json describe_forecast(const GroupForecast& forecast) {
  const auto one = [](double queries) { return Json{{"queries_per_iteration", queries}}; };
  return {{"fly", one(forecast.fly)},  // not a number: null
          {"regular", one(forecast.regular)},
          {"fly_pays", std::isfinite(forecast.fly)}};
}

// The engine that ran; before set-up, the one that was asked for.
bool is_regular(const RunFacts& facts) {
  return facts.result != nullptr ? facts.result->setup.regular
                                 : facts.options.engine == EngineKind::kRegular;
}

Json describe_sampling(const EngineResult& result) {
  double seconds = 0.0;
  std::uint64_t iterations = 0;
  std::uint64_t queries_theta = 0;
  std::uint64_t queries_z = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t warmup_queries = 0;
  double bright = 0.0;
  Json tuning = Json::array();
  for (const RunSummary& chain : result.chains) {
    seconds = std::max(seconds, chain.wall_s);
    iterations += chain.iterations;
    queries_theta += chain.queries_theta;
    queries_z += chain.queries_z;
    evaluations += chain.evaluations;
    warmup_queries += chain.warmup_queries;
    bright += chain.mean_bright * static_cast<double>(chain.iterations);
    tuning.push_back({{"step_size", chain.tuning.step_size},
                      {"q", chain.tuning.dark_to_bright},
                      {"kicks", chain.tuning.kicks},
                      {"accept_prob", chain.mean_accept_prob}});
  }
  return {{"seconds", seconds},
          {"iterations", iterations},
          {"queries_theta", queries_theta},
          {"queries_z", queries_z},
          {"mean_bright", iterations > 0 ? bright / static_cast<double>(iterations) : 0.0},
          {"evaluations", evaluations},
          {"warmup_queries", warmup_queries},
          {"tuning", tuning}};
}

// Rows that are often bright, or always lit, are those the model explains worst: worth a look.
// Numbered from 1 as in the table; of equal rows that were merged the first is named, and "rows"
// says how many there are.
void describe_notable_rows(const NotableRows& notable, Json& run) {
  run["brightest"] = Json::array();
  for (const auto& [row, share] : notable.brightest) {
    Json described = {{"row", row.first + 1}, {"share", share}};
    if (row.count > 1) {
      described["rows"] = row.count;
    }
    run["brightest"].push_back(std::move(described));
  }
  run["beacon_rows"] = Json::array();
  for (const GivenRow& row : notable.beacons) {
    run["beacon_rows"].push_back(row.first + 1);
  }
}

// How many shared the rows, and what the first of them said on the way.
Json describe_ranks(const Ranks& ranks) {
  return {{"count", ranks.size()},
          {"collectives", ranks.traffic().collectives},
          {"bytes", ranks.traffic().bytes}};
}

}  // namespace

std::string describe_run(const RunFacts& facts) {
  const Problem& problem = facts.problem;
  // Not null at first: an object that cannot be made of one is a null pointer to its destructor.
  Json run = Json::object();
  run["version"] = version();
  run["status"] = facts.status;
  run["exact"] = true;
  run["model"] = facts.options.family;
  run["engine"] = is_regular(facts) ? "regular" : "fly";
  run["seconds"] = facts.clock_s;
  run["n"] = problem.rows;
  run["d"] = problem.data.names().size();
  run["data"] = describe_data(facts);
  run["config"] = describe_config(facts.options);
  run["prior"] = describe_prior(problem.prior_used);
  describe_family(problem, run);
  if (problem.left_out > 0) {
    run["rows_left_out"] = problem.left_out;
  }
  run["classes"] = problem.classes;
  if (!problem.class_rows.empty()) {
    run["class_rows"] = problem.class_rows;
  }
  if (!problem.levels.empty()) {
    run["levels"] = problem.levels;
  }
  if (problem.groups && !problem.groups->keeps_levels) {
    run["level_file"] = kLevelFile;
  }
  if (!problem.constants.empty()) {
    run["constants"] = problem.constants;
  }
  describe_predictors(problem, run);
  run["parameters"] = Json::array();
  for (const auto& parameter : problem.parameters) {
    run["parameters"].push_back({{"column", parameter.column}, {"label", parameter.label}});
  }
  for (const auto& parameter : problem.parameters) {
    if (std::isfinite(parameter.column_sd)) {
      run["column_sd"][parameter.column] = parameter.column_sd;
    }
  }
  if (facts.result != nullptr) {
    const SetupInfo& setup = facts.result->setup;
    if (setup.forecast) {
      run["forecast"] = describe_forecast(*setup.forecast);
    }
    if (setup.group_forecast) {
      run["forecast"] = describe_forecast(*setup.group_forecast);
    }
    run["setup"] = {{"seconds", setup.wall_s},
                    {"reanchor_seconds", setup.reanchor_s},
                    {"passes", setup.passes},
                    {"queries", setup.queries},
                    {"newton_decrement", setup.newton_decrement},
                    {"reanchor_rounds", setup.rounds},
                    {"merged_rows", problem.rows - problem.data.rows()},
                    {"beacons", setup.beacons},
                    {"expected_bright", setup.expected_bright}};
    if (!setup.mode_nats.empty()) {
      run["setup"]["mode_nats"] = setup.mode_nats;
    }
    run["sampling"] = describe_sampling(*facts.result);
    if (const auto& evidence = facts.result->evidence) {
      run["evidence"] = {{"log_less_constants", evidence->value}, {"se", evidence->se}};
    }
    if (!is_regular(facts)) {
      describe_notable_rows(facts.notable, run);
    }
    if (problem.data.shard().is_split()) {
      run["ranks"] = describe_ranks(problem.data.shard().ranks());
    }
  }
  return run.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace flymc
