#include "data/format/zip_writer.hpp"

#include <zlib.h>

#include <algorithm>

namespace flymc {
namespace {

constexpr std::uint64_t kSeeZip64 = 0xFFFFFFFF;  // "see the zip64 field"
constexpr std::size_t kCrcAt = 14;               // in a member's header
constexpr std::uint64_t kFirstDay = 0x00210000;  // 1980-01-01, 0:00

std::string number(std::uint64_t value, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) {
    bytes += static_cast<char>((value >> (8 * i)) & 0xFFU);
  }
  return bytes;
}

std::string in_32(std::uint64_t value) { return number(std::min(value, kSeeZip64), 4); }

// Version 4.5 (zip64), no flags, stored, a time.
std::string method() { return number(45, 2) + number(0, 2) + number(0, 2) + number(kFirstDay, 4); }

// The field with the numbers that did not fit.
std::string zip64_field(const std::vector<std::uint64_t>& values) {
  std::string field;
  for (const std::uint64_t value : values) {
    field += value >= kSeeZip64 ? number(value, 8) : "";
  }
  return field.empty() ? "" : number(1, 2) + number(field.size(), 2) + field;
}

}  // namespace

void ZipWriter::write(std::string_view bytes) {
  file_.append(bytes);
  at_ += bytes.size();
}

void ZipWriter::begin(const std::string& name, std::uint64_t size_bytes) {
  members_.push_back({.name = name, .size_bytes = size_bytes, .header_at = at_});
  const std::string extra = zip64_field({size_bytes, size_bytes});
  write("PK\x03\x04" + method() + number(0, 4) + in_32(size_bytes) + in_32(size_bytes) +
        number(name.size(), 2) + number(extra.size(), 2) + name + extra);
}

void ZipWriter::append(std::string_view bytes) {
  Member& member = members_.back();
  const auto* const data = reinterpret_cast<const Bytef*>(bytes.data());
  member.crc32 = static_cast<std::uint32_t>(::crc32_z(member.crc32, data, bytes.size()));
  write(bytes);
}

void ZipWriter::end() {
  const Member& member = members_.back();
  file_.write_at(member.header_at + kCrcAt, number(member.crc32, 4));
}

std::string ZipWriter::directory_entry(const Member& member) {
  const std::string extra = zip64_field({member.size_bytes, member.size_bytes, member.header_at});
  return "PK\x01\x02" + number(45, 2) + method() + number(member.crc32, 4) +
         in_32(member.size_bytes) + in_32(member.size_bytes) + number(member.name.size(), 2) +
         number(extra.size(), 2) + number(0, 10) + in_32(member.header_at) + member.name + extra;
}

void ZipWriter::finish() {
  const std::uint64_t directory_at = at_;
  for (const Member& member : members_) {
    write(directory_entry(member));
  }
  const std::uint64_t size = at_ - directory_at;
  if (directory_at >= kSeeZip64) {
    const std::uint64_t end64_at = at_;
    const std::uint64_t count = members_.size();
    write("PK\x06\x06" + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) +
          number(count, 8) + number(count, 8) + number(size, 8) + number(directory_at, 8));
    write("PK\x06\x07" + number(0, 4) + number(end64_at, 8) + number(1, 4));
  }
  const std::string count = number(members_.size(), 2);
  write("PK\x05\x06" + number(0, 4) + count + count + in_32(size) + in_32(directory_at) +
        number(0, 2));
}

}  // namespace flymc
