#include "data/load/checksum.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <string_view>
#include <vector>

#include "core/hash64.hpp"
#include "data/format/fly_format.hpp"
#include "data/input/byte_share.hpp"
#include "data/input/content.hpp"
#include "data/input/input_files.hpp"
#include "ranks/gather_values.hpp"

namespace flymc {

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before) noexcept {
  const auto* const data = reinterpret_cast<const Bytef*>(bytes.data());
  return data == nullptr ? before
                         : static_cast<std::uint32_t>(::crc32_z(before, data, bytes.size()));
}

namespace {

// Of some bytes, and how many they are.
struct Crc {
  std::uint32_t value = 0;
  std::uint64_t bytes = 0;
};

Crc crc_of_share(const std::vector<std::string>& paths, const ByteShare& share) {
  Crc crc;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const ByteRange range = share.of(i);
    if (!range.empty()) {
      const FileMap file(paths[i]);
      const std::string_view bytes = file.bytes().substr(range.first, range.last - range.first);
      crc.value = crc32_of(bytes, crc.value);
      crc.bytes += bytes.size();
    }
  }
  return crc;
}

std::uint32_t combined(Ranks& ranks, const Crc& mine) {
  std::uint32_t crc = 0;
  for (const auto& next :
       gather_values(ranks, std::vector<std::uint64_t>{mine.value, mine.bytes})) {
    crc = static_cast<std::uint32_t>(::crc32_combine(crc, next[0], static_cast<z_off_t>(next[1])));
  }
  return crc;
}

}  // namespace

std::string fingerprint_of(const std::vector<std::string_view>& parts) {
  if (parts.size() == 1 && is_fly(parts[0])) {
    return fmt::format("xxh64:{:016x}", hash64(parts[0].substr(0, kFlyHeadBytes)));
  }
  std::uint32_t crc = 0;
  for (const std::string_view bytes : parts) {
    crc = crc32_of(bytes, crc);
  }
  return fmt::format("crc32:{:08x}", crc);
}

std::string fingerprint_of_file(const std::string& path, Ranks& ranks) {
  std::string of_fly;
  Crc mine;
  fail_together(ranks, [&] {
    const std::vector<std::string> paths = input_files(path).paths;
    if (const FileMap first(paths[0]); paths.size() == 1 && is_fly(first.bytes())) {
      of_fly = fingerprint_of({first.bytes()});
    } else {
      mine = crc_of_share(paths, ByteShare(ranks, paths));
    }
  });
  return of_fly.empty() ? fmt::format("crc32:{:08x}", combined(ranks, mine)) : of_fly;
}

}  // namespace flymc
