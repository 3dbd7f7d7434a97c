#include "report/run_page.hpp"

#include <nlohmann/json.hpp>

#include "check/check.hpp"
#include "core/version.hpp"
#include "diagnose/class_contrasts.hpp"
#include "effects/effects.hpp"
#include "flymc/error.hpp"
#include "report/check_text.hpp"
#include "report/effects_text.hpp"
#include "report/first_columns.hpp"
#include "report/page_data.hpp"
#include "report/page_levels.hpp"
#include "report/report_check.hpp"
#include "report/report_rows.hpp"
#include "run/level_file.hpp"
#include "run/run_json.hpp"
#include "run/run_writer.hpp"
#include "run/stored_data.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t kMostCheckedRows = 100'000;
constexpr std::size_t kMostEffectDraws = 400;
constexpr std::size_t kMostEffectCurves = 6;
constexpr std::size_t kCurvePoints = 15;
constexpr std::size_t kMostPredictedRows = 10'000;
constexpr std::size_t kMostPredictedDraws = 200;
constexpr double kMostEffectWork = 6e9;  // a few seconds

// Why a section is not there, where that is the model's or the data's doing. What is the machine's
// (a file that cannot be read, no memory) ends the command, for a page must not differ by accident.
std::string why_not(const Error& error, const Wording& wording) {
  if (error.kind() != ErrorKind::kData && error.kind() != ErrorKind::kUsage) {
    throw error;
  }
  return error.message().in(wording);
}

EffectsOptions effects_options() {
  EffectsOptions options;
  options.curves = kMostEffectCurves;
  options.draws = kMostEffectDraws;
  options.points = kCurvePoints;
  options.most_work = kMostEffectWork;
  options.verified = true;
  return options;
}

CheckOptions check_options() {
  CheckOptions options;
  options.rows = kMostPredictedRows;
  options.draws = kMostPredictedDraws;
  options.verified = true;
  return options;
}

bool is_of_fit(const NewData& rows) { return rows.of_fit; }
bool is_of_fit(const HeldRows& rows) { return rows.of_fit(); }

// What needs the input of the rows: how well the model predicts, below what it says of the rows it
// was fitted to, and what each column does. REQUIRES: the data of the run were seen to be what they
// were.
void add_input_sections(const fs::path& folder, const Wording& wording, Json& page) {
  EffectsOptions effects = effects_options();
  CheckOptions check = check_options();
  effects.folder = check.folder = folder;
  try {
    add_check_to_page(check_run(check), page["check"]);
  } catch (const Error& error) {
    page["check"]["numbers"].push_back({"predictions", why_not(error, wording)});
  }
  try {
    page["effects"] = page_effects(effects_of(effects));
  } catch (const Error& error) {
    page["effects"] = {{"why_not", why_not(error, wording)}};
  }
}

// What the data call the rows explained worst, beside what the model sees of them.
void add_first_columns(const fs::path& folder, const Wording& wording, Json& page) {
  const std::vector<std::size_t> rows = page["worst"]["numbers"];
  try {
    page["worst_columns"] = first_columns(read_stored_run(folder).options.data, rows);
  } catch (const Error& error) {
    (void)why_not(error, wording);
  }
}

// The same of a fit in memory: what is wrong with rows that were given is an error; of those of the
// fit, which nobody gave, the page says it.
template <class Rows>
void add_input_sections(const Fit& fit, const RunSettings& asked, const Rows& rows,
                        const Wording& wording, Json& page) {
  const auto said = [&](const Error& error) {
    if (!is_of_fit(rows)) {
      throw error;
    }
    return why_not(error, wording);
  };
  try {
    const Predictor predictor(draws_of(fit, asked, kMostPredictedDraws));
    add_check_to_page(check_rows(predictor, rows, check_options()), page["check"]);
  } catch (const Error& error) {
    page["check"]["numbers"].push_back({"predictions", said(error)});
  }
  try {
    const Predictor predictor(draws_of(fit, asked, kMostEffectDraws));
    page["effects"] = page_effects(effects_of(predictor, rows, effects_options()));
  } catch (const Error& error) {
    page["effects"] = {{"why_not", said(error)}};
  }
}

