#include "flymc/detail/posterior/bright_set.hpp"

#include <algorithm>

#include "flymc/error.hpp"

namespace flymc {

BrightSet::BrightSet(std::size_t rows, RowRange held) : rows_(rows), held_(held) {
  if (held.size() >= kDark) {
    throw Error(ErrorKind::kMemory,
                "4,294,967,295 rows or more at one rank; start more of them (mpirun -n).");
  }
  position_.resize(held.size());
  std::fill(position_.begin(), position_.end(), kDark);
}

}  // namespace flymc
