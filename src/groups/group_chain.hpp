// A chain of a model with groups: its parts, where it starts, and the pilot that tunes its moves.
#pragma once

#include <atomic>
#include <cstdint>

#include "flymc/chain/chain.hpp"
#include "groups/group_moves.hpp"

namespace flymc {

// REQUIRES: all of them outlive the parts. Without coins where every level is a beacon.
[[nodiscard]] ChainParts make_group_parts(const GroupSetting& setting, const GroupTuning& tuning,
                                          Streams streams, GroupMoveSet moves = {});

// Scales from a distribution so many times as wide as theirs, coefficients from theirs given these.
[[nodiscard]] Vector group_start(const GroupSetting& setting, const GroupTuning& tuning,
                                 Stream stream, double spread = 2.0);

// A short chain from the mode of the scales: where the scales really are, which a Laplace
// approximation of small levels misses by several standard deviations, and how many kicks are
// enough. `queries` grows by what it cost.
[[nodiscard]] GroupTuning tune_groups(const GroupSetting& setting, std::uint64_t seed,
                                      std::uint64_t& queries);

}  // namespace flymc
