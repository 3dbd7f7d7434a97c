// A whole fit in memory: a table in, chains, summary and draws out, without a folder and without
// the command line. The same settings give the same draws as `flymc fit`.
//
//   flymc::Fit fit(flymc::load({.path = "train.csv", .response = "y"}).table, {.family =
//   "poisson"}); fit.run(); for (const auto& parameter : fit.summary().parameters) { ...
//   parameter.estimate.mean ... }
//
// A fit can go on for as long as it lives, bit for bit: run() to the draws of its settings,
// advance() to any number.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flymc/chain/run_chain.hpp"
#include "flymc/detail/data/table/predictor_columns.hpp"
#include "flymc/detail/tune/forecast.hpp"
#include "flymc/diagnose/summary.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/family/setting.hpp"
#include "flymc/kernel/theta_kernel.hpp"
#include "flymc/kernel/z_kernel.hpp"
#include "flymc/posterior/bounds.hpp"
#include "flymc/table.hpp"
#include "flymc/tune/find_anchor.hpp"

namespace flymc {

enum class FrameKind { kWhitened, kPlain };
enum class InitKind { kLaplace, kPrior, kMap };

// Whether draws of every level are kept: where there are not too many.
enum class LevelDraws { kAuto, kAll, kSummary };

// A prior as written: "auto", "normal:2.5", "laplace:1", "flat".
struct PriorSpec {
  bool automatic = true;
  PriorKind kind = PriorKind::kNormal;
  double scale = 1.0;  // automatic: a factor of the slopes' own
};
// THROWS Error(kUsage) that names the option as the caller calls it.

// What is asked of the posterior and of its sampler: the draws depend on this, on the table and on
// nothing else (not on threads).
struct FitSettings {
  std::string family = "logistic";  // its word
  // A likelihood of one's own in place of a family, as text (docs/howto/own-likelihood.md): a log
  // density in the names of its predictors and y. The first predictor has the columns.
  std::string likelihood{};
  std::vector<std::string> predictors{};
  // What the text calls the response, and one more number of a row (Table::trials); empty: y.
  std::vector<std::string> data_columns{};
  Settings own{};  // of the family; absent: its default. kInfer samples one, kChoose plugs one in
  // Of ordered classes: their labels, the lowest first; empty: numbers, or text in sort order.
  std::vector<std::string> order{};
  bool intercept = true;  // of the first predictor
  // Auxiliary parameters, and predictors of a likelihood of one's own, may have columns, too.
  ColumnsOfPredictors columns{};
  PriorSpec prior{};
  std::optional<PriorSpec> prior_intercept{};      // absent: as `prior`
  std::map<std::string, std::string> prior_aux{};  // of auxiliary parameters: "half_normal(1)"
  // Coefficients that vary by the levels of a factor; one term. The table has the factor.
  std::vector<GroupTerm> groups{};
  std::map<std::string, std::string> prior_sd{};  // of their standard deviations, by "g", "g.x"
  LevelDraws levels = LevelDraws::kAuto;
  bool select_prior = false;  // the scale of `prior`, and a setting left to the data, on held-out
                              // rows

  EngineKind engine = EngineKind::kAuto;
  std::optional<BoundKind> bound{};  // absent: local
  std::optional<double> xi{};        // absent: the model's own
  std::optional<ZKind> z{};          // absent: what suits the bound
  std::optional<double> q{};         // absent: adapted
  double q_bright_to_dark = 1.0;
  double z_fraction = 0.1;
  ZOrder z_order = ZOrder::kRandom;
  std::optional<KernelKind> kernel{};  // absent: what suits the frame
  FrameKind frame = FrameKind::kWhitened;
  InitKind init = InitKind::kLaplace;
  AnchorSearch anchor = AnchorSearch::kNewton;

  Schedule schedule{};
  std::uint32_t chains = 4;
  std::uint64_t seed = 1;
  unsigned threads = 0;
  std::optional<double> ess{};  // stop when every parameter has this bulk ESS

