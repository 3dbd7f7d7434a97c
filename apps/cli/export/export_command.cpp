// `flymc export`: the draws of a run as NumPy arrays or as ArviZ InferenceData.
#include <fmt/format.h>

#include "cli/choice.hpp"
#include "cli/commands.hpp"
#include "core/standard_error.hpp"
#include "core/text.hpp"
#include "run/export/run_export.hpp"
#include "run/run_writer.hpp"

namespace flymc::cli {
namespace {

enum class Target { kNpz, kZarr };
constexpr Word<Target> kTargets[] = {{"npz", Target::kNpz}, {"zarr", Target::kZarr}};

struct Options {
  std::string folder;
  Target to = Target::kNpz;
  std::string out;
  std::string reference;
  bool overwrite = false;
  bool quiet = false;
};

void export_run(const Options& options) {
  require_outside(options.out, options.folder);
  const ExportedRun run = read_for_export(options.folder, options.reference);
  if (options.to == Target::kNpz) {
    export_npz(run, options.out, options.overwrite);
  } else {
    export_zarr(run, options.out, options.overwrite);
  }
  if (options.quiet) {
    return;
  }
  for (const std::string& note : run.notes) {
    print_error(note + "\n");
  }
  if (options.to == Target::kZarr && !run.levels.empty()) {
    print_error(
        fmt::format("a zarr has draws alone: {} without them are in levels.csv; --to npz "
                    "has them, too.\n",
                    counted(run.levels.size(), "level")));
  }
  print_error(fmt::format("exported {} of {}, {}: {}\n", counted(run.chains.size(), "chain"),
                          counted(run.draws(), "draw"), counted(run.run.labels.size(), "parameter"),
                          escaped(options.out)));
}

}  // namespace

void add_export(CommandLine& line, int& /*status*/) {
  const Subcommand command =
      line.add_subcommand("export", "draws as NumPy arrays or ArviZ InferenceData");
  auto options = std::make_shared<Options>();
  command.add_option("RUN", options->folder, "run folder").required();
  add_choice<Target>(command, "--to", options->to, kTargets, "format").required();
  command.add_option("--out", options->out, "file (npz) or folder (zarr)").required();
  command.add_option("--reference", options->reference,
                     "softmax: the class that others are compared with, default the most frequent");
  command.add_flag("--overwrite", options->overwrite, "replace an earlier export");
  command.add_flag("--quiet", options->quiet, "errors only");
  command.callback([options] { export_run(*options); });
}

}  // namespace flymc::cli
