#include "cli/fit/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <optional>
#include <tuple>
#include <utility>

#include "chain/tee.hpp"
#include "cli/lost_file.hpp"
#include "cli/wording.hpp"
#include "core/message.hpp"
#include "core/output_folder.hpp"
#include "core/text.hpp"
#include "fit/notable_rows.hpp"
#include "fit/stop_consensus.hpp"
#include "flymc/error.hpp"
#include "report/fit_notes.hpp"
#include "report/progress.hpp"
#include "run/chain_record.hpp"
#include "run/level_file.hpp"
#include "run/run_folder.hpp"
#include "run/run_writer.hpp"

namespace flymc::cli {
namespace {

// A run in the making: its folder, its files, and what the engine tells on the way.
class FolderFit {
 public:
  FolderFit(const Problem& problem, const FitOptions& options, const StopSignal& stop,
            const FitContext& context)
      : problem_(problem),
        options_(options),
        stop_(stop),
        context_(context),
        writer_(options.out,
                !context.resumed.empty() ? OldRun::kResume
                : options.overwrite      ? OldRun::kReplace
                                         : OldRun::kRefuse,
                context.lock),
        files_(options.chains),
        progress_(options.chains),
        keep_due_(options.chains),
        consensus_(problem.data.shard().ranks(), stop) {
    for (std::size_t i = 0; i < context.resumed.size(); ++i) {
      progress_[i].draws = context.resumed[i] ? context.resumed[i]->summary.draws : 0;
    }
  }

  void begin() {
    if (!context_.resumed.empty() && problem_.groups && !problem_.groups->keeps_levels) {
      std::filesystem::remove(writer_.folder() / kLevelFile);  // of fewer draws than there will be
    }
    write_json(nullptr, "running", {});
  }

  FitResult run() {
    FitResult result{sample()};
    const NotableRows notable = notable_rows(problem_, result.engine.setup, tally());
    writer_.keep();  // whatever happens to run.json now: the checkpoints can be resumed
    const bool complete = result.engine.enough || !is_short(result.engine);
    if (result.engine.enough) {
      rewrite_heads(result.engine);
    }
    write_levels();
    write_last_json(result.engine, complete ? "complete" : "interrupted", notable);
    if (complete) {
      writer_.finish();
    } else {
      say(options_, stopped_text(result.engine));
      result.exit_code = stop_.exit_code();
    }
    result.shown = complete || (has_draws(result.engine) && !replaces());
    return result;
  }

 private:
  struct ChainFiles {
    std::unique_ptr<ChainRecord> record;
    std::unique_ptr<ChainCsv> warmup;
    std::unique_ptr<Tee> draws_tee;
    std::unique_ptr<Tee> warmup_tee;
    std::unique_ptr<Tee> draws_consensus;
    std::unique_ptr<Tee> warmup_consensus;
  };

  EngineResult sample() {
    shown_ = std::make_unique<Progress>(options_, options_.schedule, progress_,
                                        problem_.parameters.size());
    EngineHooks hooks{
        .make_sinks = [&](std::uint32_t i, bool regular) { return open_files(i, regular); },
        .set_up =
            [&](const SetupInfo& setup) { shown_->start([&] { say_setup(options_, setup); }); },
        .progress = &progress_,
        .keep_due = &keep_due_,
        .stop = consensus_.stop(),
        .resumed = context_.resumed.empty() ? nullptr : &context_.resumed,
        .enough = {},
        .draws = [&] { return read_run_chains(writer_.folder()); }};
    if (options_.ess) {
      // From the chain files: they are the same however often a run was resumed.
      hooks.enough = [&] {
        return consensus_.decided_by_first(fewest_effective(read_run_chains(writer_.folder()),
                                                            problem_.parameters) >= *options_.ess);
      };
    }
    const LostFileRemedy remedy(
        "what was checkpointed is intact; put it back as it was, then flymc fit "
        "--resume " +
        shell_word(options_.out));
    const Ticker ticker({options_.checkpoint_every_s, deadline()}, keep_due_, stop_);
    try {
      EngineResult result = run_engine(problem_, options_, hooks);
      shown_.reset();
      return result;
    } catch (const Error& error) {
      // A disk that filled up, a rank that is gone: the draws written so far are worth keeping.
      if (error.kind() == ErrorKind::kIo || error.kind() == ErrorKind::kStopped) {
        writer_.keep();
      }
      throw;
    } catch (const std::bad_alloc&) {
      if (!holds_checkpoint(writer_.folder())) {
        throw;
      }
      throw Error(ErrorKind::kMemory, "out of memory; the checkpoints are intact",
                  "free some, then flymc fit --resume " + shell_word(options_.out));
    }
  }

