#include "flymc/data/checksum.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <string_view>

#include "flymc/core/hash64.hpp"
#include "flymc/data/content.hpp"
#include "flymc/data/fly_format.hpp"
#include "flymc/data/input_files.hpp"

namespace flymc {

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before) noexcept {
  const auto* const data = reinterpret_cast<const Bytef*>(bytes.data());
  return data == nullptr ? before
                         : static_cast<std::uint32_t>(::crc32_z(before, data, bytes.size()));
}

std::string fingerprint_of_file(const std::string& path) {
  const std::vector<std::string> paths = input_files(path).paths;
  std::uint32_t crc = 0;
  for (const std::string& name : paths) {
    const FileMap file(name);
    if (paths.size() == 1 && is_fly(file.bytes())) {
      return fmt::format("xxh64:{:016x}", hash64(file.bytes().substr(0, kFlyHeadBytes)));
    }
    crc = crc32_of(file.bytes(), crc);
  }
  return fmt::format("crc32:{:08x}", crc);
}

}  // namespace flymc
