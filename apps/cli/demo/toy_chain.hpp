// The chain behind the demo's picture: a toy problem small enough to show every datum, with the
// state of theta and of every z_n kept after each iteration.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "family/simulate.hpp"
#include "flymc/posterior/density.hpp"
#include "flymc/table.hpp"

namespace flymc::cli {

// Few data, so that each one is seen, and short random-walk steps from a prior draw, so that the
// way to the posterior is seen. Bounds are MAP-tuned, as in a fit.
struct ToyOptions {
  std::size_t rows = 200;
  std::size_t iterations = 300;
  double prior_sd = 3.0;
  double step_sd = 0.2;
  double q = 0.03;  // dark-to-bright proposals
  std::uint64_t seed = 1;
};

// The data in a plane and the logistic regression on them, as the demo fits and draws it.
[[nodiscard]] SimulateOptions toy_data(std::size_t rows, std::uint64_t seed);

struct ToyState {
  std::array<double, 3> theta{};  // intercept and two slopes: eta = theta_0 + theta . x
  std::vector<Datum> bright;      // ascending
};

struct ToyTrace {
  Table table;                   // two features; response 0 or 1
  std::vector<ToyState> states;  // the start (a draw from the prior), then one an iteration
};

[[nodiscard]] ToyTrace run_toy_chain(const ToyOptions& options);

}  // namespace flymc::cli
