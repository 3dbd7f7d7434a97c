// What a set-up leaves to the chains of a model with groups.
#pragma once

#include <atomic>
#include <memory>

#include "fit/engine_setup.hpp"
#include "groups/group_engine.hpp"

namespace flymc {

class GroupSetup final : public EngineSetup {
 public:
  // THROWS Error(kUsage) where the problem is none for groups: a family of several predictors, a
  // prior of the fixed effects that is not normal.
  GroupSetup(const Problem& problem, const FitSettings& options, EngineKind engine,
             const std::atomic<bool>* stop);

  [[nodiscard]] ChainParts make_parts(Streams streams) const override;
  [[nodiscard]] WarmupChain make_chain(std::uint32_t chain, std::uint64_t& queries) const override;

 private:
  std::unique_ptr<const RowModel> model_;
  FixedPrior prior_;
  GroupScales scales_;
  std::unique_ptr<const GroupEngine> engine_;
};

}  // namespace flymc
