// A fingerprint of a data file, to notice that it changed between two runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flymc/ranks.hpp"

namespace flymc {

// "crc32:0badcafe": CRC-32 of bytes that follow one another; of a .fly file "xxh64:" and the hash
// of its head, which covers everything and needs no pass.
[[nodiscard]] std::string fingerprint_of(const std::vector<std::string_view>& parts);

// The same: CRC-32 of the bytes as they lie on disk, in one sequential pass without a copy,
// of all files that a pattern or a directory names, one after the other (input_files.hpp). Standard
// input cannot be read again: Loaded has its checksum. Several ranks read their shares of the
// bytes. THROWS Error: kNoInput, kPermission, kIo.
[[nodiscard]] std::string fingerprint_of_file(const std::string& path,
                                              Ranks& ranks = single_process());

// CRC-32 (zlib, gzip, zip) of bytes.
[[nodiscard]] std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before = 0) noexcept;

}  // namespace flymc
