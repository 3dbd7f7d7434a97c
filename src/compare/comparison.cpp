#include "compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "compare/level_integral.hpp"
#include "compare/row_density.hpp"
#include "core/hash64.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "diagnose/class_contrasts.hpp"
#include "diagnose/moments.hpp"
#include "family/own_family.hpp"
#include "fit/parameters.hpp"
#include "flymc/error.hpp"
#include "run/run_folder.hpp"

namespace flymc {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostDraws = 4000;  // for leave-one-out
constexpr std::size_t kMostBridgeDraws = 16000;
constexpr double kFineError = 0.05;       // of an evidence that costs nothing
constexpr std::size_t kFewestDraws = 25;  // a tail of weights has five of them
constexpr std::size_t kMissingNamesShown = 8;

// What makes two runs comparable: so many rows with these responses and weights.
struct ResponseMark {
  std::string name;
  std::size_t rows = 0;
  std::uint64_t hash = 0;
  std::vector<std::string> missing_in{};  // whose missing values left out rows
  std::size_t valueless = 0;              // rows that a function of the formula left out

  [[nodiscard]] bool fits(const ResponseMark& other) const {
    return name == other.name && rows == other.rows && hash == other.hash;
  }
};

// Families encode responses each their own way: two classes as 0 and 1, successes as their number.
ResponseMark mark_of(const ComparableRun& run) {
  const Problem& problem = *run.problem;
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
          hash64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}),
          run.missing_in, run.valueless};
}

