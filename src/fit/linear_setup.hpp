// What a set-up leaves to the chains of a normal linear regression: sums over the rows.
#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "fit/engine_setup.hpp"
#include "linear/linear_law.hpp"

namespace flymc {

// Whether sums over the rows are the likelihood: a normal response without group terms, sigma the
// same in every row, coefficients a priori normal or flat; and no other kernel, frame or start is
// asked for, which belong to bounds.
[[nodiscard]] bool is_linear(const Problem& problem, const FitSettings& options);

class LinearSetup final : public EngineSetup {
 public:
  // REQUIRES: is_linear().
  LinearSetup(const Problem& problem, const FitSettings& options, const std::atomic<bool>* stop);

  [[nodiscard]] ChainParts make_parts(Streams streams) const override;
  [[nodiscard]] WarmupChain make_chain(std::uint32_t chain, std::uint64_t& queries) const override;
  // An integral over sigma alone: no draw is needed.
  [[nodiscard]] std::optional<LogEvidence> evidence(
      const std::function<RunChains()>& draws) const override;

 private:
  std::optional<LinearLaw> law_;
};

}  // namespace flymc
