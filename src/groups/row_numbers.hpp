// What rows are called. A process alone calls them by where they lie. Among ranks the rows of a
// level lie together (level_shard.hpp), and each is known to all by its number in the table as it
// was read: coins, checkpoints and random numbers are then the same wherever rows are.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/posterior/rates.hpp"
#include "flymc/detail/ranks/shard.hpp"
#include "flymc/posterior/density.hpp"

namespace flymc {

// Immutable, cheap to copy.
class RowNumbers {
 public:
  explicit RowNumbers(std::size_t rows);  // all are here, in this order
  // Of the rows here, ascending. Collective.
  RowNumbers(Ranks& ranks, std::vector<Datum> here);

  [[nodiscard]] bool is_split() const noexcept { return here_ != nullptr; }
  [[nodiscard]] std::size_t rows() const noexcept { return shard_.rows(); }  // of all ranks
  [[nodiscard]] std::size_t here() const noexcept { return is_split() ? here_->size() : rows(); }
  // Where a row of this number lies, if it does so here.
  [[nodiscard]] std::optional<std::size_t> find(Datum number) const noexcept;
  // Which rank has which numbers where values are in their order.
  [[nodiscard]] const Shard& shard() const noexcept { return shard_; }
  [[nodiscard]] Ranks& ranks() const noexcept { return shard_.ranks(); }

  // Values of the rows here, in the order of numbers; of those this rank then has. Collective.
  [[nodiscard]] Buffer<float> by_number(const Buffer<float>& values) const;
  [[nodiscard]] Buffer<double> by_number(const Buffer<double>& values) const;

  // Hits of a process, the same at every rank, as numbers. Collective where rows are split and
  // there is a hit.
  void resolve(const Rates& rates, std::span<const Rates::Hit> hits, Buffer<Datum>& numbers) const;

 private:
  template <class T>
  [[nodiscard]] Buffer<T> sent_to_numbers(const Buffer<T>& values) const;

  Shard shard_;
  std::shared_ptr<const std::vector<Datum>> here_;  // none: all, in order
};

}  // namespace flymc
