// What many numbers did over a chain, without their draws: the levels of group terms, of which
// there may be a million.
//
// Of each number mean and sum of squared deviations (Welford); markers of its quantiles (P^2, Jain
// and Chlamtac 1985: heights that move with the draws so as to keep their places in the order,
// along a parabola through their neighbours); and the means of equally long batches of draws, which
// tell its autocorrelation. About 60 numbers each, however long the chain.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "flymc/detail/core/bytes.hpp"

namespace flymc {

// Of all chains together.
struct LevelStatistics {
  // The quantiles of `quantiles`.
  static constexpr std::array<double, 5> kProbabilities = {0.025, 0.05, 0.5, 0.95, 0.975};

  double mean = 0.0;
  double sd = 0.0;
  std::array<double, kProbabilities.size()> quantiles{};
  double ess = 0.0;   // by batch means; NaN where there are too few draws
  double rhat = 0.0;  // of halves of chains, without ranks
};

class LevelTally {
 public:
  // The numbers of one draw, always as many.
  void add(std::span<const double> values);

  [[nodiscard]] std::uint64_t draws() const noexcept { return draws_; }
  [[nodiscard]] std::size_t size() const noexcept { return mean_.size(); }

  void put(ByteWriter& out) const;
  // THROWS std::out_of_range where the bytes are none of put().
  void get(ByteReader& in);

  // REQUIRES: at least one chain, all of the same size and with draws.
  [[nodiscard]] static LevelStatistics merged(std::span<const LevelTally* const> chains,
                                              std::size_t number);

 private:
  // Of the draws so many are below each marker: the ends, the quantiles wanted, and enough between
  // that parabolas hold.
  static constexpr std::array kShares = {0.0,  0.0125, 0.025, 0.0375, 0.05, 0.1,
                                         0.2,  0.35,   0.5,   0.65,   0.8,  0.9,
                                         0.95, 0.9625, 0.975, 0.9875, 1.0};
  static constexpr std::size_t kMarkers = kShares.size();
  static constexpr std::size_t kMostBatches = 32;

  void start(std::size_t size);
  void add_to_batch(std::span<const double> values);
  void mark(std::size_t number, double value);
  [[nodiscard]] double share_below(std::size_t number, double value) const;
  [[nodiscard]] std::span<const double> heights(std::size_t number) const;
  [[nodiscard]] static LevelStatistics moments(std::span<const LevelTally* const> chains,
                                               std::size_t number);
  [[nodiscard]] static double split_rhat(std::span<const LevelTally* const> chains,
                                         std::size_t number);
  [[nodiscard]] static double quantile(std::span<const LevelTally* const> chains,
                                       std::size_t number, double prob);

  std::uint64_t draws_ = 0;
  std::vector<double> mean_;
  std::vector<double> squares_;
  std::vector<double> heights_;        // kMarkers a number; of fewer draws these, sorted
  std::vector<std::uint32_t> places_;  // of the markers in the order of all draws, from 0
  std::uint64_t batch_draws_ = 1;      // of a batch
  std::uint64_t open_draws_ = 0;       // of the batch that is being filled
  std::vector<double> open_;           // its sums
  std::vector<double> batches_;        // means of whole ones, one batch after the other
};

}  // namespace flymc
