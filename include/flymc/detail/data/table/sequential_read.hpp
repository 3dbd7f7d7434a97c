// How a mapped file is read, told to the kernel: in order while somebody streams through its rows,
// at random otherwise.
//
// It matters where the file is larger than memory. Chains fetch single rows, and left to itself the
// kernel reads 32 pages around each of them: with memory for a quarter of a file of 1 GB, draws
// took 46 times as long.
#pragma once

#include <atomic>
#include <cstddef>

#include "flymc/detail/data/table/row_source.hpp"

namespace flymc {

// The pages of a mapping and how many stream through them. Thread-safe.
class MappedRange {
 public:
  MappedRange(const void* first, std::size_t bytes) noexcept;
  void enter() noexcept;
  void leave() noexcept;

 private:
  void advise(int advice) const noexcept;

  std::size_t address_;  // of a page
  std::size_t bytes_;
  std::atomic<int> streams_{0};
};

// Rows are read in order as long as it lives. Free for rows that are not in a mapped file.
class SequentialRead {
 public:
  explicit SequentialRead(const RowSource& source) noexcept : range_(source.mapped().get()) {
    if (range_ != nullptr) {
      range_->enter();
    }
  }
  ~SequentialRead() {
    if (range_ != nullptr) {
      range_->leave();
    }
  }
  SequentialRead(const SequentialRead&) = delete;
  SequentialRead& operator=(const SequentialRead&) = delete;

 private:
  MappedRange* range_;
};

}  // namespace flymc