// What is known without the data. `folder`: where there is one.
Json page_of(const RunRecord& record, const RunChains& chains, const nlohmann::json& run,
             const Wording& wording, const fs::path* folder, const std::string& reference = "") {
  const std::string shown = folder != nullptr ? shown_folder(*folder) : "this run";
  Json page;
  if (has_class_vectors(record)) {
    const ClassDifferences compared = compare_classes(record, chains, reference);
    page = page_data(summarise(compared.record, compared.run, shown), compared.run, run, wording);
  } else {
    Summary summary = summarise(record, chains, shown, {.reference = reference});
    if (folder != nullptr) {
      add_streamed(*folder, summary);
    }
    page = page_data(summary, chains, run, wording);
    page["levels"] = page_levels(summary, chains, levels_of(summary));
  }
  page["program"] = version();
  page["worst_columns"] = nullptr;
  return page;
}

// What the model says of the rows that it was fitted to.
void add_fitted_sections(Json& page, const Problem& problem, const RunChains& chains) {
  if (problem.family->type().says_mean) {
    const Fitted fit = fitted(problem, chains, spaced_rows(problem, kMostCheckedRows));
    page["check"] = check_fit(problem, fit);
    page["worst"] = worst_rows(problem, fit);
  } else {
    page["check"] = {{"why_not", "A likelihood as text does not say what a response should be."}};
  }
  add_level_rows(problem, page["levels"]);
}

// run.json as a run in a folder would have it.
nlohmann::json described(const Fit& fit, const RunRecord& record, const RunSettings& asked) {
  RunOptions options{fit.settings(), asked};
  options.data.path.clear();
  options.source = "in memory";
  return nlohmann::json::parse(describe_run({.problem = fit.problem(),
                                             .options = options,
                                             .result = &fit.result(),
                                             .status = record.status,
                                             .notable = {},
                                             .clock_s = record.clock_seconds}));
}

template <class Rows>
Json page_of_fit(const Fit& fit, const RunSettings& asked, const Wording& wording,
                 const Rows& input) {
  const RunRecord record = fit.record();
  const nlohmann::json run = described(fit, record, asked);
  const RunChains chains = fit.chains();
  Json page = page_of(record, chains, run, wording, nullptr);
  add_fitted_sections(page, fit.problem(), chains);
  if (fit.family().type().says_mean) {
    add_input_sections(fit, asked, input, wording, page);
  }
  page["rows"] = bright_rows(run, &fit.problem(), chains);
  return page;
}

}  // namespace

Json run_page(const fs::path& folder, const Wording& wording, const std::string& reference) {
  const nlohmann::json run = read_run_json(folder);
  const RunChains chains = read_run_chains(folder);
  Json page = page_of(read_run_record(folder), chains, run, wording, &folder, reference);
  const StoredData data = load_stored_data(folder);
  const Problem* problem = data.problem ? &*data.problem : nullptr;
  if (problem == nullptr) {
    page["check"] = {{"why_not", data.why_not.in(wording)}};
  } else {
    add_fitted_sections(page, *problem, chains);
    if (problem->family->type().says_mean) {
      add_input_sections(folder, wording, page);
      add_first_columns(folder, wording, page);
    }
  }
  page["rows"] = bright_rows(run, problem, chains);
  return page;
}

Json run_page(const Fit& fit, const RunSettings& asked, const Wording& wording,
              const NewData& input) {
  Json page = page_of_fit(fit, asked, wording, input);
  const Problem& problem = fit.problem();
  if (fit.family().type().says_mean && input.frame != nullptr &&
      input.frame->rows == problem.rows + problem.left_out) {
    page["worst_columns"] =  // else other rows
        first_columns(*input.frame, asked.data.response, page["worst"]["numbers"]);
  }
  return page;
}

Json run_page(const Fit& fit, const RunSettings& asked, const Wording& wording,
              const HeldRows& input) {
  return page_of_fit(fit, asked, wording, input);
}

}  // namespace flymc