  EngineHooks::Sinks open_files(std::uint32_t chain, bool regular) {
    const std::string head = head_for(options_.schedule.draws, chain, regular);
    const bool resumed = !context_.resumed.empty() && context_.resumed[chain].has_value();
    Checkpoint start;
    if (resumed) {
      start = *context_.resumed[chain];
    } else {
      start.seed = options_.seed;
      start.chain = chain;
      start.regular = regular;
    }
    ChainFiles& files = files_[chain];
    files.record = std::make_unique<ChainRecord>(
        ChainRecord::Files{writer_.chain_file(chain), writer_.checkpoint_file(chain)}, problem_,
        head, std::move(start));
    EngineHooks::Sinks sinks{.draws = files.record.get()};
    if (options_.save_warmup && !resumed) {
      files.warmup = std::make_unique<ChainCsv>(writer_.warmup_file(chain), problem_,
                                                head_for(options_.schedule.warmup, chain, regular),
                                                ChainCsv::Start{});
      sinks.warmup = files.warmup.get();
    }
    watch(files, sinks, chain);
    return sinks;
  }

  [[nodiscard]] std::string head_for(std::uint64_t draws, std::uint32_t chain, bool regular) const {
    FitOptions options = options_;
    options.schedule.draws = draws;
    return csv_head(problem_, options, chain, regular);
  }

  void watch(ChainFiles& files, EngineHooks::Sinks& sinks, std::uint32_t chain) {
    sinks.draws = shown_->watched(chain, sinks.draws);
    if (context_.draws != nullptr) {
      files.draws_tee = std::make_unique<Tee>(sinks.draws, *context_.draws);
      sinks.draws = files.draws_tee.get();
    }
    if (context_.warmup != nullptr) {
      files.warmup_tee = std::make_unique<Tee>(sinks.warmup, *context_.warmup);
      sinks.warmup = files.warmup_tee.get();
    }
    if (problem_.data.shard().is_split()) {
      files.draws_consensus = std::make_unique<Tee>(sinks.draws, consensus_);
      files.warmup_consensus = std::make_unique<Tee>(sinks.warmup, consensus_);
      sinks = {files.draws_consensus.get(), files.warmup_consensus.get()};
    }
  }

  [[nodiscard]] std::optional<Ticker::Clock::time_point> deadline() const {
    if (!options_.max_time_s) {
      return std::nullopt;
    }
    return context_.started + std::chrono::duration_cast<Ticker::Clock::duration>(
                                  std::chrono::duration<double>(*options_.max_time_s));
  }

  // A signal that comes after the last draw stops nothing.
  [[nodiscard]] bool is_short(const EngineResult& result) const {
    return fewest_draws(result) < options_.schedule.draws;
  }

  [[nodiscard]] static std::uint64_t fewest_draws(const EngineResult& result) {
    return std::ranges::min(result.chains, {}, &RunSummary::draws).draws;
  }

  // Of some chain: others may be in warm-up yet.
  [[nodiscard]] static bool has_draws(const EngineResult& result) {
    return std::ranges::max(result.chains, {}, &RunSummary::draws).draws > 0;
  }

  // Readers of Stan CSV expect as many draws as the head says.
  void rewrite_heads(const EngineResult& result) const {
    for (std::uint32_t i = 0; i < options_.chains; ++i) {
      cut_chain_file(writer_.chain_file(i),
                     head_for(fewest_draws(result), i, result.setup.regular));
    }
  }

