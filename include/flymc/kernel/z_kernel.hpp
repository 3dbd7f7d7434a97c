// A z-update: one sweep over some of the brightness coins at a fixed theta. Given theta the coins
// are independent, so a sweep may treat many data at once, as long as each kernel's visits are
// chosen without looking at what the sweep itself has changed.
// See docs/method/paper.md, Updates of z given theta.
#pragma once

#include <cstdint>
#include <memory>

#include "flymc/kernel/theta_kernel.hpp"
#include "flymc/posterior/density.hpp"
#include "flymc/random.hpp"

namespace flymc {

struct ZInfo {
  std::size_t brightened = 0;
  std::size_t darkened = 0;
};

class ZKernel {
 public:
  virtual ~ZKernel() = default;

  // True where one sweep takes z from all dark to about its equilibrium: a chain need not query
  // every datum to start.
  [[nodiscard]] virtual bool starts_dark() const noexcept { return false; }

  // REQUIRES: `current` holds the cached factors of the bright data. On return its log density and
  // gradient are stale until target.refresh().
  virtual ZInfo step(Brightable& target, Point& current, const Tuning& tuning,
                     std::uint64_t iteration, Stream& stream) = 0;
};

// weighted: by rates, with slack, the one for local bounds; implicit and explicit: the paper's.
enum class ZKind { kWeighted, kImplicit, kExplicit };
enum class ZOrder { kRandom, kShuffled, kSequential };

struct ZSettings {
  ZKind kind = ZKind::kWeighted;
  double bright_to_dark = 1.0;  // implicit: probability that a bright datum is proposed to darken
  double fraction = 0.1;        // explicit: share of rows a sweep
  ZOrder order = ZOrder::kRandom;
};
[[nodiscard]] std::unique_ptr<ZKernel> make_z_kernel(const ZSettings& settings);

}  // namespace flymc
