#include "fit/memory_run.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "fit/draw_values.hpp"

namespace flymc {
namespace {

ChainDraws no_draws(const Problem& problem) {
  ChainDraws draws;
  draws.columns.assign(std::begin(kStatisticColumns), std::end(kStatisticColumns));
  for (const ParameterName& parameter : problem.parameters) {
    draws.columns.push_back(parameter.column);
  }
  draws.values.resize(draws.columns.size());
  return draws;
}

void cut(ChainDraws& draws, std::size_t length) {
  for (std::vector<double>& column : draws.values) {
    column.resize(length);
  }
}

FitOptions validated(const FitOptions& options) {
  validate(options);
  return options;
}

FitObserver& nobody() {
  static FitObserver observer;
  return observer;
}

// From started() to finished(), however a fit ends.
class Watch {
 public:
  Watch(FitObserver& observer, const std::vector<ChainProgress>& chains) : observer_(observer) {
    observer_.started(chains);
  }
  ~Watch() { observer_.finished(); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  FitObserver& observer_;
};

}  // namespace

// One chain's draws as columns, and where it stood when it was last kept.
class MemoryRun::MemorySink final : public Sink {
 public:
  MemorySink(MemoryRun& run, std::uint32_t chain, bool regular)
      : draws_(run.draws_[chain]), kept_(run.checkpoints_[chain]), values_(run.problem_) {
    if (!kept_) {
      now_.seed = run.options_.seed;
      now_.chain = chain;
    } else {
      now_ = *kept_;
    }
    now_.regular = regular;
    cut(draws_, kept_ ? kept_->summary.draws : 0);
  }

  void accept(const Draw& draw) override {
    const double statistics[] = {draw.log_density, draw.accept_prob,
                                 static_cast<double>(draw.bright),
                                 static_cast<double>(draw.queries)};
    auto column = draws_.values.begin();
    for (const double value : statistics) {
      (column++)->push_back(value);
    }
    for (const double value : values_.of(draw.theta)) {
      (column++)->push_back(value);
    }
  }

  void keep(const ChainState& state, const RunSummary& summary) override {
    now_.state = state;
    now_.summary = summary;
    kept_ = now_;
  }

 private:
  ChainDraws& draws_;
  std::optional<Checkpoint>& kept_;
  DrawValues values_;
  Checkpoint now_;
};

MemoryRun::MemoryRun(Table table, const FitOptions& options, FitObserver* observer)
    : options_(validated(options)),
      observer_(observer != nullptr ? observer : &nobody()),
      problem_(prepare(std::move(table), options_)),
      draws_(options_.chains, no_draws(problem_)),
      checkpoints_(options_.chains) {
  observer_->prepared(problem_);
}

void MemoryRun::advance(std::uint64_t draws, std::atomic<bool>& stop) {
  options_.schedule.draws = std::max(draws, most_draws());
  const Checkpoints resumed = checkpoints_;  // the sinks write new ones
  std::vector<std::unique_ptr<MemorySink>> sinks(options_.chains);
  std::vector<ChainProgress> progress(options_.chains);
  const Watch watch(*observer_, progress);
  EngineHooks hooks{
      .make_sinks =
          [&](std::uint32_t chain, bool regular) {
            sinks[chain] = std::make_unique<MemorySink>(*this, chain, regular);
            return EngineHooks::Sinks{.draws = observer_->watched(chain, sinks[chain].get())};
          },
      .set_up = [&](const SetupInfo& setup) { observer_->set_up(setup); },
      .progress = &progress,
      .stop = &stop,
      .resumed = &resumed,
      .enough = {}};
  if (options_.ess) {
    hooks.enough = [&] { return fewest_effective(chains(), problem_.parameters) >= *options_.ess; };
  }
  result_ = run_engine(problem_, options_, hooks);
}

std::uint64_t MemoryRun::draws() const noexcept {
  return std::ranges::min(draws_, {}, &ChainDraws::draws).draws();
}

std::uint64_t MemoryRun::most_draws() const noexcept {
  return std::ranges::max(draws_, {}, &ChainDraws::draws).draws();
}

RunChains MemoryRun::chains() const {
  RunChains run{draws_, {}};
  for (ChainDraws& chain : run.chains) {
    cut(chain, draws());
  }
  return run;
}

// What run.json would say.
RunRecord MemoryRun::record() const {
  RunRecord record;
  record.n = problem_.rows;
  record.d = problem_.data.names().size();
  record.model = options_.family;
  record.engine = result_.setup.regular ? "regular" : "fly";
  record.status = enough() || draws() >= options_.schedule.draws ? "complete" : "interrupted";
  record.exact = true;
  record.parameters = problem_.parameters;
  record.thin = static_cast<double>(options_.schedule.thin);
  record.warmup = static_cast<double>(options_.schedule.warmup);
  record.setup_seconds = result_.setup.wall_s;
  record.setup_passes = result_.setup.passes;
  record.seconds = record.iterations = record.evaluations = 0.0;
  record.queries_theta = record.queries_z = record.mean_bright = 0.0;
  for (const RunSummary& chain : result_.chains) {
    const auto iterations = static_cast<double>(chain.iterations);
    record.seconds = std::max(record.seconds, chain.wall_s);
    record.iterations += iterations;
    record.evaluations += static_cast<double>(chain.evaluations);
    record.queries_theta += static_cast<double>(chain.queries_theta);
    record.queries_z += static_cast<double>(chain.queries_z);
    record.mean_bright += chain.mean_bright * iterations;
  }
  record.mean_bright /= std::max(record.iterations, 1.0);
  return record;
}

Summary MemoryRun::summary() const { return summarise(record(), chains(), "this run"); }

}  // namespace flymc
