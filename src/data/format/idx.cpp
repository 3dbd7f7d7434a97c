#include "data/format/idx.hpp"

#include <fmt/format.h>

#include <string_view>

#include "core/text.hpp"
#include "data/input/content.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::size_t kWordBytes = 4;
constexpr std::uint32_t kUnsignedByte = 8;  // IDX code of the type

[[noreturn]] void fail_idx(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::kData, escaped(path) + ": " + what);
}

std::uint32_t big_endian(std::string_view bytes, std::size_t word) {
  std::uint32_t value = 0;
  for (const char byte : bytes.substr(word * kWordBytes, kWordBytes)) {
    value = value << 8U | static_cast<std::uint8_t>(byte);
  }
  return value;
}

std::string shape_words(const std::vector<std::size_t>& shape) {
  std::string words;
  for (const std::size_t extent : shape) {
    words += (words.empty() ? "" : " x ") + with_commas(extent);
  }
  return words;
}

// Whether the product of the extents is exactly `size`, without computing a product that overflows.
bool has_size(const std::vector<std::size_t>& shape, std::size_t size) {
  std::size_t product = 1;
  for (const std::size_t extent : shape) {
    if (extent == 0 || product > size / extent) {
      return false;
    }
    product *= extent;
  }
  return product == size;
}

}  // namespace

IdxArray read_idx(const std::string& path, std::size_t dimensions) {
  const Content content(path);
  const std::string_view bytes = content.bytes();
  const std::size_t header_bytes = kWordBytes * (1 + dimensions);
  if (bytes.size() < header_bytes) {
    fail_idx(path, fmt::format("cut short: {} bytes; the header of an IDX file alone has {}.",
                               bytes.size(), header_bytes));
  }
  const std::uint32_t expected = kUnsignedByte << 8U | static_cast<std::uint32_t>(dimensions);
  if (const std::uint32_t magic = big_endian(bytes, 0); magic != expected) {
    fail_idx(path, fmt::format("magic number {}; expected {} (IDX, unsigned bytes, {}).", magic,
                               expected, counted(dimensions, "dimension")));
  }
  IdxArray array;
  for (std::size_t i = 1; i <= dimensions; ++i) {
    array.shape.push_back(big_endian(bytes, i));
  }
  const std::string_view items = bytes.substr(header_bytes);
  if (!has_size(array.shape, items.size())) {
    fail_idx(path, fmt::format("{} after the header; expected {}.", counted(items.size(), "byte"),
                               shape_words(array.shape)));
  }
  array.bytes.assign(items.begin(), items.end());
  return array;
}

}  // namespace flymc
