// A zip archive written member by member, stored, with zip64 fields where sizes need them. No
// times: the same members give the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/staged_file.hpp"

namespace flymc {

// REQUIRES: a regular file, empty; it outlives the writer. THROWS Error(kIo). Not thread-safe.
class ZipWriter {
 public:
  explicit ZipWriter(StagedFile& file) : file_(file) {}

  // A member of so many bytes, which are then appended, all of them.
  void begin(const std::string& name, std::uint64_t size_bytes);
  void append(std::string_view bytes);
  void end();

  // The directory. Nothing can be added after it.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint64_t size_bytes = 0;
    std::uint64_t header_at = 0;
    std::uint32_t crc32 = 0;
  };

  void write(std::string_view bytes);
  [[nodiscard]] static std::string directory_entry(const Member& member);

  StagedFile& file_;
  std::uint64_t at_ = 0;
  std::vector<Member> members_;
};

}  // namespace flymc
