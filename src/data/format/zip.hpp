// The members of a zip archive in memory, as NumPy writes them: stored or deflated, zip64 where
// large.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "flymc/detail/core/buffer.hpp"

namespace flymc {

// REQUIRES: the bytes outlive the archive. Immutable, thread-safe.
class ZipArchive {
 public:
  struct Member {
    std::string name;
    std::uint32_t method = 0;  // 0 stored, 8 deflated
    std::uint32_t crc32 = 0;
    std::size_t packed_bytes = 0;
    std::size_t size_bytes = 0;
    std::size_t header_at = 0;
  };

  // Reads the central directory. THROWS Error kData; `where` names the file.
  ZipArchive(std::string_view bytes, std::string where);

  [[nodiscard]] const std::vector<Member>& members() const noexcept { return members_; }

  // nullptr when there is none of this name.
  [[nodiscard]] const Member* find(std::string_view name) const noexcept;

  // The member's content, its checksum verified: a view into the archive where it is stored,
  // otherwise of `room`, which receives it. THROWS Error kData.
  [[nodiscard]] std::string_view extract(const Member& member, Buffer<char>& room) const;

 private:
  [[noreturn]] void fail(const std::string& what) const;
  [[nodiscard]] std::uint64_t number(std::size_t at, std::size_t size) const;
  [[nodiscard]] std::string_view slice(std::size_t at, std::size_t size) const;
  [[nodiscard]] std::size_t find_end() const;
  void read_directory(std::size_t at, std::size_t count);
  [[nodiscard]] std::size_t read_member(std::size_t at);
  void read_zip64(Member& member, std::size_t at, std::size_t end) const;

  std::string_view bytes_;
  std::string where_;
  std::vector<Member> members_;
};

[[nodiscard]] bool is_zip(std::string_view bytes) noexcept;

}  // namespace flymc
