#include "flymc/fit.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "data/table/conversions.hpp"
#include "fit/draw_values.hpp"
#include "fit/engine.hpp"
#include "fit/prepare.hpp"
#include "fit/settings.hpp"

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

FitSettings validated(const FitSettings& settings, const Table& table) {
  FitSettings settled = settings;
  settle(settled);
  validate(settled, parts_of(table));
  return settled;
}

FitObserver& nobody() {
  static FitObserver observer;
  return observer;
}

// From started() to finished(), however a fit ends.
class Watch {
 public:
  Watch(FitObserver& observer, const std::vector<ChainProgress>& chains, const Schedule& schedule)
      : observer_(observer) {
    observer_.started(chains, schedule);
  }
  ~Watch() { observer_.finished(); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  FitObserver& observer_;
};

}  // namespace

class Fit::Impl {
 public:
  Impl(Table table, const FitSettings& settings, FitObserver* observer);

  void advance(std::uint64_t draws, std::atomic<bool>& stop);
  [[nodiscard]] std::uint64_t draws() const noexcept;
  [[nodiscard]] std::uint64_t most_draws() const noexcept;
  [[nodiscard]] RunChains chains() const;
  [[nodiscard]] RunRecord record() const;

  const FitSettings& settings() const noexcept { return settings_; }
  const Problem& problem() const noexcept { return problem_; }
  const EngineResult& result() const noexcept { return result_; }

 private:
  class MemorySink;
  using Clock = std::chrono::steady_clock;

  void add_time_since(Clock::time_point start) {
    clock_s_ += std::chrono::duration<double>(Clock::now() - start).count();
  }

  Clock::time_point started_;
  FitSettings settings_;
  FitObserver* observer_;
  Problem problem_;
  std::vector<ChainDraws> draws_;  // one a chain
  Checkpoints checkpoints_;        // as many
  EngineResult result_;
  double clock_s_ = 0.0;
};

// One chain's draws as columns, and where it stood when it was last kept.
class Fit::Impl::MemorySink final : public Sink {
 public:
  MemorySink(Impl& fit, std::uint32_t chain, bool regular)
      : draws_(fit.draws_[chain]), kept_(fit.checkpoints_[chain]), values_(fit.problem_) {
    if (!kept_) {
      now_.seed = fit.settings_.seed;
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

Fit::Impl::Impl(Table table, const FitSettings& settings, FitObserver* observer)
    : started_(Clock::now()),
      settings_(validated(settings, table)),
      observer_(observer != nullptr ? observer : &nobody()),
      problem_(prepare(std::move(table), settings_)),
      draws_(settings_.chains, no_draws(problem_)),
      checkpoints_(settings_.chains) {
  observer_->prepared(problem_);
  add_time_since(started_);
}

void Fit::Impl::advance(std::uint64_t draws, std::atomic<bool>& stop) {
  const auto started = Clock::now();
  settings_.schedule.draws = std::max(draws, most_draws());
  const Checkpoints resumed = checkpoints_;  // the sinks write new ones
  std::vector<std::unique_ptr<MemorySink>> sinks(settings_.chains);
  std::vector<ChainProgress> progress(settings_.chains);
  const Watch watch(*observer_, progress, settings_.schedule);
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
      .enough = {},
      .draws = [&] { return chains(); }};
  if (settings_.ess) {
    hooks.enough = [&] {
      return fewest_effective(chains(), problem_.parameters) >= *settings_.ess;
    };
  }
  EngineResult result = run_engine(problem_, settings_, hooks);
  add_time_since(started);
  if (result.setup.passes == 0) {  // stopped before that was known: it is as it was
    result.setup = std::move(result_.setup);
  }
  result_ = std::move(result);
}

std::uint64_t Fit::Impl::draws() const noexcept {
  return std::ranges::min(draws_, {}, &ChainDraws::draws).draws();
}

std::uint64_t Fit::Impl::most_draws() const noexcept {
  return std::ranges::max(draws_, {}, &ChainDraws::draws).draws();
}

RunChains Fit::Impl::chains() const {
  RunChains run{draws_, {}};
  for (ChainDraws& chain : run.chains) {
    cut(chain, draws());
  }
  return run;
}

// What run.json would say.
RunRecord Fit::Impl::record() const {
  RunRecord record;
  record.n = problem_.rows;
  record.d = problem_.data.names().size();
  record.model = settings_.family;
  record.engine = result_.setup.regular ? "regular" : "fly";
  record.status =
      result_.enough || draws() >= settings_.schedule.draws ? "complete" : "interrupted";
  record.exact = true;
  record.parameters = problem_.parameters;
  record.classes = problem_.classes;
  record.class_rows.assign(problem_.class_rows.begin(), problem_.class_rows.end());
  for (const auto& [column, levels] : problem_.levels) {
    record.references.push_back(column + "=" + levels.front());
  }
  record.conversions = conversions(problem_.constants);
  record.thin = static_cast<double>(settings_.schedule.thin);
  record.warmup = static_cast<double>(settings_.schedule.warmup);
  record.clock_seconds = clock_s_;
  record.setup_seconds = result_.setup.wall_s;
  record.reanchor_seconds = result_.setup.reanchor_s;
  record.setup_passes = result_.setup.passes;
  record.mode_nats = result_.setup.mode_nats;
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

Fit::Fit(Table table, const FitSettings& settings, FitObserver* observer)
    : impl_(std::make_unique<Impl>(std::move(table), settings, observer)) {}
Fit::~Fit() = default;
Fit::Fit(Fit&&) noexcept = default;
Fit& Fit::operator=(Fit&&) noexcept = default;

void Fit::run() {
  std::atomic<bool> never{false};
  advance(settings().schedule.draws, never);
}
void Fit::advance(std::uint64_t draws, std::atomic<bool>& stop) { impl_->advance(draws, stop); }

const FitSettings& Fit::settings() const noexcept { return impl_->settings(); }
const std::vector<ParameterName>& Fit::parameters() const noexcept { return problem().parameters; }
const std::vector<Message>& Fit::notes() const noexcept { return problem().notes; }
const std::vector<Message>& Fit::warnings() const noexcept { return problem().warnings; }
bool Fit::enough() const noexcept { return result().enough; }
const Family& Fit::family() const noexcept { return *problem().family; }
const std::vector<std::string>& Fit::features() const noexcept { return problem().data.names(); }
bool Fit::separated() const noexcept { return result().setup.separated; }
std::uint64_t Fit::draws() const noexcept { return impl_->draws(); }
std::uint64_t Fit::most_draws() const noexcept { return impl_->most_draws(); }
RunChains Fit::chains() const { return impl_->chains(); }
Summary Fit::summary() const { return summarise(record(), chains(), "this run"); }
RunRecord Fit::record() const { return impl_->record(); }
const Problem& Fit::problem() const noexcept { return impl_->problem(); }
const EngineResult& Fit::result() const noexcept { return impl_->result(); }

}  // namespace flymc
