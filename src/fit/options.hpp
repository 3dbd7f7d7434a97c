// What a user asks of `fit`, as values: parsed once, checked once, never used for output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "flymc/chain/run_chain.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/family/setting.hpp"
#include "flymc/kernel/theta_kernel.hpp"
#include "flymc/kernel/z_kernel.hpp"
#include "flymc/load_spec.hpp"
#include "flymc/posterior/bounds.hpp"
#include "flymc/tune/find_anchor.hpp"
#include "tune/forecast.hpp"

namespace flymc {

enum class FrameKind { kWhitened, kPlain };
enum class InitKind { kLaplace, kPrior, kMap };
enum class ProgressKind { kAuto, kPlain, kJson, kNone };

// A prior as written: "auto", "normal:2.5", "laplace:1", "flat".
struct PriorSpec {
  bool automatic = true;
  PriorKind kind = PriorKind::kNormal;
  double scale = 1.0;  // automatic: a factor of the slopes' own
};
// THROWS Error(kUsage) that names the option as the caller calls it.
[[nodiscard]] PriorSpec parse_prior(const std::string& text, const std::string& option);
[[nodiscard]] std::string to_text(const PriorSpec& spec);

struct FitOptions {
  LoadSpec data;
  std::string source = "built in";  // what run.json calls data without a path
  std::string family = "logistic";  // its word
  Settings own;                     // of the family; absent: its default, or chosen from the data
  bool intercept = true;
  PriorSpec prior;
  std::optional<PriorSpec> prior_intercept;  // absent: as `prior`
  bool select_prior = false;  // the scale of `prior`, and a setting left to the data, on held-out
                              // rows

  EngineKind engine = EngineKind::kAuto;
  std::optional<BoundKind> bound;  // absent: local
  std::optional<double> xi;        // absent: the model's own
  std::optional<ZKind> z;          // absent: what suits the bound
  std::optional<double> q;         // absent: adapted
  double q_bright_to_dark = 1.0;
  double z_fraction = 0.1;
  ZOrder z_order = ZOrder::kRandom;
  std::optional<KernelKind> kernel;  // absent: what suits the frame
  FrameKind frame = FrameKind::kWhitened;
  InitKind init = InitKind::kLaplace;
  AnchorSearch anchor = AnchorSearch::kNewton;

  Schedule schedule;
  std::uint32_t chains = 4;
  std::uint64_t seed = 1;
  unsigned threads = 0;
  bool save_warmup = false;
  std::optional<double> ess;  // stop when every parameter has this bulk ESS
  std::optional<double> max_time_s;
  double checkpoint_every_s = 30.0;

  std::string out = "run";
  bool overwrite = false;
  bool strict = false;
  bool quiet = false;
  ProgressKind progress = ProgressKind::kAuto;

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
    return engine != EngineKind::kRegular && chosen_bound() == BoundKind::kLocal;
  }
  // Local bounds, with everything that goes with them; the regular engine with split HMC is their
  // limit, every row a beacon.
  [[nodiscard]] bool local() const noexcept {
    return engine == EngineKind::kRegular ? chosen_kernel() == KernelKind::kSplitHmc
                                          : chosen_bound() == BoundKind::kLocal;
  }
};

// An explicit bound or z-update is FlyMC's, whatever a forecast would say.
void settle_engine(FitOptions& options) noexcept;

// THROWS Error(kUsage) with the setting, its value and what is wrong with it.
void validate(const FitOptions& options);

}  // namespace flymc