// The usual reason: one model has a column whose missing values cost it rows.
void require_same_rows(const ResponseMark& first, const ResponseMark& other,
                       const std::string& names) {
  if (first.fits(other)) {
    return;
  }
  std::string what = names + " do not have the same rows, responses and weights of their data";
  if (first.rows != other.rows) {
    what += fmt::format(": {} and {}", counted(first.rows, "row"), counted(other.rows, "row"));
  }
  if (first.name == other.name && first.missing_in == other.missing_in &&
      first.valueless != other.valueless) {
    throw Error(ErrorKind::kData, what,
                "a function of a formula has no number in rows that the other has: write one that "
                "has (log1p), or leave these rows out of the file.");
  }
  if (first.name != other.name || first.missing_in == other.missing_in) {
    throw Error(ErrorKind::kData, what, "only models of the same responses can be compared.");
  }
  std::vector<std::string> columns;  // of one of them alone
  const auto add = [&](const ResponseMark& of, const ResponseMark& without) {
    std::ranges::copy_if(of.missing_in, std::back_inserter(columns), [&](const std::string& name) {
      return std::ranges::find(without.missing_in, name) == without.missing_in.end();
    });
  };
  add(first, other);
  add(other, first);
  throw Error(ErrorKind::kData, what,
              message("values are missing in {}: fit every model with {}, which leaves these "
                      "rows out of all.",
                      listed(columns, ", ", kMissingNamesShown),
                      Setting{"complete_in", fmt::format("{}", fmt::join(columns, ","))}));
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
    if (is_of_level(parameter.column)) {
      continue;  // of a level: `summary` has them
    }
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
  if (problem.groups && !problem.groups->keeps_levels) {
    run.why_no_loo = message("the run kept no draws of its levels; fit again with {}.",
                             Setting{"levels", "all"});
    return;
  }
  const LinearDraws draws = linear_draws(problem, chains, kMostDraws);
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

Evidence evidence_with_levels(const ComparableRun& of) {
  if (!has_level_integral(*of.problem)) {
    return {{},
            "it is computed where one coefficient varies by the levels of one factor, and draws of "
            "these were kept."};
  }
  constexpr std::size_t kMostRows = 500'000;  // a minute
  if (of.problem->data.rows() > kMostRows) {
    return {{}, message("levels of {} rows take long to integrate over.", of.problem->data.rows())};
  }
  return bridged_evidence_of_levels(
      *of.problem, linear_draws(*of.problem, of.chains, kMostBridgeDraws), of.settings.seed);
}

// What the run found on its way, where it is fine enough or all there is; else a bridge over all
// rows.
Evidence evidence_of(const ComparableRun& of) {
  if (of.problem->groups) {
    return evidence_with_levels(of);
  }
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

void add_answers(const ComparableRun& of, const CompareOptions& options, ComparedRun& run) {
  add_loo(*of.problem, of.chains, options, run);
  if (of.settings.select_prior) {
    run.evidence.why_not = "the prior's scale was selected on these data.";
    return;
  }
  run.evidence = evidence_of(of);
  const OwnSetting* const chosen = of.problem->family->type().chosen_setting();
  if (run.evidence.is_known() && chosen != nullptr && of.settings.own.at(chosen->name) == kChoose) {
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

// By what run.json says, these runs of the same data may have other rows or responses.
bool may_have_other_rows(const StoredRun& first, const StoredRun& other) {
  const auto rows_of = [](const StoredRun& run) { return read_run_record(run.options.out).n; };
  const auto chosen = [](const LoadSpec& data) {
    return std::tie(data.response, data.weights, data.trials, data.censored, data.missing,
                    data.missing_in);
  };
  const auto columns = [](const LoadSpec& data) {
    return std::tie(data.formula, data.formulas, data.features, data.drop);
  };
  const LoadSpec& a = first.options.data;
  const LoadSpec& b = other.options.data;
  return rows_of(first) != rows_of(other) || chosen(a) != chosen(b) ||
         (a.missing != Missing::kError && columns(a) != columns(b));
}

ComparableRun comparable_at(const RunPlace& place, const std::optional<StoredRun>& stored) {
  return stored ? comparable(std::get<fs::path>(place), *stored)
                : comparable(std::get<FitInMemory>(place));
}

// Before anything is computed that takes long. The data are read once more for it, and so only
// where there is a doubt; rows that differ without one are found as runs are compared.
void require_same_rows_at_once(const std::vector<RunPlace>& places,
                               const std::vector<std::optional<StoredRun>>& stored) {
  const bool doubtful = std::ranges::any_of(stored, [&](const std::optional<StoredRun>& run) {
    return !run || !stored.front() || may_have_other_rows(*stored.front(), *run);
  });
  if (places.size() < 2 || !doubtful) {
    return;
  }
  std::optional<std::pair<std::string, ResponseMark>> first;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const ComparableRun run = comparable_at(places[i], stored[i]);
    if (!first) {
      first.emplace(run.name, mark_of(run));
    } else {
      require_same_rows(first->second, mark_of(run),
                        fmt::format("{} and {}", first->first, run.name));
    }
  }
}

}  // namespace

std::vector<ComparedRun> compare_runs(const std::vector<RunPlace>& places,
                                      const CompareOptions& options) {
  const std::vector<std::optional<StoredRun>> stored = read_stored_runs(places);
  require_same_rows_at_once(places, stored);
  std::vector<ComparedRun> runs;
  std::optional<ResponseMark> mark;
  for (std::size_t i = 0; i < places.size(); ++i) {  // the data of one run at a time
    const ComparableRun run = comparable_at(places[i], stored[i]);
    ResponseMark own = mark_of(run);
    if (mark) {
      require_same_rows(*mark, own, fmt::format("{} and {}", runs.front().name, run.name));
    } else {
      mark = std::move(own);
    }
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

ComparedNumbers numbers_of(const ComparedRun& first, const ComparedRun& run) {
  const bool self = &run == &first;
  ComparedNumbers of;
  if (run.loo) {
    const ElpdEstimate elpd = elpd_loo(*run.loo);
    const KhatFacts khat = khat_facts(*run.loo);
    of.elpd_loo = elpd.value;
    of.elpd_loo_se = elpd.se;
    of.elpd_loo_mcse = elpd.mcse;
    of.khat_max = khat.largest;
    of.khat_high = khat.high;
  }
  if (first.loo && run.loo) {
    const ElpdEstimate difference = self ? ElpdEstimate{} : elpd_difference(*run.loo, *first.loo);
    of.elpd_diff = difference.value;
    of.elpd_diff_se = difference.se;
    of.elpd_diff_mcse = difference.mcse;
  }
  if (run.evidence.is_known()) {
    of.log_evidence = run.evidence.log.value;
    of.log_evidence_se = run.evidence.log.se;
  }
  if (first.evidence.is_known() && run.evidence.is_known()) {
    of.log_bayes_factor = self ? 0.0 : run.evidence.log.value - first.evidence.log.value;
    of.log_bayes_factor_se = self ? 0.0 : std::hypot(run.evidence.log.se, first.evidence.log.se);
  }
  return of;
}

}  // namespace flymc
