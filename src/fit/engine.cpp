#include "fit/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>

#include "core/message.hpp"
#include "core/text.hpp"
#include "fit/engine_run.hpp"
#include "fit/family_engine.hpp"
#include "fit/group_setup.hpp"
#include "fit/linear_setup.hpp"
#include "fit/settings.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "flymc/error.hpp"
#include "flymc/family/student_t.hpp"

namespace flymc {

namespace {

Error without_noise(const Problem& problem, const Error& error) {
  const Message why = message(
      "the columns explain response {} without noise, and {} is only {:.3g}, a millionth of its "
      "spread: {}",
      in_quotes(problem.response), Setting{"scale", "auto"}, problem.family->settings().at("scale"),
      error.problem());
  return with_remedy({error.kind(), why}, message("give {}.", Setting{"scale"}));
}

// Of rows that leave no noise to a scale that is sampled; empty: there is some. An estimate of the
// scale is made only to explain what went wrong.
std::string noise_free_rows(const Problem& problem, const FitSettings& options) {
  if (sampled_choice(options) == nullptr || !options.groups.empty()) {
    return "";
  }
  if (problem.data.rows() <= static_cast<std::size_t>(problem.data.columns())) {
    return "no more rows than columns: without noise";
  }
  const double nu = value_of(StudentT::kSettings[0], problem.family->settings());
  return estimate_scale(problem.data, nu, options.seed).noise_free
             ? fmt::format("most rows of response {} have no noise, so that",
                           in_quotes(problem.response))
             : "";
}

Error without_sampled_noise(const std::string& rows, const FitSettings& options,
                            const Error& error) {
  const Message why =
      message("{} a scale that is sampled falls without end: {}", rows, error.problem());
  return with_remedy({error.kind(), why},
                     message("give {}.", Setting{sampled_choice(options)->name}));
}

// Whether chains that are resumed had left the engine that set-up chose.
bool was_regular(const EngineHooks& hooks) {
  return hooks.resumed != nullptr &&
         std::any_of(hooks.resumed->begin(), hooks.resumed->end(),
                     [](const auto& kept) { return kept && kept->regular; });
}

// Of a run that was stopped before its chains stood: those that are resumed are where they were.
EngineResult stopped_in_set_up(const FitSettings& options, const EngineHooks& hooks) {
  EngineResult result;
  result.setup.regular = options.engine == EngineKind::kRegular || was_regular(hooks);
  result.chains.resize(options.chains);
  for (std::uint32_t chain = 0; chain < options.chains; ++chain) {
    std::ignore = hooks.make_sinks(chain, result.setup.regular);
    if (hooks.resumed != nullptr && (*hooks.resumed)[chain]) {
      result.chains[chain] = (*hooks.resumed)[chain]->summary;
    }
  }
  return result;
}

// What all draws say beside, where it costs next to nothing. It is a by-product: that they cannot
// be read back is nothing to fail for.
std::optional<LogEvidence> by_product(const Problem& problem, const EngineSetup& setup,
                                      const EngineResult& result, const EngineHooks& hooks) {
  constexpr std::size_t kMostNumbers = 20'000'000;
  std::size_t draws = 0;
  for (const RunSummary& chain : result.chains) {
    draws += chain.draws;
  }
  if (!hooks.draws || setup.is_split() || draws * problem.parameters.size() > kMostNumbers) {
    return std::nullopt;
  }
  try {
    return setup.evidence(hooks.draws);
  } catch (const Error&) {
    return std::nullopt;
  }
}

EngineResult sample(EngineRun& run, const Problem& problem, const EngineSetup& setup,
                    const FitSettings& options, const EngineHooks& hooks) {
  EngineResult result = run.sample_all();
  const bool complete =
      result.enough || std::ranges::all_of(result.chains, [&](const RunSummary& chain) {
        return chain.draws >= options.schedule.draws;
      });
  if (complete) {
    result.evidence = by_product(problem, setup, result, hooks);
  }
  return result;
}

// Where the model alone decides on the engine; null elsewhere.
std::unique_ptr<EngineSetup> only_setup(const Problem& problem, const FitSettings& options,
                                        const std::atomic<bool>* stop) {
  if (problem.groups) {
    return std::make_unique<GroupSetup>(problem, options, options.engine, stop);
  }
  if (is_linear(problem, options)) {
    return std::make_unique<LinearSetup>(problem, options, stop);
  }
  return nullptr;
}

// With the engine that set-up chooses, and where most chains cannot move with that, regular MCMC.
EngineResult set_up_and_run(const Problem& problem, const FitSettings& options,
                            const EngineHooks& hooks) try {
  if (const auto setup = only_setup(problem, options, hooks.stop)) {
    EngineRun run(*setup, options, hooks);
    std::ignore = run.start_all();
    return sample(run, problem, *setup, options, hooks);
  }
  const FamilyEngine& family = engine_of(*problem.family);
  const auto setup = family.set_up(problem, options, options.engine, hooks.stop);
  const bool can_choose =
      !setup->info().regular && options.engine == EngineKind::kAuto && options.local();
  if (!can_choose || !was_regular(hooks)) {
    EngineRun run(*setup, options, hooks);
    if (!run.start_all() || !can_choose) {
      return sample(run, problem, *setup, options, hooks);
    }
  }
  const auto regular = family.set_up(problem, options, EngineKind::kRegular, hooks.stop);
  EngineRun run(*regular, options, hooks);
  std::ignore = run.start_all();
  return run.sample_all();
} catch (const Interrupted&) {
  return stopped_in_set_up(options, hooks);
}

}  // namespace

EngineResult run_engine(const Problem& problem, const FitSettings& options,
                        const EngineHooks& hooks) {
  if (options.init == InitKind::kPrior && problem.prior.has_flat()) {
    throw Error(ErrorKind::kUsage,
                message("{}: a flat prior has no draws", Setting{"init", "prior"}),
                message("use {}.", Setting{"init", "laplace"}));
  }
  try {
    return set_up_and_run(problem, options, hooks);
  } catch (const Error& error) {
    if (problem.noise_free && error.kind() == ErrorKind::kData) {
      throw without_noise(problem, error);
    }
    const std::string rows =
        error.kind() == ErrorKind::kData ? noise_free_rows(problem, options) : "";
    if (!rows.empty()) {
      throw without_sampled_noise(rows, options, error);
    }
    throw;
  }
}

}  // namespace flymc
