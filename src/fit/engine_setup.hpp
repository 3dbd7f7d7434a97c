// What a set-up leaves to its chains, and their assembly. The loops over data and the targets are
// templates on the family (family_setup.hpp); all else is compiled once.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "chain/set_up.hpp"
#include "fit/engine.hpp"
#include "flymc/chain/run_chain.hpp"

namespace flymc {

// Immutable once made. Problem and settings outlive it.
class EngineSetup {
 public:
  virtual ~EngineSetup() = default;
  EngineSetup(const EngineSetup&) = delete;
  EngineSetup& operator=(const EngineSetup&) = delete;

  [[nodiscard]] const SetupInfo& info() const noexcept { return info_; }
  [[nodiscard]] bool is_split() const noexcept { return problem_.data.shard().is_split(); }

  // Density and kernels of a chain.
  [[nodiscard]] virtual ChainParts make_parts(Streams streams) const = 0;
  // `queries` grows by what it cost to find the start.
  [[nodiscard]] virtual WarmupChain make_chain(std::uint32_t chain,
                                               std::uint64_t& queries) const = 0;
  // What `draws`, asked for where they are needed, or the set-up alone says of the evidence; none
  // where they say too little.
  [[nodiscard]] virtual std::optional<LogEvidence> evidence(
      const std::function<RunChains()>& /*draws*/) const {
    return std::nullopt;
  }
  // THROWS Error(kData) where it is not one of this problem and engine.
  [[nodiscard]] Chain restore_chain(std::uint32_t chain, const Checkpoint& kept) const;

 protected:
  EngineSetup(const Problem& problem, const FitSettings& options)
      : problem_(problem), options_(options) {}

  const Problem& problem_;
  const FitSettings& options_;
  SetupInfo info_;
};

// With one frame for all coefficients.
class FrameSetup : public EngineSetup {
 public:
  [[nodiscard]] ChainParts make_parts(Streams streams) const override;
  [[nodiscard]] WarmupChain make_chain(std::uint32_t chain, std::uint64_t& queries) const override;
  // dark_evidence(); none without coins, or of a flat prior.
  [[nodiscard]] std::optional<LogEvidence> evidence(
      const std::function<RunChains()>& draws) const override;

 protected:
  using EngineSetup::EngineSetup;

  [[nodiscard]] AnchorOptions anchor_options() const;
  [[nodiscard]] SetUpOptions local_options(EngineKind engine, const std::atomic<bool>* stop) const;
  void keep_local(SetUp land);
  // The paper's bounds, or regular MCMC with the paper's kernels: `modes`, where several may be.
  void keep_anchor(const Anchor& anchor, const Modes& modes);
  void keep_global(const Anchor& anchor, Bounds bounds);
  [[noreturn]] void throw_no_global_bound() const;

  // From the anchor, in posterior standard deviations.
  [[nodiscard]] double distance(const Vector& theta) const;

  std::optional<Bounds> bounds_;  // none: every density is the full posterior's
  std::optional<Frame> frame_;

 private:
  static constexpr std::size_t kListed = 50;  // rows that run.json names

  // Density and, where coins are thrown, what throws them.
  [[nodiscard]] virtual ChainParts make_target(std::unique_ptr<ThetaKernel> kernel,
                                               Streams streams) const = 0;
  // The mode that a climb from theta ends at. `queries` grows by what that cost.
  [[nodiscard]] virtual Vector mode_near(const Vector& theta, std::uint64_t& queries) const = 0;

  void keep_modes(const Modes& modes);
  [[nodiscard]] bool is_far(const Vector& theta) const;
  [[nodiscard]] bool is_separable(const ModeFacts* mode) const;

  std::vector<Mode> modes_;  // that matter, where there is more than one
};

}  // namespace flymc
