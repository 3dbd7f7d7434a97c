// Which rows lie at which rank. Rows are numbered over all ranks, in the order of ranks. They come
// in sections of 65,536 rows as read (fewer where equal ones were merged), each whole at one rank;
// sums are formed over pieces of sections and merged by their numbers (piece_sum.hpp), so that
// nothing depends on how many ranks there are.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/core/row_range.hpp"
#include "flymc/ranks.hpp"

namespace flymc {

class Shard {
 public:
  static constexpr std::size_t kSectionRows = 65'536;

  Shard() = default;                 // no rows
  explicit Shard(std::size_t rows);  // all at this process, in full sections
  // As evenly as whole sections allow.
  [[nodiscard]] static Shard spread(Ranks& ranks, std::size_t rows);
  // Collective: `mine` are the numbers of rows of the sections that lie here.
  Shard(Ranks& ranks, const std::vector<std::size_t>& mine);

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }  // of all ranks
  [[nodiscard]] RowRange mine() const noexcept { return mine_; }
  [[nodiscard]] RowRange of(int rank) const noexcept;
  [[nodiscard]] bool holds(std::size_t n) const noexcept {
    return n >= mine_.first && n < mine_.last;
  }
  [[nodiscard]] Ranks& ranks() const noexcept { return *ranks_; }
  [[nodiscard]] bool is_split() const noexcept { return ranks_->size() > 1; }
  [[nodiscard]] int owner(std::size_t n) const noexcept;

  // First row of every section, of all ranks.
  [[nodiscard]] const std::vector<std::size_t>& sections() const noexcept { return sections_; }
  [[nodiscard]] std::size_t section_of(std::size_t n) const noexcept;
  [[nodiscard]] RowRange section(std::size_t i) const noexcept {
    return {sections_[i], i + 1 < sections_.size() ? sections_[i + 1] : rows_};
  }

  struct Piece {
    std::size_t number = 0;  // over all ranks
    RowRange rows;           // maybe none
  };
  // The pieces that lie here: about 64 in all, of 512 rows or more, and one a section at least.
  [[nodiscard]] const std::vector<Piece>& pieces() const noexcept { return pieces_; }

 private:
  void cut();

  Ranks* ranks_ = &single_process();
  std::size_t rows_ = 0;
  RowRange mine_;
  std::vector<std::size_t> sections_;
  std::vector<std::size_t> first_rows_{0};  // of every rank
  std::vector<Piece> pieces_;
};

// Records of some rows, in the order asked, at every rank: `write` makes one of a row held here,
// into `width` numbers, on several threads (every row may be a miss of the cache). Collective where
// rows are split and some are asked for.
using WriteRecord = std::function<void(std::size_t row, double* out)>;
[[nodiscard]] Buffer<double> collect_records(const Shard& shard, std::span<const std::size_t> rows,
                                             std::size_t width, const WriteRecord& write,
                                             unsigned threads = 1);

}  // namespace flymc
