// `flymc inspect`: what a table holds and what to fit to it, as a table or as JSON.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/count_option.hpp"
#include "cli/data_options.hpp"
#include "cli/inspect/inspect.hpp"
#include "core/standard_error.hpp"
#include "core/text.hpp"

namespace flymc::cli {

void add_inspect(CommandLine& line, int& /*status*/) {
  struct Options {
    LoadSpec data;
    bool json = false;
    bool all = false;
  };
  const Subcommand command =
      line.add_subcommand("inspect", "columns, response and problems of a table");
  auto options = std::make_shared<Options>();
  add_data_options(command, options->data);
  add_count(command, "--threads", options->data.threads, "0 = all cores");
  command.add_flag("--json", options->json, "machine-readable");
  command.add_flag("--all", options->all, "every column and class, not only the first 20");
  command.callback([options] {
    options->data.threads = std::min(options->data.threads, kMostThreads);
    std::optional<Proposal> proposal;
    if (const std::optional<TableGuess> guess = guess_columns(options->data)) {
      proposal = propose(options->data, *guess);
    }
    const LoadSpec spec = proposal ? proposal->spec : options->data;
    Loaded loaded = load(spec);
    for (const std::string& warning : loaded.warnings) {
      print_error("warning: " + warning + "\n");
    }
    Inspection inspection = inspect(std::move(loaded), spec);
    inspection.proposal = std::move(proposal);
    fmt::print("{}", options->json ? to_json(inspection) : to_table(inspection, options->all));
  });
}

}  // namespace flymc::cli