  [[nodiscard]] std::string stopped_text(const EngineResult& result) const {
    return fmt::format("stopped by {} {} of {}{}; go on with: flymc fit --resume {}",
                       stop_.name().in(option_wording()),
                       has_draws(result) ? "at draw " + with_commas(fewest_draws(result))
                                         : "in warm-up, before draw 1",
                       with_commas(options_.schedule.draws),
                       replaces() ? ", the old run is still there" : "", shell_word(options_.out));
  }

  // Whether the folder shows another run until this one is complete.
  [[nodiscard]] bool replaces() const { return writer_.folder() != known_folder(writer_.folder()); }

  [[nodiscard]] BrightTally tally() const {
    BrightTally all;
    for (const ChainFiles& files : files_) {
      if (files.record) {
        all.add(files.record->tally());
      }
    }
    return all;
  }

  // Of levels that have no draws, once all chains have some.
  void write_levels() const {
    std::vector<const LevelTally*> chains;
    for (const ChainFiles& files : files_) {
      if (files.record && files.record->levels().draws() > 0) {
        chains.push_back(&files.record->levels());
      }
    }
    if (!chains.empty() && chains.size() == files_.size()) {
      write_level_file(writer_.folder(), problem_, chains);
    }
  }

  void write_json(const EngineResult* result, const char* status, const NotableRows& notable) {
    const std::chrono::duration<double> elapsed = Ticker::Clock::now() - context_.started;
    writer_.write_json(describe_run(
        {problem_, options_, result, status, notable, context_.earlier_s + elapsed.count()}));
  }

  void write_last_json(const EngineResult& result, const char* status, const NotableRows& notable) {
    try {
      write_json(&result, status, notable);
    } catch (const Error& error) {
      throw with_remedy(error, fmt::format("the checkpoints are intact; free space, then flymc fit "
                                           "--resume {}",
                                           shell_word(options_.out)));
    }
  }

  const Problem& problem_;
  const FitOptions& options_;
  const StopSignal& stop_;
  const FitContext& context_;
  RunWriter writer_;
  std::vector<ChainFiles> files_;
  std::vector<ChainProgress> progress_;
  std::vector<std::atomic<bool>> keep_due_;
  std::unique_ptr<Progress> shown_;
  StopConsensus consensus_;
};

// A rank that neither writes nor talks: it holds rows, and makes the same moves.
FitResult follow(const Problem& problem, const FitOptions& options, const StopSignal& stop,
                 const FitContext& context) {
  StopConsensus consensus(problem.data.shard().ranks(), stop);
  EngineHooks hooks{.make_sinks =
                        [&](std::uint32_t, bool) {
                          return EngineHooks::Sinks{&consensus, &consensus};
                        },
                    .set_up = {},
                    .progress = nullptr,
                    .keep_due = nullptr,
                    .stop = consensus.stop(),
                    .resumed = context.resumed.empty() ? nullptr : &context.resumed,
                    .enough = {}};
  if (options.ess) {
    hooks.enough = [&] { return consensus.decided_by_first(false); };
  }
  FitResult result{run_engine(problem, options, hooks)};
  std::ignore = notable_rows(problem, result.engine.setup, {});
  const bool all = result.engine.enough ||
                   std::ranges::all_of(result.engine.chains, [&](const RunSummary& chain) {
                     return chain.draws >= options.schedule.draws;
                   });
  result.exit_code = all ? 0 : stop.exit_code();
  return result;
}

}  // namespace

FitResult fit(const Problem& problem, const FitOptions& options, const StopSignal& stop,
              const FitContext& context) {
  try {
    Ranks& ranks = problem.data.shard().ranks();
    std::optional<FolderFit> first;
    fail_together(ranks, [&] {
      if (ranks.rank() == 0) {
        say_what_was_prepared(options, problem, option_wording());
        first.emplace(problem, options, stop, context);
        first->begin();
      }
    });
    return first ? first->run() : follow(problem, options, stop, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kStopped) {
      throw;
    }
    throw Error(ErrorKind::kStopped, error.message() + ": the run stops",
                "go on with: flymc fit --resume " + shell_word(options.out));
  }
}

}  // namespace flymc::cli
