// The layout of a .fly file: a table as memory can use it, mapped and never copied.
//
//   0      head: the struct below, padded with zeros to 4,096 bytes
//   4096   names: response, weights, offset, trials, every column, every label; each a 32-bit
//   length
//          and its bytes
//   ...    response, weights, offset, trials: one float64 a row, each section absent or whole
//   ...    rows: row-major float64 or float32, without gaps between rows (a block of rows is then a
//          matrix as it lies); starts on a page
//   ...    hashes: XXH64 of each 256 KiB block of what lies between head and hashes
// Little-endian. Sections start at multiples of 64 and follow one another in this order; bytes
// between them are zero. The head holds the hash of itself and of the hashes: every byte is
// covered, and the head alone is a fingerprint of the file.
//
// A reader checks all blocks once, when it opens the file, in the same pass that looks for numbers
// that are not finite. Checking inside later passes would read no less (the first of them would
// check everything), could not vouch for rows that chains touch at random, and would put a branch
// into loops over data. One pass in order is what `fit` spends on the checksum of any input.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flymc/ranks.hpp"

namespace flymc {

struct FlySection {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;  // 0: absent
};

enum FlyPart : std::size_t { kFlyResponse, kFlyWeights, kFlyOffset, kFlyTrials, kFlyParts };

inline constexpr std::size_t kFlyHeadBytes = 4096;
inline constexpr std::size_t kFlyBlockBytes = std::size_t{1} << 18;  // stays in a near cache
inline constexpr std::uint32_t kFlyVersion = 1;
// Not text: a byte above 127, and line ends that a transfer as text would change.
inline constexpr std::string_view kFlyMagic{
    "\x89"
    "FLY\r\n\x1A\n",
    8};

// As it lies in the file.
struct FlyHead {
  std::array<char, 8> magic{};
  std::uint32_t version = kFlyVersion;
  std::uint32_t byte_order = 0x01020304;
  std::uint64_t head_hash = 0;  // of the 4,096 bytes with zeros here
  std::uint64_t file_bytes = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t labels = 0;
  std::uint64_t left_out = 0;      // rows of the original that are not here
  std::uint64_t number_bytes = 8;  // of the rows: 8 or 4
  FlySection names;
  std::array<FlySection, kFlyParts> parts;
  FlySection x;
  FlySection hashes;
  std::uint64_t hashes_hash = 0;
};

// The names section, taken apart.
struct FlyNames {
  std::array<std::string, kFlyParts> parts;
  std::vector<std::string> columns;
  std::vector<std::string> labels;
};

[[nodiscard]] bool is_fly(std::string_view bytes) noexcept;

// What the sections of a table take and where they lie, from rows, columns, number_bytes and the
// bytes of `names` and `parts`: sets all offsets, x.bytes, hashes.bytes and file_bytes.
// False where a size does not fit 63 bits.
[[nodiscard]] bool lay_out(FlyHead& head) noexcept;

// The 4,096 bytes, head_hash set.
[[nodiscard]] std::string to_bytes(FlyHead head);

// The head of a file, every number checked against the others and against the size of the file, so
// that no section reaches outside. `path` heads the messages. THROWS Error kData.
[[nodiscard]] FlyHead read_fly_head(std::string_view file, const std::string& path);

[[nodiscard]] std::string to_bytes(const FlyNames& names);

// REQUIRES: a checked head. THROWS Error kData.
[[nodiscard]] FlyNames read_fly_names(std::string_view file, const FlyHead& head,
                                      const std::string& path);

// Everything that is there is intact, and rows, weights and the like are finite numbers. Each rank
// looks at its part of the file. REQUIRES: a checked head. THROWS Error kData with the place of the
// damage.
void verify_fly(std::string_view file, const FlyHead& head, const std::string& path,
                unsigned threads, const Ranks& ranks = single_process());

}  // namespace flymc
