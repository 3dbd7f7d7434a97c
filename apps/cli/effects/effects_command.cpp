// `flymc effects`: what each column does to the expected response, on average.
#include <fmt/format.h>

#include <algorithm>

#include "cli/choice.hpp"
#include "cli/commands.hpp"
#include "cli/count_option.hpp"
#include "effects/effects.hpp"
#include "flymc/error.hpp"
#include "report/effects_text.hpp"

namespace flymc::cli {

void add_effects(CommandLine& line, int& /*status*/) {
  struct Options {
    std::string folder;
    EffectsOptions effects;
    bool json = false;
  };
  const Subcommand command = line.add_subcommand("effects",
                                                 "what each column does to the expected response, "
                                                 "on average over rows; curves over its range");
  auto options = std::make_shared<Options>();
  EffectsOptions& effects = options->effects;
  command.add_option("RUN", options->folder, "run folder").required();
  command.add_list("--of", effects.of,
                   "columns of the input: their effects alone, and the average prediction over "
                   "the range of each");
  command.add_option("--prob", effects.how.prob, "of the intervals, default 0.95");
  command.add_flag("--json", options->json, "machine-readable");
  command.add_option("--data", effects.data,
                     "rows to average over, default those of the fit; any format that fit reads");
  add_choice(command, "--format", effects.format, "of --data, default by name and content");
  command.add_option(
      "--rows",
      [&effects](const std::string& text) {
        effects.rows = text == "all" ? 0 : parse_count("--rows", text, {.least = 1});
      },
      "at most so many, taken at random, or all; default 100000, fewer where that takes long");
  add_count(command, "--draws", effects.draws,
            "at most so many, evenly spaced; 0 = all; default 1000");
  add_count(command, "--points", effects.points, "of a curve, default 21", {.least = 2});
  add_count(command, "--threads", effects.how.threads, "0 = all cores; never changes a number");
  command.callback([options] {
    EffectsOptions& asked = options->effects;
    if (!(asked.how.prob > 0.0 && asked.how.prob < 1.0)) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--prob {}: must be between 0 and 1.", asked.how.prob));
    }
    asked.folder = options->folder;
    asked.how.threads = std::min(asked.how.threads, kMostThreads);
    const Effects found = effects_of(asked);
    fmt::print("{}", options->json ? effects_json(found) : effects_table(found));
  });
}

}  // namespace flymc::cli
