// R-hat while chains run, in memory that does not grow: each chain is a few blocks of draws of the
// same length, of which only means and variances are kept; when there are too many, neighbours are
// merged in pairs. Split R-hat of the blocks, sqrt((B/W + n - 1)/n), without ranks: for watching,
// not for reporting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace flymc {

class RunningMoments {
 public:
  explicit RunningMoments(std::size_t parameters) : parameters_(parameters) {}

  // REQUIRES: one number a parameter.
  void add(std::span<const double> draw);

  // Mean and variance (divisor n) of parameter j in the first or the second half of the draws, as
  // far as whole blocks go.
  struct Half {
    double count = 0.0;
    double mean = 0.0;
    double variance = 0.0;
  };
  [[nodiscard]] Half half(std::size_t j, bool second) const;
  [[nodiscard]] std::size_t parameters() const noexcept { return parameters_; }

 private:
  static constexpr std::size_t kMostBlocks = 32;
  struct Block {
    double count = 0.0;
    std::vector<double> mean;
    std::vector<double> squares;  // sums of squared distances from the mean
  };
  static void merge(const Block& from, Block& into);

  std::size_t parameters_;
  double block_draws_ = 8.0;
  std::vector<Block> blocks_;  // the last one may be short
};

// The worst over parameters; NaN before every chain has four whole blocks.
[[nodiscard]] double worst_rhat(std::span<const RunningMoments> chains);

}  // namespace flymc
