// A short run before any chain: split HMC on a surrogate of the posterior, for its mean and
// covariance. They become the anchor, the region's norm, the leverage and the metric of the real
// chains. One pilot, shared by all chains; only speed rests on it.
// See docs/method/engine.md, Set-up.
#pragma once

#include <atomic>
#include <optional>

#include "flymc/chain/chain.hpp"
#include "flymc/posterior/anchor.hpp"
#include "flymc/posterior/frame.hpp"

namespace flymc {

// REQUIRES: parts of a density without coins, in `frame`. Draws max(800, 12 D) after 300 of
// warm-up, and more until every coordinate has an effective sample of 100; the covariance is shrunk
// (Ledoit-Wolf) towards the current frame: sampling noise in it would be as bad as no pilot.
// Nothing when `stop` turned true under way.
[[nodiscard]] std::optional<Anchor> run_pilot(ChainParts parts, const Frame& frame,
                                              const std::atomic<bool>* stop);

}  // namespace flymc
