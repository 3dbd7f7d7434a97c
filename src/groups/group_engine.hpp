// The engine of a model with groups behind one door: an arrow for one factor, the crossed engine
// for several.
#pragma once

#include <memory>

#include "groups/group_chain.hpp"

namespace flymc {

// All outlive the engine.
struct GroupModel {
  const Dataset& data;
  const std::vector<GroupTerm>& terms;
  const RowModel& model;
  const FixedPrior& prior;
  const GroupScales& scales;  // of all terms
  Vector start;               // of the fixed effects, where the search begins
};

// Immutable once made.
class GroupEngine {
 public:
  virtual ~GroupEngine() = default;

  [[nodiscard]] virtual const RowBounds& bounds() const noexcept = 0;
  [[nodiscard]] virtual ChainParts make_parts(Streams streams) const = 0;
  [[nodiscard]] virtual Vector start(Stream stream) const = 0;
  // What the pilot found, and all of its queries.
  [[nodiscard]] const GroupTuning& tuning() const noexcept { return tuning_; }
  [[nodiscard]] std::uint64_t pilot_queries() const noexcept { return pilot_queries_; }

 protected:
  GroupTuning tuning_;
  std::uint64_t pilot_queries_ = 0;
};

// `may_be_regular`: where most rows would be beacons, or chains would creep between bright rows,
// all are beacons: coins would not be worth throwing. THROWS Error(kData) where no mode is found.
[[nodiscard]] std::unique_ptr<const GroupEngine> make_group_engine(const GroupModel& model,
                                                                   GroupOptions options,
                                                                   bool may_be_regular,
                                                                   std::uint64_t seed);

}  // namespace flymc