  [[nodiscard]] BoundKind chosen_bound() const noexcept {
    return bound.value_or(BoundKind::kLocal);
  }
  [[nodiscard]] KernelKind chosen_kernel() const noexcept {
    return kernel.value_or(frame == FrameKind::kPlain ? KernelKind::kHmc : KernelKind::kSplitHmc);
  }
  [[nodiscard]] ZKind chosen_z() const noexcept {
    return z.value_or(chosen_bound() == BoundKind::kLocal ? ZKind::kWeighted : ZKind::kImplicit);
  }
  [[nodiscard]] ZSettings z_settings() const noexcept {
    return {chosen_z(), q_bright_to_dark, z_fraction, z_order};
  }
  // The paper's engines and the regular one take the rows as they are.
  [[nodiscard]] bool merges_rows() const noexcept {
    return engine != EngineKind::kRegular && chosen_bound() == BoundKind::kLocal && groups.empty();
  }
  // Local bounds, with everything that goes with them; the regular engine with split HMC is their
  // limit, every row a beacon.
  [[nodiscard]] bool local() const noexcept {
    return engine == EngineKind::kRegular ? chosen_kernel() == KernelKind::kSplitHmc
                                          : chosen_bound() == BoundKind::kLocal;
  }
};

class Family;
struct Problem;       // the table, ready to be sampled
struct SetupInfo;     // what set-up cost, and what it found
struct EngineResult;  // of the last advance()

// What a front end sees of a fit while it goes on. Nothing it does can change a draw.
class FitObserver {
 public:
  virtual ~FitObserver() = default;

  // The problem stands: its notes and warnings are worth saying.
  virtual void prepared(const Problem& /*problem*/) {}
  // Chains are about to be set up; `chains` is what they publish, one each, until finished().
  virtual void started(const std::vector<ChainProgress>& /*chains*/, const Schedule& /*schedule*/) {
  }
  // A sink that passes every draw of the chain on to `draws`; `draws` itself where none is wanted.
  [[nodiscard]] virtual Sink* watched(std::uint32_t /*chain*/, Sink* draws) { return draws; }
  // Set-up is done: chains run from now on.
  virtual void set_up(const SetupInfo& /*setup*/) {}
  virtual void finished() noexcept {}
};

class Fit {
 public:
  // Prepares the problem; no draw yet. The observer must outlive the fit. THROWS Error: kUsage for
  // settings that contradict each other or the table, kData for a response that the family cannot
  // use and for a posterior that is not proper.
  Fit(Table table, const FitSettings& settings, FitObserver* observer = nullptr);
  ~Fit();
  Fit(Fit&&) noexcept;
  Fit& operator=(Fit&&) noexcept;

  // To the draws of the settings, in every chain, or until there are enough (settings.ess).
  void run();

  // Goes on until every chain has `draws` draws in all, or enough of them (settings.ess), or `stop`
  // is set; a chain that has more keeps them. May be called again after a stop: where it came
  // during warm-up, chains start over. After an error the fit stands where it last stopped.
  // REQUIRES: one call at a time, and none of the functions below meanwhile.
  void advance(std::uint64_t draws, std::atomic<bool>& stop);

  [[nodiscard]] const FitSettings& settings() const noexcept;
  [[nodiscard]] const std::vector<ParameterName>& parameters() const noexcept;
  // What the table made of the settings, and what to beware of; one sentence each.
  [[nodiscard]] const std::vector<Message>& notes() const noexcept;
  [[nodiscard]] const std::vector<Message>& warnings() const noexcept;
  [[nodiscard]] bool enough() const noexcept;
  // The family with the settings really used; those that the data chose are in it.
  [[nodiscard]] const Family& family() const noexcept;
  // The columns that have slopes: those of the table but for constant ones.
  [[nodiscard]] const std::vector<std::string>& features() const noexcept;
  // Some direction separates the classes: only the prior keeps the slopes finite. Known once
  // chains were set up.
  [[nodiscard]] bool separated() const noexcept;

  // Of the shortest chain, and of the longest: they differ after a stop.
  [[nodiscard]] std::uint64_t draws() const noexcept;
  [[nodiscard]] std::uint64_t most_draws() const noexcept;

  // Every chain, cut to the shortest: lp__, accept_stat__, bright__, queries__, then parameters.
  [[nodiscard]] RunChains chains() const;

  // REQUIRES: draws() > 0.
  [[nodiscard]] Summary summary() const;
  // What run.json would say of it.
  [[nodiscard]] RunRecord record() const;

  // For front ends that show more (fit/prepare.hpp and fit/engine.hpp, which promise nothing).
  [[nodiscard]] const Problem& problem() const noexcept;
  [[nodiscard]] const EngineResult& result() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flymc
