#include "flymc/data/checksum.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <string_view>

#include "flymc/core/hash64.hpp"
#include "flymc/data/content.hpp"
#include "flymc/data/fly_format.hpp"

namespace flymc {

std::string fingerprint_of_file(const std::string& path) {
  const FileMap file(path);
  const std::string_view bytes = file.bytes();
  if (is_fly(bytes)) {
    return fmt::format("xxh64:{:016x}", hash64(bytes.substr(0, kFlyHeadBytes)));
  }
  return fmt::format("crc32:{:08x}",
                     ::crc32_z(::crc32_z(0, nullptr, 0),
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace flymc
