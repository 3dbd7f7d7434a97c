#include "compare/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "compare/row_density.hpp"
#include "core/hash64.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "diagnose/class_contrasts.hpp"
#include "diagnose/moments.hpp"
#include "family/own_family.hpp"
#include "flymc/error.hpp"
#include "run/run_folder.hpp"

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
std::vector<Coefficient> coefficients_of(const ComparableRun& of) {
  if (!has_class_vectors(of.record)) {
    return coefficients_of(of.record.parameters, of.chains);
  }
  const ClassDifferences compared = compare_classes(of.record, of.chains, "");
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

// What the run found on its way, where it is fine enough or all there is; else a bridge over all
// rows.
Evidence evidence_of(const ComparableRun& of) {
  std::optional<LogEvidence> kept = of.evidence;
  if (kept) {
    kept->value += log_constants(*of.problem);
  }
  if (kept && kept->se <= kFineError) {
    return {*kept, {}};
  }
  Evidence bridged = bridged_evidence(
      *of.problem, theta_draws(*of.problem, of.chains, kMostBridgeDraws), of.settings.seed);
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

void add_answers(const ComparableRun& of, const CompareOptions& options, ComparedRun& run) {
  if (of.problem->groups) {
    run.why_no_loo = why_not_groups(*of.problem->groups);
    run.evidence.why_not = run.why_no_loo;
    return;
  }
  add_loo(*of.problem, of.chains, options, run);
  if (of.settings.select_prior) {
    run.evidence.why_not = "the prior's scale was selected on these data.";
    return;
  }
  run.evidence = evidence_of(of);
  const OwnSetting* const chosen = of.problem->family->type().chosen_setting();
  if (run.evidence.is_known() && chosen != nullptr && !of.settings.own.contains(chosen->name)) {
    run.notes.emplace_back(fmt::format(
        "{} was chosen from these data; the evidence takes it as known.", chosen->name));
  }
}

ComparedRun compared(const ComparableRun& of, const CompareOptions& options) {
  ComparedRun run;
  run.name = of.name;
  run.model = of.problem->family->type().word;
  run.coefficients = coefficients_of(of);
  if (run.model == kOwnWord) {
    run.notes.emplace_back(
        "the likelihood is taken as it is written: constants that its text leaves out are left "
        "out here, too.");
  }
  run.notes.insert(run.notes.end(), of.notes.begin(), of.notes.end());
  add_answers(of, options, run);
  return run;
}

// Of runs in folders, before their data are read; nothing of others.
std::vector<std::optional<StoredRun>> read_stored_runs(const std::vector<RunPlace>& places) {
  std::vector<std::optional<StoredRun>> stored(places.size());
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (const auto* const folder = std::get_if<fs::path>(&places[i])) {
      stored[i] = read_stored_run(*folder);
      first = first.value_or(i);
      require_same_data(
          *stored[*first], *stored[i],
          shown_folder(std::get<fs::path>(places[*first])) + " and " + shown_folder(*folder));
    }
  }
  return stored;
}

}  // namespace

std::vector<ComparedRun> compare_runs(const std::vector<RunPlace>& places,
                                      const CompareOptions& options) {
  const std::vector<std::optional<StoredRun>> stored = read_stored_runs(places);
  std::vector<ComparedRun> runs;
  std::optional<ResponseMark> mark;
  for (std::size_t i = 0; i < places.size(); ++i) {  // the data of one run at a time
    const ComparableRun run = stored[i] ? comparable(std::get<fs::path>(places[i]), *stored[i])
                                        : comparable(std::get<FitInMemory>(places[i]));
    const ResponseMark own = mark_of(*run.problem);
    if (mark.value_or(own) != own) {
      throw Error(
          ErrorKind::kData,
          fmt::format("{} and {} do not have the same rows, responses and weights of their data",
                      runs.front().name, run.name),
          "only models of the same responses can be compared.");
    }
    mark = own;
    runs.push_back(compared(run, options));
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
