// `flymc report`: a run as one page for the browser.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/run_command.hpp"
#include "cli/wording.hpp"
#include "core/output_folder.hpp"
#include "core/text.hpp"
#include "core/version.hpp"
#include "flymc/error.hpp"
#include "report/page.hpp"
#include "report/page_data.hpp"
#include "report/report_check.hpp"
#include "report/report_rows.hpp"
#include "run/run_files.hpp"
#include "run/run_json.hpp"
#include "run/stored_data.hpp"

namespace flymc::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t kMostCheckedRows = 100'000;

// What needs the data: the page says why where they are not to be had.
void add_data_sections(Json& page, const fs::path& folder, const RunChains& chains,
                       const nlohmann::json& run) {
  const StoredData data = load_stored_data(folder);
  const Problem* problem = data.problem ? &*data.problem : nullptr;
  if (problem != nullptr && !problem->family->type().says_mean) {
    page["check"] = {{"why_not", "A likelihood as text does not say what a response should be."}};
  } else if (problem != nullptr) {
    page["check"] =
        check_fit(*problem, fitted(*problem, chains, spaced_rows(*problem, kMostCheckedRows)));
  } else {
    page["check"] = {{"why_not", data.why_not.in(option_wording())}};
  }
  page["rows"] = bright_rows(run, problem, chains);
}

// A page of ours is made anew; what somebody else wrote is not ours to replace.
void require_own_page(const fs::path& out) {
  require_absent(out, true);
  std::error_code error;
  if (fs::is_regular_file(out, error) && fs::file_size(out, error) > 0 && !error &&
      !is_page(fs::canonical(out))) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{} was not written by flymc report and is not overwritten; choose "
                            "another --out.",
                            in_quotes(out.string())));
  }
}

void write_report(const fs::path& folder, const fs::path& out) {
  require_own_page(out);
  const nlohmann::json run = read_run_json(folder);
  const RunChains chains = read_run_chains(folder);
  const Summary summary = summarise(read_run_record(folder), chains, shown_folder(folder));
  Json page = page_data(summary, chains, run, option_wording());
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
