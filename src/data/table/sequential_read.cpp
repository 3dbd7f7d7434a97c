#include "flymc/detail/data/table/sequential_read.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace flymc {

MappedRange::MappedRange(const void* first, std::size_t bytes) noexcept {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<std::uintptr_t>(first);
  address_ = start / page * page;
  bytes_ = bytes + (start - address_);
}

void MappedRange::enter() noexcept {
  if (streams_.fetch_add(1) == 0) {
    advise(MADV_SEQUENTIAL);
  }
}

void MappedRange::leave() noexcept {
  if (streams_.fetch_sub(1) == 1) {
    advise(MADV_RANDOM);
  }
}

// Advice: where the kernel does not take it, rows are read all the same.
void MappedRange::advise(int advice) const noexcept {
  ::madvise(reinterpret_cast<void*>(address_), bytes_, advice);
}

}  // namespace flymc
