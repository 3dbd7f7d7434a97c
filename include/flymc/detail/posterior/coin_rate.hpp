// How often the weighted z-update throws one datum's coin, in the four bytes that a row keeps. Two
// values say that there is no coin to throw; only this file knows which.
#pragma once

namespace flymc {

class CoinRate {
 public:
  constexpr explicit CoinRate(float stored) noexcept : stored_(stored) {}

  // Never dark, never drawn: in a table of rates it weighs nothing.
  [[nodiscard]] static constexpr CoinRate beacon() noexcept { return CoinRate(0.0F); }
  // No tangent has a number, so it has to be made a beacon: above every rate, so that it is the
  // first to be chosen.
  [[nodiscard]] static constexpr CoinRate unbounded() noexcept { return CoinRate(1e30F); }

  [[nodiscard]] constexpr bool is_beacon() const noexcept { return stored_ == 0.0F; }
  [[nodiscard]] constexpr bool has_bound() const noexcept { return stored_ < unbounded().stored_; }
  [[nodiscard]] constexpr double value() const noexcept { return static_cast<double>(stored_); }
  [[nodiscard]] constexpr float stored() const noexcept { return stored_; }

 private:
  float stored_;
};

}  // namespace flymc
