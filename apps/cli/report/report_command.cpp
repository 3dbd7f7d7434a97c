// `flymc report`: a run as one page for the browser.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/own_page.hpp"
#include "cli/run_command.hpp"
#include "cli/wording.hpp"
#include "core/output_folder.hpp"
#include "core/text.hpp"
#include "report/page.hpp"
#include "report/run_page.hpp"

namespace flymc::cli {
namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::string folder;
  std::string out;
  std::string reference;
  bool overwrite = false;
};

void write_report(const ReportOptions& options, const fs::path& out) {
  const fs::path folder = options.folder;
  require_own_page({out, "report", {folder}, options.overwrite});
  nlohmann::ordered_json page = run_page(folder, option_wording(), options.reference);
  page["command"] = run_command(read_stored_run(folder));
  write_text(out, report_page(page));
}

}  // namespace

void add_report(CommandLine& line, int& /*status*/) {
  const Subcommand command =
      line.add_subcommand("report", "one self-contained web page about a run");
  auto options = std::make_shared<ReportOptions>();
  command.add_option("RUN", options->folder, "run folder").required();
  command.add_option("--out", options->out, "the page, default report.html in the run folder");
  command.add_option("--reference", options->reference,
                     "softmax: the class that others are compared with, default the most frequent");
  command.add_flag("--overwrite", options->overwrite,
                   "replace the file of --out even where it is no page of flymc");
  command.callback([options] {
    const fs::path out =
        options->out.empty() ? fs::path(options->folder) / "report.html" : fs::path(options->out);
    write_report(*options, out);
    fmt::print("made {}\n", escaped(out.string()));
  });
}

}  // namespace flymc::cli
