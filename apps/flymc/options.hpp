// What a user asks of `fit`, as values: parsed once, checked once, never used for output.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "flymc/chain/run_chain.hpp"
#include "flymc/data/load.hpp"
#include "flymc/kernel/explicit_z.hpp"
#include "flymc/model/prior.hpp"
#include "flymc/target/bounds.hpp"
#include "flymc/tune/find_anchor.hpp"

namespace flymc::app {

enum class ModelKind { kLogistic, kSoftmax, kStudentT };
enum class EngineKind { kAuto, kFly, kRegular };
enum class ZKind { kImplicit, kExplicit };
enum class KernelKind { kHmc, kMala, kRandomWalk, kSlice, kIndependence };
enum class FrameKind { kWhitened, kPlain };
enum class InitKind { kLaplace, kPrior, kMap };
enum class ProgressKind { kAuto, kPlain, kNone };

// A prior as written: "auto", "normal:2.5", "laplace:1", "flat".
struct PriorSpec {
  bool automatic = true;
  PriorKind kind = PriorKind::kNormal;
  double scale = 1.0;
};
[[nodiscard]] PriorSpec parse_prior(const std::string& text, const std::string& option);
[[nodiscard]] std::string to_text(const PriorSpec& spec);

struct FitOptions {
  LoadSpec data;
  ModelKind model = ModelKind::kLogistic;
  bool intercept = true;
  PriorSpec prior;
  std::optional<PriorSpec> prior_intercept;  // absent: as `prior`
  double nu = 4.0;
  std::optional<double> scale;  // absent: chosen from the data

  EngineKind engine = EngineKind::kAuto;
  BoundKind bound = BoundKind::kMapTuned;
  std::optional<double> xi;  // absent: the model's own
  ZKind z = ZKind::kImplicit;
  std::optional<double> q;  // absent: adapted
  double q_bright_to_dark = 1.0;
  double z_fraction = 0.1;
  ZOrder z_order = ZOrder::kRandom;
  KernelKind kernel = KernelKind::kHmc;
  FrameKind frame = FrameKind::kWhitened;
  InitKind init = InitKind::kLaplace;
  AnchorSearch anchor = AnchorSearch::kNewton;

  Schedule schedule;
  std::uint32_t chains = 4;
  std::uint64_t seed = 1;
  unsigned threads = 0;
  bool save_warmup = false;

  std::string out = "run";
  bool overwrite = false;
  bool strict = false;
  bool quiet = false;
  ProgressKind progress = ProgressKind::kAuto;

  [[nodiscard]] bool fly() const noexcept { return engine != EngineKind::kRegular; }
};

// THROWS Error(kUsage) with the option, its value and what is wrong with it.
void validate(const FitOptions& options);

// The words of the command line for each choice; also what run.json holds.
[[nodiscard]] const char* name_of(ModelKind value) noexcept;
[[nodiscard]] const char* name_of(ZKind value) noexcept;
[[nodiscard]] const char* name_of(KernelKind value) noexcept;
[[nodiscard]] const char* name_of(FrameKind value) noexcept;
[[nodiscard]] const char* name_of(InitKind value) noexcept;
[[nodiscard]] const char* name_of(AnchorSearch value) noexcept;
[[nodiscard]] const char* name_of(BoundKind value) noexcept;
[[nodiscard]] const char* name_of(ZOrder value) noexcept;

}  // namespace flymc::app
