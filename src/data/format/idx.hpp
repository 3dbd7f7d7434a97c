// MNIST's IDX files of unsigned bytes: 0, 0, 8, the number of dimensions; their sizes, big-endian
// in 4 bytes each; then the items, the last dimension running fastest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace flymc {

// REQUIRES: bytes.size() == product(shape).
struct IdxArray {
  std::vector<std::size_t> shape;
  std::vector<std::uint8_t> bytes;
};

// Plain or gzip, told by content. THROWS Error with a message of one line: kData for another magic
// number than that of unsigned bytes in `dimensions` dimensions, for a file cut short or with bytes
// to spare, and for damaged gzip; kNoInput, kPermission, kIo for the file itself.
[[nodiscard]] IdxArray read_idx(const std::string& path, std::size_t dimensions);

}  // namespace flymc
