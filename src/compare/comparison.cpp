#include "compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "compare/row_density.hpp"
#include "core/hash64.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "diagnose/class_contrasts.hpp"
#include "diagnose/moments.hpp"
#include "family/own_family.hpp"
#include "flymc/error.hpp"
#include "run/run_draws.hpp"
#include "run/run_folder.hpp"
#include "run/run_json.hpp"
#include "run/stored_data.hpp"

namespace flymc {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostDraws = 4000;  // for leave-one-out
constexpr std::size_t kMostBridgeDraws = 16000;
constexpr double kFineError = 0.05;       // of an evidence that costs nothing
constexpr std::size_t kFewestDraws = 25;  // a tail of weights has five of them

// What makes two runs comparable: so many rows with these responses and weights.
struct ResponseMark {
  std::string name;
  std::size_t rows = 0;
  std::uint64_t hash = 0;

  bool operator==(const ResponseMark&) const = default;
};

// Families encode responses each their own way: two classes as 0 and 1, successes as their number.
ResponseMark mark_of(const Problem& problem) {
  const ResponseKind kind = problem.family->type().response;
  std::vector<double> values;
  for (std::size_t n = 0; n < problem.data.rows(); ++n) {
    const double response = problem.data.response(n);
    const double weight = problem.data.weight(n);
    const bool trials = kind == ResponseKind::kSuccesses;
    values.push_back(trials                              ? std::round(response * weight)
                     : kind == ResponseKind::kTwoClasses ? (response > 0.0 ? 1.0 : 0.0)
                                                         : problem.family->observed(response));
    values.push_back(trials ? 1.0 : weight);
  }
  return {problem.response, problem.data.rows(),
          hash64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)})};
}

void require_same_data(const StoredRun& first, const StoredRun& other, const std::string& names) {
  bool same = first.data_checksum == other.data_checksum;
  for (const FileChecksum& file : other.files) {
    same = same &&
           (first.files.empty() || std::ranges::any_of(first.files, [&](const FileChecksum& one) {
              return one.checksum == file.checksum;
            }));
  }
  if (!same) {
    throw Error(ErrorKind::kData, names + " are runs of different data (by checksum)",
                "only runs of the same data can be compared.");
  }
}

std::vector<Coefficient> coefficients_of(const std::vector<ParameterName>& parameters,
                                         const RunChains& chains) {
  std::vector<Coefficient> result;
  for (const ParameterName& parameter : parameters) {
    const std::vector<double> draws = gather(chains, parameter.column);
    result.push_back({parameter.label, mean(draws), standard_deviation(draws)});
  }
  return result;
}

// As people read them: where every class has its own, class against class. Runs of the same data
// have the same most frequent class.
std::vector<Coefficient> coefficients_of(const fs::path& folder, const RunChains& chains) {
  const RunRecord record = read_run_record(folder);
  if (!has_class_vectors(record)) {
    return coefficients_of(record.parameters, chains);
  }
  const ClassDifferences compared = compare_classes(record, chains, "");
  return coefficients_of(compared.record.parameters, compared.run);
}

void add_loo(const Problem& problem, const RunChains& chains, const CompareOptions& options,
             ComparedRun& run) {
  const ThetaDraws draws = theta_draws(problem, chains, kMostDraws);
  if (draws.draws() < kFewestDraws) {
    run.why_no_loo =
        message("too few draws ({}); ask for more: {}.", draws.draws(), Setting{"draws"});
    return;
  }
  PointwiseLoo loo = pointwise_loo(problem, draws, options.exact_rows);
  const ElpdEstimate elpd = elpd_loo(loo);
  if (!std::isfinite(elpd.value) || !std::isfinite(elpd.se)) {
    run.why_no_loo = "the density of a row is not finite.";
    return;
  }
  run.loo = std::move(loo);
}

// A run with all that its numbers are made of.
struct RunInHand {
  const fs::path& folder;
  const StoredRun& stored;
  const RunChains& chains;
  const Problem& problem;
};

// What the run found on its way; none where its file holds no such numbers.
std::optional<LogEvidence> kept_evidence(const Problem& problem, const fs::path& folder) {
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
  return LogEvidence{value->get<double>() + log_constants(problem), se->get<double>()};
}

