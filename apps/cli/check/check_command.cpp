// `flymc check`: what a run predicts beside what came.
#include <fmt/format.h>

#include <algorithm>

#include "check/check.hpp"
#include "cli/choice.hpp"
#include "cli/commands.hpp"
#include "cli/count_option.hpp"
#include "flymc/error.hpp"
#include "report/check_text.hpp"

namespace flymc::cli {

void add_check(CommandLine& line, int& /*status*/) {
  struct Options {
    std::string folder;
    CheckOptions check;
    bool json = false;
  };
  const Subcommand command = line.add_subcommand(
      "check",
      "whether a run predicts what came: calibration, AUC and scores of classes, coverage and "
      "quantile residuals of numbers and counts");
  auto options = std::make_shared<Options>();
  CheckOptions& check = options->check;
  command.add_option("RUN", options->folder, "run folder").required();
  command.add_option("--data", check.data,
                     "rows to check, default those of fit --holdout, else those of the fit");
  add_choice(command, "--format", check.format, "of --data, default by name and content");
  command.add_option("--prob", check.prob, "of the intervals, default 0.95");
  command.add_flag("--json", options->json, "machine-readable");
  command.add_option(
      "--rows",
      [&check](const std::string& text) {
        check.rows = text == "all" ? 0 : parse_count("--rows", text, {.least = 1});
      },
      "at most so many, taken at random, or all; default 50000");
  add_count(command, "--draws", check.draws,
            "at most so many, evenly spaced; 0 = all; default 400");
  add_count(command, "--threads", check.threads, "0 = all cores; never changes a number");
  command.callback([options] {
    CheckOptions& asked = options->check;
    if (!(asked.prob > 0.0 && asked.prob < 1.0)) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--prob {}: must be between 0 and 1.", asked.prob));
    }
    asked.folder = options->folder;
    asked.threads = std::min(asked.threads, kMostThreads);
    const CheckedRun found = check_run(asked);
    fmt::print("{}", options->json ? check_json(found) : check_table(found));
  });
}

}  // namespace flymc::cli
