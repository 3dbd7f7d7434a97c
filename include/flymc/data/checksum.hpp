// A fingerprint of a data file, to notice that it changed between two runs.
#pragma once

#include <cstdint>
#include <string>

namespace flymc {

// CRC-32 (zlib, gzip, zip) of the bytes as they lie on disk, in one sequential pass without a copy.
// THROWS Error: kNoInput, kPermission, kIo.
[[nodiscard]] std::uint32_t crc32_of_file(const std::string& path);

}  // namespace flymc
