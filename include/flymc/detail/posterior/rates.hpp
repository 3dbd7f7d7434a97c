// Rates lambda_n of a Poisson process over the data, drawn from in O(1): P(n) = lambda_n / total.
//
// Two alias tables (Walker 1977, Vose 1991): one over the totals of fixed blocks of rows, one over
// the rows of each block, so that they are built in parallel and a row costs 14 bytes. Every rank
// has the first, and of the second the part of its rows: ranks draw the same hits without talking,
// and the owner of a block knows which datum was hit. Immutable after construction, safe to share
// between threads; the same for any number of threads and ranks.
// See docs/method/engine.md, The weighted z-update.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/posterior/coin_rate.hpp"
#include "flymc/detail/ranks/shard.hpp"
#include "flymc/posterior/density.hpp"
#include "flymc/random.hpp"

namespace flymc {

class Rates {
 public:
  Rates() = default;
  // REQUIRES: rates finite and >= 0, of the rows held here. A row of rate zero is never drawn.
  // Collective.
  Rates(Buffer<float> rates, const Shard& shard, unsigned threads);
  Rates(Buffer<float> rates, unsigned threads);  // all rows are here

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }  // of all ranks
  [[nodiscard]] double total() const noexcept { return total_; }     // of all ranks
  // Of the rows held here; none where no rates were made.
  [[nodiscard]] std::optional<std::span<const float>> held() const noexcept {
    return rows_ > 0 ? std::optional(std::span<const float>(rates_)) : std::nullopt;
  }
  [[nodiscard]] CoinRate at(Datum n) const noexcept { return CoinRate(rates_[n - held_.first]); }
  [[nodiscard]] double rate(Datum n) const noexcept { return at(n).value(); }

  // A block and a place in its table: the same at every rank.
  struct Hit {
    std::size_t block = 0;
    std::size_t column = 0;
    double coin = 0.0;
  };
  // REQUIRES: total() > 0.
  [[nodiscard]] Hit hit(Stream& stream) const noexcept;
  [[nodiscard]] bool holds(const Hit& hit) const noexcept {
    return blocks_[hit.block] >= held_.first && blocks_[hit.block] < held_.last;
  }
  [[nodiscard]] Datum resolve(const Hit& hit) const noexcept;  // REQUIRES: holds(hit)
  [[nodiscard]] Datum draw(Stream& stream) const noexcept { return resolve(hit(stream)); }

  // P(draw() == n) read back from the tables, for tests: O(blocks + rows of a block).
  [[nodiscard]] double probability(Datum n) const noexcept;

 private:
  static constexpr std::size_t kBlockRows = 4096;

  void cut(const Shard& shard);
  [[nodiscard]] std::size_t block_size(std::size_t block) const noexcept {
    return (block + 1 < blocks_.size() ? blocks_[block + 1] : rows_) - blocks_[block];
  }
  [[nodiscard]] double build_block(std::size_t block);

  std::size_t rows_ = 0;
  RowRange held_;
  std::vector<std::size_t> blocks_;  // first row of each, of all ranks
  std::vector<std::size_t> mine_;    // blocks held here
  Buffer<float> rates_;
  Buffer<double> thresholds_;      // a column keeps its own row below its threshold
  Buffer<std::uint16_t> aliases_;  // and yields this row of the block above it
  Buffer<double> block_thresholds_;
  Buffer<std::uint32_t> block_aliases_;
  double total_ = 0.0;
};

}  // namespace flymc
