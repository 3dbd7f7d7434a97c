#include "data/format/zip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/text.hpp"
#include "data/input/inflate.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// Signatures and fixed sizes of the records (PKWARE's APPNOTE, section 4.3).
constexpr std::string_view kLocal = "PK\x03\x04";
constexpr std::string_view kCentral = "PK\x01\x02";
constexpr std::string_view kEnd = "PK\x05\x06";
constexpr std::string_view kEnd64 = "PK\x06\x06";
constexpr std::string_view kLocator64 = "PK\x06\x07";
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kCentralBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kLocatorBytes = 20;
constexpr std::size_t kMaxComment = 65'535;
constexpr std::uint64_t kIn64 = 0xFFFF'FFFF;  // the value stands in the zip64 field instead
constexpr std::uint64_t kZip64Field = 1;

}  // namespace

bool is_zip(std::string_view bytes) noexcept {
  return bytes.starts_with(kLocal) || bytes.starts_with(kEnd);
}

ZipArchive::ZipArchive(std::string_view bytes, std::string where)
    : bytes_(bytes), where_(std::move(where)) {
  const std::size_t end = find_end();
  std::size_t count = number(end + 10, 2);
  std::size_t directory_at = number(end + 16, 4);
  if (end >= kLocatorBytes && slice(end - kLocatorBytes, 4) == kLocator64) {
    const std::size_t end64 = number(end - kLocatorBytes + 8, 8);
    if (slice(end64, 4) != kEnd64) {
      fail("the zip64 directory is damaged");
    }
    count = number(end64 + 32, 8);
    directory_at = number(end64 + 48, 8);
  }
  read_directory(directory_at, count);
}

const ZipArchive::Member* ZipArchive::find(std::string_view name) const noexcept {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const Member& member) { return member.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

std::string_view ZipArchive::extract(const Member& member, Buffer<char>& room) const {
  if (slice(member.header_at, 4) != kLocal) {
    fail("a member is not where the directory says");
  }
  const std::size_t data_at = member.header_at + kLocalBytes + number(member.header_at + 26, 2) +
                              number(member.header_at + 28, 2);
  const std::string_view packed = slice(data_at, member.packed_bytes);
  std::string_view content = packed;
  if (member.method == 8) {
    room = inflate_raw(packed, member.size_bytes, where_);
    content = {room.data(), room.size()};
  } else if (member.method != 0) {
    fail(fmt::format("compression method {}; expected stored or deflate", member.method));
  }
  const auto* const data = reinterpret_cast<const Bytef*>(content.data());
  if (content.size() != member.size_bytes || ::crc32_z(0, data, content.size()) != member.crc32) {
    fail(fmt::format("the checksum of {} is wrong", in_quotes(member.name)));
  }
  return content;
}

void ZipArchive::fail(const std::string& what) const {
  throw Error(ErrorKind::kData, where_ + ": not a readable zip archive (npz): " + what + ".");
}

std::string_view ZipArchive::slice(std::size_t at, std::size_t size) const {
  if (at > bytes_.size() || size > bytes_.size() - at) {
    fail("it is cut short");
  }
  return bytes_.substr(at, size);
}

std::uint64_t ZipArchive::number(std::size_t at, std::size_t size) const {
  std::uint64_t value = 0;
  std::memcpy(&value, slice(at, size).data(), size);
  return value;
}

// The end record is last but for a comment, so it is sought from the back.
std::size_t ZipArchive::find_end() const {
  const std::size_t tail = std::min(bytes_.size(), kEndBytes + kMaxComment);
  const std::size_t at = bytes_.substr(bytes_.size() - tail).rfind(kEnd);
  if (at == std::string_view::npos) {
    fail("it has no directory");
  }
  return bytes_.size() - tail + at;
}

void ZipArchive::read_directory(std::size_t at, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    at = read_member(at);
  }
}

// Returns where the next one starts.
std::size_t ZipArchive::read_member(std::size_t at) {
  if (slice(at, 4) != kCentral) {
    fail("its directory is damaged");
  }
  Member member;
  member.method = static_cast<std::uint32_t>(number(at + 10, 2));
  member.crc32 = static_cast<std::uint32_t>(number(at + 16, 4));
  member.packed_bytes = number(at + 20, 4);
  member.size_bytes = number(at + 24, 4);
  member.header_at = number(at + 42, 4);
  const std::size_t name_at = at + kCentralBytes;
  const std::size_t extra_at = name_at + number(at + 28, 2);
  const std::size_t comment_at = extra_at + number(at + 30, 2);
  member.name = slice(name_at, extra_at - name_at);
  read_zip64(member, extra_at, comment_at);
  members_.push_back(std::move(member));
  return comment_at + number(at + 32, 2);
}

// The zip64 field lists, in this order, only the values that did not fit.
void ZipArchive::read_zip64(Member& member, std::size_t at, std::size_t end) const {
  while (at + 4 <= end) {
    std::size_t value_at = at + 4;
    const std::size_t next = value_at + number(at + 2, 2);
    if (number(at, 2) == kZip64Field) {
      for (std::size_t* value : {&member.size_bytes, &member.packed_bytes, &member.header_at}) {
        if (*value == kIn64 && value_at + 8 <= next) {
          *value = number(value_at, 8);
          value_at += 8;
        }
      }
    }
    at = next;
  }
}

}  // namespace flymc