// That, where it is fine enough or all there is; else a bridge over all rows.
Evidence evidence_of(const RunInHand& of) {
  const std::optional<LogEvidence> kept = kept_evidence(of.problem, of.folder);
  if (kept && kept->se <= kFineError) {
    return {*kept, {}};
  }
  Evidence bridged = bridged_evidence(
      of.problem, theta_draws(of.problem, of.chains, kMostBridgeDraws), of.stored.options.seed);
  const bool is_finer = kept && (!bridged.is_known() || kept->se < bridged.log.se);
  return is_finer ? Evidence{*kept, {}} : bridged;
}

// Both numbers are integrals over all that varies, which nothing here does yet.
Message why_not_groups(const ProblemGroups& groups) {
  const bool curves = std::ranges::all_of(groups.terms, &GroupTerm::is_smooth);
  return message("{} not handled yet; hold rows out of each fit ({}) and compare their scores: {}.",
                 curves ? "curves of s() are" : "coefficients that vary by level are",
                 Setting{"holdout", "0.1"}, Command{"check"});
}

void add_answers(const RunInHand& of, const CompareOptions& options, ComparedRun& run) {
  if (of.problem.groups) {
    run.why_no_loo = why_not_groups(*of.problem.groups);
    run.evidence.why_not = run.why_no_loo;
    return;
  }
  add_loo(of.problem, of.chains, options, run);
  if (of.stored.options.select_prior) {
    run.evidence.why_not = "the prior's scale was selected on these data.";
    return;
  }
  run.evidence = evidence_of(of);
  const OwnSetting* const chosen = of.problem.family->type().chosen_setting();
  if (run.evidence.is_known() && chosen != nullptr &&
      !of.stored.options.own.contains(chosen->name)) {
    run.notes.emplace_back(fmt::format(
        "{} was chosen from these data; the evidence takes it as known.", chosen->name));
  }
}

ComparedRun compared(const RunInHand& of, const CompareOptions& options) {
  ComparedRun run;
  run.folder = shown_folder(of.folder);
  run.model = of.problem.family->type().word;
  run.coefficients = coefficients_of(of.folder, of.chains);
  if (run.model == kOwnWord) {
    run.notes.emplace_back(
        "the likelihood is taken as it is written: constants that its text leaves out are left "
        "out here, too.");
  }
  if (of.stored.status != "complete") {
    run.notes.emplace_back(incomplete_note(of.stored, of.chains));
  }
  for (const std::string& note : of.chains.notes) {
    run.notes.emplace_back(note);
  }
  add_answers(of, options, run);
  return run;
}

Problem loaded_problem(const fs::path& folder) {
  StoredData data = load_stored_data(folder, StoredRows::kAsGiven);
  if (!data.problem) {
    throw Error(ErrorKind::kData, message("{} cannot be compared without its data: {}",
                                          shown_folder(folder), data.why_not));
  }
  return std::move(*data.problem);
}

}  // namespace

std::vector<ComparedRun> compare_runs(const std::vector<fs::path>& folders,
                                      const CompareOptions& options) {
  std::vector<StoredRun> stored;
  for (const fs::path& folder : folders) {
    stored.push_back(read_stored_run(folder));
    require_same_data(stored.front(), stored.back(),
                      shown_folder(folders.front()) + " and " + shown_folder(folder));
  }
  std::vector<ComparedRun> runs;
  std::optional<ResponseMark> mark;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const RunChains chains = read_run_chains(folders[i]);
    require_same_parameters(stored[i], chains, folders[i]);
    const Problem problem = loaded_problem(folders[i]);
    const ResponseMark own = mark_of(problem);
    if (mark.value_or(own) != own) {
      throw Error(
          ErrorKind::kData,
          fmt::format("{} and {} do not have the same rows, responses and weights of their data",
                      shown_folder(folders.front()), shown_folder(folders[i])),
          "only models of the same responses can be compared.");
    }
    mark = own;
    runs.push_back(compared({folders[i], stored[i], chains, problem}, options));
  }
  return runs;
}

KhatFacts khat_facts(const PointwiseLoo& loo) {
  KhatFacts facts;
  for (const double k : loo.khat) {
    if (std::isfinite(k)) {
      facts.largest = std::max(facts.largest, k);
    }
    facts.high += k > kHighKhat ? 1 : 0;
  }
  return facts;
}

}  // namespace flymc
