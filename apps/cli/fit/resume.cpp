#include "cli/fit/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/fit/fit_file.hpp"
#include "core/text.hpp"
#include "core/version.hpp"
#include "data/input/content.hpp"
#include "data/input/input_files.hpp"
#include "fit/settings.hpp"
#include "flymc/error.hpp"
#include "ranks/mpi_launch.hpp"
#include "report/fit_notes.hpp"
#include "run/run_config.hpp"
#include "run/run_folder.hpp"
#include "run/run_writer.hpp"

namespace flymc::cli {
namespace {

namespace fs = std::filesystem;

std::optional<Checkpoint> read_checkpoint(const fs::path& folder, const FitOptions& options,
                                          std::uint32_t chain) {
  const fs::path path = checkpoint_file(folder, chain);
  if (!fs::exists(path)) {
    return std::nullopt;
  }
  const FileMap file(path.string());
  Checkpoint checkpoint = parse_checkpoint(file.bytes(), escaped(path.string()));
  if (checkpoint.seed != options.seed || checkpoint.chain != chain) {
    throw Error(ErrorKind::kData,
                fmt::format("{} is of another run; put the right file back, or fit again with "
                            "--overwrite.",
                            escaped(path.string())));
  }
  return checkpoint;
}

// What is asked now goes before what was asked then.
FitOptions merged(const RunOptions& stored, const ResumeOptions& asked) {
  FitOptions options{stored, {asked.how.quiet, asked.how.progress}};
  options.threads = asked.how.threads;
  options.data.threads = asked.how.threads;
  options.max_time_s = asked.how.max_time_s;
  options.checkpoint_every_s = asked.how.checkpoint_every_s;
  if (asked.draws || asked.ess) {
    options.ess = asked.ess;
    options.schedule.draws =
        asked.draws.value_or(std::max(options.schedule.draws, kMostDrawsForEss));
  }
  return options;
}

std::uint64_t most_draws(const Checkpoints& checkpoints) {
  std::uint64_t most = 0;
  for (const auto& checkpoint : checkpoints) {
    most = std::max(most, checkpoint ? checkpoint->summary.draws : 0);
  }
  return most;
}

bool asks_for_more(const ResumeOptions& asked, const FitOptions& options,
                   const Checkpoints& checkpoints) {
  return asked.ess || (asked.draws && options.schedule.draws > most_draws(checkpoints));
}

void require_a_total_to_reach(const FitOptions& options, const Checkpoints& checkpoints) {
  const std::uint64_t most = most_draws(checkpoints);
  if (options.schedule.draws < most) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("--draws {}: {} already holds {} a chain; ask for more.",
                    options.schedule.draws, shown_folder(options.out), counted(most, "draw")));
  }
}

// The regular engine with split HMC keeps every row, as no rank could.
void require_sharable(const FitOptions& options, const Checkpoints& checkpoints,
                      const Ranks& ranks) {
  const bool regular = std::ranges::any_of(
      checkpoints, [](const auto& kept) { return kept.has_value() && kept->regular; });
  if (ranks.size() > 1 && regular && options.chosen_kernel() == KernelKind::kSplitHmc) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("{} was made by the regular engine with split HMC, which keeps all rows "
                    "in one place; resume it without mpirun.",
                    shown_folder(options.out)));
  }
}

// Another version may draw otherwise: the rest of a chain would not be that of one run.
void require_same_version(const StoredRun& run, const ResumeOptions& asked) {
  if (run.version != version() && !asked.other_version) {
    throw Error(ErrorKind::kData,
                fmt::format("{} was begun by flymc {}, and this is {}, which may draw otherwise; "
                            "use that version, or go on with this one: --other-version.",
                            shown_folder(run.options.out),
                            run.version.empty() ? "(unknown)" : escaped(run.version), version()));
  }
}

void require_data(const StoredRun& run) {
  const std::string& path = run.options.data.path;
  if (path.empty() || path == kStandardInput) {
    throw Error(ErrorKind::kData,
                fmt::format("{} was made from {}; there is no file to resume with.",
                            shown_folder(run.options.out),
                            path.empty() ? "built-in data" : "standard input"));
  }
}

std::string opening(const FitOptions& options, const Checkpoints& checkpoints, bool replaces) {
  const auto kept = std::ranges::count_if(checkpoints, [](const auto& c) { return c.has_value(); });
  const std::string run = fmt::format(
      "{}{}", replaces ? "the run that is to replace the one in " : "", shown_folder(options.out));
  if (kept == 0) {
    return fmt::format("{} has no checkpoint yet: starting over", run);
  }
  return fmt::format("resuming {} of {} at draw {} of {}",
                     counted(static_cast<std::size_t>(kept), "chain"), run,
                     with_commas(most_draws(checkpoints)), with_commas(options.schedule.draws));
}

}  // namespace

FitResult resume(const ResumeOptions& asked) {
  FitContext context;
  Ranks& ranks = mpi_ranks();
  const fs::path folder = asked.folder;
  fs::path work;  // of the run that goes on
  StoredRun run;
  FitOptions options;
  fail_together(ranks, [&] {  // before anything is read: another may be writing it
    if (ranks.rank() == 0) {
      context.lock = std::make_shared<FolderLock>(folder);
      work = resumable_folder(folder);
    }
  });
  fail_together(ranks, [&] {
    work = resumable_folder(folder);
    run = read_stored_run(work);
    run.options.out = asked.folder;
    const double earlier = read_run_record(work).clock_seconds;
    context.earlier_s = std::isfinite(earlier) ? earlier : 0.0;
    options = merged(run.options, asked);
    FitOptions heard = options;  // run.json has a line of nu in every run, whatever its family
    std::erase_if(heard.own, [&](const auto& setting) {
      return !takes_setting(options, setting.first.c_str());
    });
    validate(heard, parts_of(options.data));
    for (std::uint32_t i = 0; i < options.chains; ++i) {
      context.resumed.push_back(read_checkpoint(work, options, i));
    }
    require_a_total_to_reach(options, context.resumed);
    require_sharable(options, context.resumed, ranks);
  });
  options = among_ranks(options, ranks);
  if (run.status == "complete" && !asks_for_more(asked, options, context.resumed)) {
    if (work != folder && ranks.rank() == 0) {
      put_in_place(folder);
    }
    say(options,
        fmt::format("{} is complete; ask for more with --draws.", shown_folder(asked.folder)));
    return {.engine = {}, .shown = true};
  }
  require_same_version(run, asked);
  require_data(run);
  say(options, opening(options, context.resumed, work != folder));
  const Problem problem = load_problem(options, &run);
  const StopSignal stop;
  return fit(problem, options, stop, context);
}

}  // namespace flymc::cli
