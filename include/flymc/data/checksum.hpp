// A fingerprint of a data file, to notice that it changed between two runs.
#pragma once

#include <string>

namespace flymc {

// "crc32:0badcafe": CRC-32 (zlib, gzip, zip) of the bytes as they lie on disk, in one sequential
// pass without a copy; of a .fly file "xxh64:" and the hash of its head, which covers everything
// and needs no pass. THROWS Error: kNoInput, kPermission, kIo.
[[nodiscard]] std::string fingerprint_of_file(const std::string& path);

}  // namespace flymc
