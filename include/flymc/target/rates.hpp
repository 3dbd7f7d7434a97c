// Rates lambda_n of a Poisson process over the data, drawn from in O(1): P(n) = lambda_n / total.
//
// Two alias tables (Walker 1977, Vose 1991): one over the totals of fixed blocks of rows, one over
// the rows of each block, so that they are built in parallel and a row costs 14 bytes. Immutable
// after construction, safe to share between threads; the same for any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "flymc/core/buffer.hpp"
#include "flymc/core/random.hpp"
#include "flymc/target/density.hpp"

namespace flymc {

class Rates {
 public:
  Rates() = default;
  // REQUIRES: rates finite and >= 0. A row of rate zero is never drawn.
  explicit Rates(Buffer<float> rates, unsigned threads);

  [[nodiscard]] std::size_t rows() const noexcept { return rates_.size(); }
  [[nodiscard]] double total() const noexcept { return total_; }
  [[nodiscard]] double rate(Datum n) const noexcept { return static_cast<double>(rates_[n]); }

  // REQUIRES: total() > 0.
  [[nodiscard]] Datum draw(Stream& stream) const noexcept;

  // P(draw() == n) read back from the tables, for tests: O(blocks + rows of a block).
  [[nodiscard]] double probability(Datum n) const noexcept;

 private:
  static constexpr std::size_t kBlockRows = 4096;

  [[nodiscard]] std::size_t block_size(std::size_t block) const noexcept;
  [[nodiscard]] double build_block(std::size_t block);

  Buffer<float> rates_;
  Buffer<double> thresholds_;      // a column keeps its own row below its threshold
  Buffer<std::uint16_t> aliases_;  // and yields this row of the block above it
  Buffer<double> block_thresholds_;
  Buffer<std::uint32_t> block_aliases_;
  double total_ = 0.0;
};

}  // namespace flymc
