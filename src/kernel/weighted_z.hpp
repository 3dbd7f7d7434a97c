// The weighted update: an implicit one in which every datum has its own q. With Lt = L/B - 1, rates
// lambda_n and a scale s(theta), q_n = 1 - exp(-s lambda_n) and each datum is visited once a sweep:
//   dark -> bright: proposed when hit by one of Poisson(s sum lambda) draws with P(n) ~ lambda_n,
//                   that is with probability q_n independently of the others,
//                   accepted with probability min(1, Lt_n / q_n);
//   bright -> dark: always proposed, accepted with probability min(1, q_n / Lt_n), from the values
//                   that the theta-update cached: no query.
// The cost is O(bright + hits): no term in the number of data.
// See docs/method/engine.md, The weighted z-update.
#pragma once

#include "flymc/detail/core/buffer.hpp"
#include "flymc/kernel/z_kernel.hpp"

namespace flymc {

class WeightedZ final : public ZKernel {
 public:
  [[nodiscard]] bool starts_dark() const noexcept override { return true; }

  ZInfo step(Brightable& target, Point& current, const Tuning& tuning, std::uint64_t iteration,
             Stream& stream) override;

 private:
  void choose_dark(Brightable& target, double scale, Stream& stream);

  Buffer<Datum> candidates_;
};

}  // namespace flymc
