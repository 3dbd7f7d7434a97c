#include "ranks/sums_along.hpp"

#include <string>

#include "flymc/detail/core/bytes.hpp"

namespace flymc {

std::vector<double> sums_along(Ranks& ranks, std::size_t size,
                               const std::function<void(std::span<double> sums)>& add) {
  std::vector<double> sums(size, 0.0);
  if (ranks.size() == 1) {
    add(sums);
    return sums;
  }
  const std::string last = ranks.pass_along([&](std::string& bytes) {
    if (!bytes.empty()) {
      ByteReader(bytes).get_all(sums);
    }
    add(sums);
    ByteWriter out;
    out.put_all(sums);
    bytes = out.bytes();
  });
  ByteReader(last).get_all(sums);
  return sums;
}

}  // namespace flymc
