#include "flymc/data/checksum.hpp"

#include <zlib.h>

#include "flymc/data/content.hpp"

namespace flymc {

std::uint32_t crc32_of_file(const std::string& path) {
  const FileMap file(path);
  const auto* const bytes = reinterpret_cast<const Bytef*>(file.bytes().data());
  return static_cast<std::uint32_t>(
      ::crc32_z(::crc32_z(0, nullptr, 0), bytes, file.bytes().size()));
}

}  // namespace flymc
