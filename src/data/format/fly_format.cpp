#include "data/format/fly_format.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "core/hash64.hpp"
#include "core/message.hpp"
#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");
static_assert(sizeof(FlyHead) == 72 + 7 * sizeof(FlySection) + 8, "no padding");
static_assert(sizeof(FlyHead) <= kFlyHeadBytes);

constexpr std::uint64_t kAlignment = 64;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kMost = std::uint64_t{1} << 62;  // sums of two still fit

[[noreturn]] void fail(const std::string& path, const Message& what) {
  throw Error(ErrorKind::kData, escaped(path) + ": " + what);
}

[[noreturn]] void fail_damaged(const std::string& path, const char* what) {
  fail(path, fmt::format("{} is damaged; copy or convert it again.", what));
}

// a * b, or more than anything may be.
std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) || result > kMost ? kMost : result;
}

std::uint64_t aligned(std::uint64_t offset, std::uint64_t to) noexcept {
  return (offset + to - 1) / to * to;
}

// Puts a section behind `end`; false where it does not fit.
bool place(FlySection& section, std::uint64_t alignment, std::uint64_t& end) noexcept {
  section.offset = aligned(end, alignment);
  if (section.bytes >= kMost || section.offset >= kMost) {
    return false;
  }
  end = section.offset + section.bytes;
  return end < kMost;
}

bool same(const FlySection& a, const FlySection& b) noexcept {
  return a.offset == b.offset && a.bytes == b.bytes;
}

// The sizes are those that the counts ask for, and every section is where lay_out() puts it.
bool is_sound(const FlyHead& head) noexcept {
  if (head.rows == 0 || (head.number_bytes != 8 && head.number_bytes != 4) ||
      (head.columns == 0 && head.parts[kFlyResponse].bytes == 0)) {
    return false;
  }
  for (const FlySection& part : head.parts) {
    if (part.bytes != 0 && part.bytes != product(head.rows, 8)) {
      return false;
    }
  }
  FlyHead expected = head;
  if (!lay_out(expected)) {
    return false;
  }
  bool sound = same(expected.names, head.names) && same(expected.x, head.x) &&
               same(expected.hashes, head.hashes) && expected.file_bytes == head.file_bytes;
  for (std::size_t part = 0; part < kFlyParts; ++part) {
    sound = sound && same(expected.parts[part], head.parts[part]);
  }
  return sound;
}

// Reads lengths and texts one after another; stops where the section ends.
class NameReader {
 public:
  explicit NameReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool read(std::string& name) {
    std::uint32_t length = 0;
    if (rest_.size() < sizeof length) {
      return false;
    }
    std::memcpy(&length, rest_.data(), sizeof length);
    rest_.remove_prefix(sizeof length);
    if (rest_.size() < length) {
      return false;
    }
    name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return true;
  }

  [[nodiscard]] bool read(std::vector<std::string>& names, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!read(names.emplace_back())) {
        return false;
      }
    }
    return true;
  }

 private:
  std::string_view rest_;
};

}  // namespace

bool is_fly(std::string_view bytes) noexcept { return bytes.starts_with(kFlyMagic); }

bool lay_out(FlyHead& head) noexcept {
  std::uint64_t end = kFlyHeadBytes;
  bool fits = place(head.names, kAlignment, end);
  for (FlySection& part : head.parts) {
    fits = fits && place(part, kAlignment, end);
  }
  head.x.bytes = product(product(head.rows, head.columns), head.number_bytes);
  fits = fits && place(head.x, kPage, end);
  if (!fits) {
    return false;
  }
  const std::uint64_t covered = aligned(end, kAlignment) - kFlyHeadBytes;
  head.hashes.bytes = (covered + kFlyBlockBytes - 1) / kFlyBlockBytes * sizeof(std::uint64_t);
  fits = place(head.hashes, kAlignment, end);
  head.file_bytes = end;
  return fits;
}

std::string to_bytes(FlyHead head) {
  std::memcpy(head.magic.data(), kFlyMagic.data(), kFlyMagic.size());
  std::string bytes(kFlyHeadBytes, '\0');
  head.head_hash = 0;
  std::memcpy(bytes.data(), &head, sizeof head);
  head.head_hash = hash64(bytes);
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

FlyHead read_fly_head(std::string_view file, const std::string& path) {
  if (!is_fly(file)) {
    fail(path, message("not a .fly file; name its {}, or make one with {}.", Setting{"format"},
                       Command{"convert"}));
  }
  if (file.size() < kFlyHeadBytes) {
    fail(path, "the file is cut short; copy or convert it again.");
  }
  FlyHead head;
  std::memcpy(&head, file.data(), sizeof head);
  if (head.byte_order != FlyHead{}.byte_order) {
    fail_damaged(path, "the head of the file");
  }
  if (head.version != kFlyVersion) {
    fail(path, fmt::format("version {} of the format, this flymc reads version {}; convert the "
                           "data again.",
                           head.version, kFlyVersion));
  }
  if (to_bytes(head) != file.substr(0, kFlyHeadBytes)) {
    fail_damaged(path, "the head of the file");
  }
  if (head.file_bytes != file.size()) {
    fail(path, fmt::format("the file has {} bytes and should have {}: it is cut short or still "
                           "being copied.",
                           with_commas(file.size()), with_commas(head.file_bytes)));
  }
  if (!is_sound(head)) {
    fail_damaged(path, "the head of the file");
  }
  return head;
}

std::string to_bytes(const FlyNames& names) {
  std::string bytes;
  const auto add = [&](const std::string& name) {
    const auto length = static_cast<std::uint32_t>(name.size());
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
    bytes += name;
  };
  for (const auto& name : names.parts) {
    add(name);
  }
  for (const auto& name : names.columns) {
    add(name);
  }
  for (const auto& name : names.labels) {
    add(name);
  }
  return bytes;
}

FlyNames read_fly_names(std::string_view file, const FlyHead& head, const std::string& path) {
  NameReader reader(file.substr(head.names.offset, head.names.bytes));
  FlyNames names;
  bool whole = true;
  for (auto& name : names.parts) {
    whole = whole && reader.read(name);
  }
  if (!whole || !reader.read(names.columns, head.columns) ||
      !reader.read(names.labels, head.labels)) {
    fail_damaged(path, "the list of names");
  }
  return names;
}

}  // namespace flymc
