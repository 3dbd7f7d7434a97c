// `flymc report`: a run as one page for the browser.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "check/check.hpp"
#include "cli/commands.hpp"
#include "cli/own_page.hpp"
#include "cli/run_command.hpp"
#include "cli/wording.hpp"
#include "core/output_folder.hpp"
#include "core/text.hpp"
#include "core/version.hpp"
#include "diagnose/class_contrasts.hpp"
#include "effects/effects.hpp"
#include "flymc/error.hpp"
#include "report/check_text.hpp"
#include "report/effects_text.hpp"
#include "report/page.hpp"
#include "report/page_data.hpp"
#include "report/report_check.hpp"
#include "report/report_rows.hpp"
#include "run/run_json.hpp"
#include "run/stored_data.hpp"

namespace flymc::cli {
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
std::string why_not(const Error& error) {
  if (error.kind() != ErrorKind::kData && error.kind() != ErrorKind::kUsage) {
    throw error;
  }
  return error.message().in(option_wording());
}

// REQUIRES: the data of the run were seen to be what they were.
Json effects_section(const fs::path& folder) {
  EffectsOptions options;
  options.folder = folder;
  options.curves = kMostEffectCurves;
  options.draws = kMostEffectDraws;
  options.points = kCurvePoints;
  options.most_work = kMostEffectWork;
  options.verified = true;
  try {
    return page_effects(effects_of(options));
  } catch (const Error& error) {
    return {{"why_not", why_not(error)}};
  }
}

// How well the model predicts, below what it says of the rows it was fitted to. REQUIRES: as above.
void add_predictions(const fs::path& folder, Json& section) {
  CheckOptions options;
  options.folder = folder;
  options.rows = kMostPredictedRows;
  options.draws = kMostPredictedDraws;
  options.verified = true;
  try {
    add_check_to_page(check_run(options), section);
  } catch (const Error& error) {
    section["numbers"].push_back({"predictions", why_not(error)});
  }
}

// What needs the data: the page says why where they are not to be had.
void add_data_sections(Json& page, const fs::path& folder, const RunChains& chains,
                       const nlohmann::json& run) {
  const StoredData data = load_stored_data(folder);
  const Problem* problem = data.problem ? &*data.problem : nullptr;
  if (problem != nullptr && !problem->family->type().says_mean) {
    page["check"] = {{"why_not", "A likelihood as text does not say what a response should be."}};
  } else if (problem != nullptr) {
    const Fitted fit = fitted(*problem, chains, spaced_rows(*problem, kMostCheckedRows));
    page["check"] = check_fit(*problem, fit);
    add_predictions(folder, page["check"]);
    page["worst"] = worst_rows(*problem, fit);
    page["effects"] = effects_section(folder);
  } else {
    page["check"] = {{"why_not", data.why_not.in(option_wording())}};
  }
  page["rows"] = bright_rows(run, problem, chains);
}

void write_report(const fs::path& folder, const fs::path& out) {
  require_own_page(out, "report");
  const nlohmann::json run = read_run_json(folder);
  const RunChains chains = read_run_chains(folder);
  const RunRecord record = read_run_record(folder);
  const std::string shown = shown_folder(folder);
  Json page;
  if (has_class_vectors(record)) {
    const ClassDifferences compared = compare_classes(record, chains, "");
    page = page_data(summarise(compared.record, compared.run, shown), compared.run, run,
                     option_wording());
  } else {
    page = page_data(summarise(record, chains, shown), chains, run, option_wording());
  }
  add_data_sections(page, folder, chains, run);
  page["command"] = run_command(read_stored_run(folder));
  page["program"] = version();
  write_text(out, report_page(page));
}

}  // namespace

void add_report(CommandLine& line, int& /*status*/) {
  struct Options {
    std::string folder;
    std::string out;
  };
  const Subcommand command =
      line.add_subcommand("report", "one self-contained web page about a run");
  auto options = std::make_shared<Options>();
  command.add_option("RUN", options->folder, "run folder").required();
  command.add_option("--out", options->out, "the page, default report.html in the run folder");
  command.callback([options] {
    const fs::path out =
        options->out.empty() ? fs::path(options->folder) / "report.html" : fs::path(options->out);
    write_report(options->folder, out);
    fmt::print("made {}\n", escaped(out.string()));
  });
}

}  // namespace flymc::cli
