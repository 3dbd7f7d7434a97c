// What a draw will cost, before any chain runs. With K = 4 kicks of a trajectory of angle T, M
// expected fireflies, D parameters and beacons of leverage r_n an iteration makes
//   Q = sum_beacons max(K, T r_n / c) + (K + 1.5) M queries
// and is worth 0.8 / (S + 4.2 M/D) effective draws; their ratio is J / 0.8. S is how much the
// slowest parameter lags because bounds hold theta where the coins were thrown: a direction whose
// collapsed precision is q times the posterior's has S = 1 + 1.3 (q - 1)^2. The constants were
// fitted to runs: within 2 x for q < 3, pessimistic beyond.
// See docs/method/engine.md, The forecast.
#pragma once

namespace flymc {

// auto: the cheaper by forecast.
enum class EngineKind { kAuto, kFly, kRegular };

struct Cost {
  double beacon_queries = 0.0;
  double bright = 0.0;      // M
  double parameters = 1.0;  // D
  double lag = 1.0;         // S

  [[nodiscard]] double queries() const noexcept;  // an iteration
  [[nodiscard]] double draws() const noexcept;    // effective, an iteration
  [[nodiscard]] double total() const noexcept;    // J: queries an effective draw, times 0.8
};

// S of a direction.
[[nodiscard]] double lag_of(double q) noexcept;

// Queries of one beacon in a trajectory.
[[nodiscard]] double beacon_queries(double leverage) noexcept;

// FlyMC, and the regular engine with the same kernel (every row a beacon).
struct Forecast {
  Cost fly;
  Cost regular;
  [[nodiscard]] bool fly_pays() const noexcept { return fly.total() < 0.7 * regular.total(); }
};

}  // namespace flymc
