// A moment of a run in words and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flymc {

// What there is to show of a run at one moment. Rates are of this process: a resumed run starts
// them anew.
struct ProgressView {
  struct Chain {
    std::uint64_t draws = 0;  // kept so far, of all processes
    std::uint64_t new_draws = 0;
    std::uint64_t warmup = 0;  // iterations done
    std::uint64_t bright = 0;
    double queries = 0.0;      // a kept draw
    double accept_prob = 0.0;  // mean of the kept draws
  };
  std::vector<Chain> chains;
  std::uint64_t draws = 0;   // asked of each chain
  std::uint64_t warmup = 0;  // iterations of each chain
  std::uint64_t thin = 1;
  double elapsed_s = 0.0;
  double worst_rhat = 0.0;  // NaN: not yet

  [[nodiscard]] double share() const noexcept;   // of the iterations, 0 to 1
  [[nodiscard]] double left_s() const noexcept;  // NaN: not known yet
};

// Before there are chains. How many passes a search takes is not known, so there is no end of it.
[[nodiscard]] std::string setup_line(double elapsed_s);

// One line for all chains.
[[nodiscard]] std::string plain_line(const ProgressView& view);

// One line a chain (the first few of many), then one for all.
[[nodiscard]] std::vector<std::string> chain_lines(const ProgressView& view);

// One object, on one line.
[[nodiscard]] std::string progress_json(const ProgressView& view);

}  // namespace flymc
