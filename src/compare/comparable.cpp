#include "compare/comparable.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/message.hpp"
#include "fit/engine.hpp"
#include "flymc/error.hpp"
#include "flymc/load.hpp"
#include "run/holdout.hpp"
#include "run/run_draws.hpp"
#include "run/run_folder.hpp"
#include "run/run_json.hpp"
#include "run/stored_data.hpp"

namespace flymc {
namespace {

// None where run.json holds no such numbers.
std::optional<LogEvidence> kept_evidence(const std::filesystem::path& folder) {
  const nlohmann::json run = read_run_json(folder);
  const auto found = run.find("evidence");
  if (found == run.end() || !found->is_object()) {
    return std::nullopt;
  }
  const auto value = found->find("log_less_constants");
  const auto se = found->find("se");
  if (value == found->end() || !value->is_number() || se == found->end() || !se->is_number()) {
    return std::nullopt;
  }
  return LogEvidence{value->get<double>(), se->get<double>()};
}

StoredData loaded_data(const std::filesystem::path& folder) {
  StoredData data = load_stored_data(folder, StoredRows::kAsGiven);
  if (!data.problem) {
    throw Error(data.kind, message("{} cannot be compared without its data: {}",
                                   shown_folder(folder), data.why_not));
  }
  return data;
}

double total_weight(const Dataset& data) {
  double sum = 0.0;
  for (std::size_t n = 0; n < data.rows(); ++n) {
    sum += data.weight(n);
  }
  return sum;
}

// Every row of `merged` is the first of its kind among those given, and weights add up to as much.
bool is_made_of(const Problem& merged, const Problem& given) {
  const Dataset& left = merged.data;
  const Dataset& all = given.data;
  if (merged.rows != given.rows || left.names() != all.names() || merged.classes != given.classes) {
    return false;
  }
  const double weight = total_weight(left);
  if (std::abs(weight - total_weight(all)) > 1e-9 * weight) {
    return false;
  }
  Buffer<double> ours(left.names().size());
  Buffer<double> theirs(ours.size());
  for (std::size_t n = 0; n < left.rows(); ++n) {
    const std::size_t first = merged.merged[n].first;
    const double* const x = left.row(n, ours.data()).raw;
    if (!std::equal(x, x + ours.size(), all.row(first, theirs.data()).raw) ||
        left.response(n) != all.response(first) || left.offset(n) != all.offset(first)) {
      return false;
    }
  }
  return true;
}

// What the fit was given, without the rows that it held out.
Loaded load_again(const FitInMemory& held) {
  Loaded loaded;
  if (held.table) {
    loaded.table = held.table();
  } else if (held.rows != nullptr && !held.asked.data.formula.empty()) {
    LoadSpec spec = held.asked.data;
    spec.frame = held.rows;
    loaded = load(spec);
  } else {
    throw Error(
        ErrorKind::kUsage,
        message("{} has one row for all that are equal, and is compared row by row", held.name),
        message("give compare() the data of the fits, or fit with {}, which merges none.",
                Setting{"engine", "regular"}));
  }
  (void)hold_out(RunOptions{held.fit->settings(), held.asked}, loaded.table);
  return loaded;
}

// As it was before equal rows were merged, with what the data chose kept.
Problem unmerged(const FitInMemory& held) {
  Loaded loaded = load_again(held);
  FitSettings settings = held.fit->settings();
  settings.select_prior = false;
  settings.engine = EngineKind::kRegular;  // which merges none
  Settings chosen = held.fit->problem().family->settings();
  chosen.insert(settings.own.begin(), settings.own.end());  // what is to be inferred
  settings.own = std::move(chosen);
  settings.columns = std::move(loaded.predictors);
  Problem given = prepare(std::move(loaded.table), settings);
  if (!is_made_of(held.fit->problem(), given)) {
    throw Error(ErrorKind::kData, message("the data are not those of {}", held.name),
                "give compare() the rows that it was fitted to.");
  }
  return given;
}

}  // namespace

ComparableRun comparable(const std::filesystem::path& folder, const StoredRun& stored) {
  ComparableRun run{.name = shown_folder(folder),
                    .record = read_run_record(folder),
                    .chains = read_run_chains(folder),
                    .settings = stored.options,
                    .problem = nullptr};
  require_same_parameters(stored, run.chains, folder);
  StoredData data = loaded_data(folder);
  run.problem = std::make_shared<const Problem>(*std::move(data.problem));
  run.missing_in = std::move(data.missing_in);
  run.valueless = data.valueless;
  run.evidence = kept_evidence(folder);
  if (stored.status != "complete") {
    run.notes.emplace_back(incomplete_note(stored, run.chains));
  }
  for (const std::string& note : run.chains.notes) {
    run.notes.emplace_back(note);
  }
  return run;
}

ComparableRun comparable(const FitInMemory& held) {
  const Fit& fit = *held.fit;
  ComparableRun run{.name = held.name,
                    .record = fit.record(),
                    .chains = fit.chains(),
                    .settings = fit.settings(),
                    .problem = nullptr,
                    .evidence = fit.result().evidence,
                    .missing_in = held.missing_in};
  const bool as_given = fit.problem().merged.empty();
  run.problem = as_given ? std::shared_ptr<const Problem>(std::shared_ptr<void>{}, &fit.problem())
                         : std::make_shared<const Problem>(unmerged(held));
  return run;
}

}  // namespace flymc
