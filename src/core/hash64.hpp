// XXH64 (Collet, seed 0): a 64-bit checksum at the speed of memory, the same on every machine. A
// damaged block passes with probability 2^-64, where a CRC-32 would let one in 4e9 through.
#pragma once

#include <cstdint>
#include <string_view>

namespace flymc {

[[nodiscard]] std::uint64_t hash64(std::string_view bytes) noexcept;

}  // namespace flymc
