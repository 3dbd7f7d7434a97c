#include "flymc/detail/tune/forecast.hpp"

#include <algorithm>

#include "posterior/trajectory.hpp"

namespace flymc {
namespace {

constexpr double kKicks = 4.0;

double slowdown(const Cost& cost) noexcept {
  return cost.lag + 4.2 * cost.bright / cost.parameters;
}

}  // namespace

double Cost::queries() const noexcept { return beacon_queries + (kKicks + 1.5) * bright; }

double Cost::draws() const noexcept { return 0.8 / slowdown(*this); }

double Cost::total() const noexcept { return queries() * slowdown(*this); }

double lag_of(double q) noexcept {
  const double beyond = std::max(0.0, q - 1.0);
  return 1.0 + 1.3 * beyond * beyond;
}

double beacon_queries(double leverage) noexcept {
  return std::max(kKicks, kTrajectoryAngle * leverage / kWallStep);
}

}  // namespace flymc
