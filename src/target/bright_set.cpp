#include "flymc/target/bright_set.hpp"

#include <limits>
#include <numeric>

#include "flymc/core/error.hpp"

namespace flymc {

BrightSet::BrightSet(std::size_t rows) {
  if (rows > std::numeric_limits<Datum>::max()) {
    throw Error(ErrorKind::kMemory, "more than 4,294,967,295 rows on one machine.");
  }
  order_.resize(rows);
  position_.resize(rows);
  std::iota(order_.begin(), order_.end(), Datum{0});
  std::iota(position_.begin(), position_.end(), Datum{0});
}

}  // namespace flymc
