// `flymc summary`: the table of a run, or the same as JSON.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/wording.hpp"
#include "flymc/diagnose/summary.hpp"
#include "report/checks.hpp"
#include "report/summary_text.hpp"
#include "run/run_folder.hpp"

namespace flymc::cli {

void add_summary(CommandLine& line, int& status) {
  struct Options {
    std::string folder;
    bool json = false;
    bool all = false;
    bool strict = false;
  };
  const Subcommand command =
      line.add_subcommand("summary", "means, quantiles, diagnostics and cost of a run");
  auto options = std::make_shared<Options>();
  command.add_option("RUN", options->folder, "run folder").required();
  command.add_flag("--json", options->json, "machine-readable");
  command.add_flag("--all", options->all, "every parameter, not only the first 20");
  command.add_flag("--strict", options->strict, "exit 2 when a convergence check fails");
  command.callback([options, &status] {
    const Summary summary = summarise(options->folder);
    fmt::print("{}", options->json ? to_json(summary)
                                   : to_table(summary, option_wording(), {.all = options->all}));
    if (options->strict && !checks_pass(summary)) {
      status = 2;
    }
  });
}

}  // namespace flymc::cli
