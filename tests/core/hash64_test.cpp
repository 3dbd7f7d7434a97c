#include "core/hash64.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace flymc {
namespace {

// What the reference library (libxxhash 0.8.1) says of bytes 3, 10, 17, ... modulo 256.
TEST(Hash64, IsXxh64) {
  const std::pair<std::size_t, std::uint64_t> vectors[] = {
      {0, 0xef46db3751d8e999},   {1, 0x1f25c8d0bc1f4bb6},  {3, 0x31d2363f52e564c9},
      {4, 0x9bb64b7d66ee9fda},   {7, 0x9a7b149959ce60d8},  {8, 0xdab99d95c6f90092},
      {31, 0xa2aa5f33cc4a6119},  {32, 0x23c3c17ef790fd97}, {33, 0x50a7cfc7ba588784},
      {63, 0x5e3e54b431c7493c},  {64, 0x0eb64b3ef6eeb01f}, {100, 0xa61f8d4c170fe531},
      {1000, 0x5f235fa033f1a3fb}};
  for (const auto& [size, hash] : vectors) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] = static_cast<char>(i * 7 + 3);
    }
    EXPECT_EQ(hash64(bytes), hash) << size;
  }
}

}  // namespace
}  // namespace flymc
