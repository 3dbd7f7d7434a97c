#include "flymc/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "flymc/chain_csv.hpp"
#include "flymc/core/error.hpp"
#include "flymc/core/text.hpp"
#include "flymc/data/checksum.hpp"
#include "flymc/progress.hpp"
#include "flymc/report/run_folder.hpp"
#include "flymc/run_writer.hpp"

namespace flymc::app {
namespace {

void say(const FitOptions& options, const std::string& text) {
  if (!options.quiet) {
    fmt::print(stderr, "{}\n", text);
  }
}

std::string in_words(double count) {
  return count >= 100.0 ? with_commas(static_cast<std::uint64_t>(std::llround(count)))
                        : fmt::format("{:.2g}", count);
}

void say_setup(const FitOptions& options, const SetupInfo& setup) {
  say(options, fmt::format("set-up: {} passes over the data, {} likelihood queries, {}",
                           setup.passes, with_commas(setup.queries), duration_text(setup.wall_s)));
  if (setup.rounds > 0) {
    say(options, fmt::format("the posterior is skewed: {} from its mode to its mean, {}",
                             counted(static_cast<std::size_t>(setup.rounds), "move"),
                             duration_text(setup.reanchor_s)));
  }
  if (setup.separated) {
    say(options,
        "warning: the classes are separable: only the prior keeps the coefficients finite.");
  }
  if (setup.forecast) {
    const auto price = [](const Cost& cost) { return in_words(cost.queries() / cost.draws()); };
    say(options,
        fmt::format("forecast: {} queries an effective draw with FlyMC ({} bright, {}), {} without:"
                    " running {}",
                    price(setup.forecast->fly), in_words(setup.forecast->fly.bright),
                    counted(setup.beacons, "beacon"), price(setup.forecast->regular),
                    setup.regular ? "the regular engine" : "FlyMC"));
  }
}

void say_what_was_prepared(const FitOptions& options, const Problem& problem) {
  for (const auto& note : problem.notes) {
    say(options, note);
  }
  for (const auto& warning : problem.warnings) {
    say(options, "warning: " + warning);
  }
}

std::string checksum_of(const std::string& path) {
  return path.empty() ? "" : fmt::format("crc32:{:08x}", crc32_of_file(path));
}

// A signal that comes after the last draw stops nothing.
bool is_short(const EngineResult& result, const FitOptions& options) {
  return std::any_of(result.chains.begin(), result.chains.end(),
                     [&](const RunSummary& chain) { return chain.draws < options.schedule.draws; });
}

[[noreturn]] void fail_without_response() {
  throw Error(ErrorKind::kUsage,
              "--response is missing: name the column to explain (for X.npy a second file), "
              "such as --response y.");
}

// The arrays of an npz have names of their own, a LIBSVM file starts its lines with the response;
// anything else must be told what to explain. Told before a large file is read, where its name is
// enough.
void require_response_option(const LoadSpec& spec) {
  const Format format = named_format(spec);
  const bool needed = format == Format::kCsv || format == Format::kTsv || format == Format::kNpy;
  if (spec.response.empty() && needed) {
    fail_without_response();
  }
}

void require_response(const Loaded& loaded, const std::string& path) {
  if (!loaded.table.response.values.empty()) {
    return;
  }
  if (loaded.format != Format::kNpz) {
    fail_without_response();
  }
  throw Error(ErrorKind::kData, escaped(path) +
                                    ": no array 'y'; name the response with "
                                    "--response.");
}

// Passes every draw on to a file and to one who watches.
class Tee final : public Sink {
 public:
  Tee(std::unique_ptr<Sink> file, Sink& watcher) : file_(std::move(file)), watcher_(watcher) {}
  void accept(const Draw& draw) override {
    if (file_) {
      file_->accept(draw);
    }
    watcher_.accept(draw);
  }
  void finish() override {
    if (file_) {
      file_->finish();
    }
    watcher_.finish();
  }

 private:
  std::unique_ptr<Sink> file_;  // may be null
  Sink& watcher_;
};

EngineHooks::Sinks open_sinks(const RunWriter& writer, const Problem& problem,
                              const FitOptions& options, const FitWatch& watch, std::uint32_t chain,
                              bool regular) {
  const std::string head = csv_head(problem, options, chain, regular);
  EngineHooks::Sinks sinks;
  sinks.draws = std::make_unique<ChainCsv>(writer.chain_file(chain), problem, head);
  if (options.save_warmup) {
    sinks.warmup = std::make_unique<ChainCsv>(writer.warmup_file(chain), problem, head);
  }
  if (watch.draws != nullptr) {
    sinks.draws = std::make_unique<Tee>(std::move(sinks.draws), *watch.draws);
  }
  if (watch.warmup != nullptr) {
    sinks.warmup = std::make_unique<Tee>(std::move(sinks.warmup), *watch.warmup);
  }
  return sinks;
}

}  // namespace

FitResult fit(const Problem& problem, const FitOptions& options, const StopSignal& stop,
              const FitWatch& watch) {
  say_what_was_prepared(options, problem);
  const std::string checksum = checksum_of(options.data.path);
  RunWriter writer(options.out, options.overwrite);
  writer.write_json(describe_run({problem, options, nullptr, "running", checksum}));
  std::vector<ChainProgress> progress(options.chains);
  FitResult result;
  {
    std::unique_ptr<ProgressLine> line;
    const EngineHooks hooks{.make_sinks =
                                [&](std::uint32_t i, bool regular) {
                                  return open_sinks(writer, problem, options, watch, i, regular);
                                },
                            .set_up =
                                [&](const SetupInfo& setup) {
                                  say_setup(options, setup);
                                  line = std::make_unique<ProgressLine>(options, progress);
                                },
                            .progress = &progress,
                            .stop = stop.flag()};
    try {
      result.engine = run_engine(problem, options, hooks);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kIo) {
        writer.keep();  // a disk that filled up: the draws written so far are worth keeping
      }
      throw;
    }
  }
  const bool interrupted = is_short(result.engine, options);
  writer.write_json(describe_run(
      {problem, options, &result.engine, interrupted ? "interrupted" : "complete", checksum}));
  writer.keep();
  if (interrupted) {
    say(options, fmt::format("stopped by {}; {} holds the draws so far.", stop.name(),
                             shown_folder(options.out)));
    result.exit_code = stop.exit_code();
  }
  return result;
}

FitResult fit_file(const FitOptions& options) {
  require_response_option(options.data);
  require_free(options.out, options.overwrite);
  require_outside(options.data.path, options.out);
  std::error_code error;
  const auto size_bytes = std::filesystem::file_size(options.data.path, error);
  constexpr double kSlowMegabytes = 100.0;
  const double megabytes = error ? 0.0 : static_cast<double>(size_bytes) / 1e6;
  if (megabytes > kSlowMegabytes) {
    say(options, fmt::format("reading {} ({:.0f} MB)", escaped(options.data.path), megabytes));
  }
  Loaded loaded = load(options.data);
  say(options, loaded.note);
  for (const auto& warning : loaded.warnings) {
    say(options, "warning: " + warning);
  }
  require_response(loaded, options.data.path);
  const Problem problem = prepare(std::move(loaded.table), options);
  const StopSignal stop;
  return fit(problem, options, stop);
}

}  // namespace flymc::app
