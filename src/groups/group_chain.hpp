// A chain of a model with groups: its parts, where it starts, and the pilot that tunes its moves;
// for one factor (arrow; of a normal response, normal arrow), and for several (crossed).
#pragma once

#include <atomic>
#include <cstdint>

#include "flymc/chain/chain.hpp"
#include "groups/crossed_moves.hpp"
#include "groups/group_moves.hpp"
#include "groups/normal_target.hpp"

namespace flymc {

// REQUIRES: all of them outlive the parts. Without coins where every row is a beacon.
[[nodiscard]] ChainParts make_group_parts(const GroupSetting& setting, const GroupTuning& tuning,
                                          Streams streams, GroupMoveSet moves = {});
[[nodiscard]] ChainParts make_group_parts(const CrossedSetting& setting, const GroupTuning& tuning,
                                          Streams streams, CrossedMoveSet moves = {});
[[nodiscard]] ChainParts make_group_parts(const NormalSetting& setting, const GroupTuning& tuning,
                                          Streams streams, NormalMoveSet moves = {});

// Scales from a distribution so many times as wide as theirs, coefficients from theirs given these
// (of several factors: about as wide).
[[nodiscard]] Vector group_start(const GroupSetting& setting, const GroupTuning& tuning,
                                 Stream stream, double spread = 2.0);
[[nodiscard]] Vector group_start(const CrossedSetting& setting, const GroupTuning& tuning,
                                 Stream stream, double spread = 2.0);
[[nodiscard]] Vector group_start(const NormalSetting& setting, const GroupTuning& tuning,
                                 Stream stream, double spread = 2.0);

// A short chain from the mode of the scales: where the scales really are, which a Laplace
// approximation of small levels misses by several standard deviations, and how many kicks are
// enough. `queries` grows by what it cost.
[[nodiscard]] GroupTuning tune_groups(const GroupSetting& setting, std::uint64_t seed,
                                      std::uint64_t& queries);
[[nodiscard]] GroupTuning tune_groups(const CrossedSetting& setting, std::uint64_t seed,
                                      std::uint64_t& queries);
[[nodiscard]] GroupTuning tune_groups(const NormalSetting& setting, std::uint64_t seed,
                                      std::uint64_t& queries);

}  // namespace flymc
