// Numbers of every rank, by rank.
#pragma once

#include <string>
#include <vector>

#include "flymc/detail/core/bytes.hpp"
#include "flymc/ranks.hpp"

namespace flymc {

// Collective; lists may differ in length.
template <Plain T>
[[nodiscard]] std::vector<std::vector<T>> gather_values(Ranks& ranks, const std::vector<T>& mine) {
  ByteWriter out;
  out.put_all(mine);
  std::vector<std::vector<T>> all;
  for (const std::string& bytes : ranks.gather(out.bytes())) {
    ByteReader(bytes).get_all(all.emplace_back());
  }
  return all;
}

}  // namespace flymc
