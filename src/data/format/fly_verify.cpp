// Every block of a .fly file against its hash, and every number of it finite.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "core/hash64.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "data/format/fly_format.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// Infinity and NaN have all bits of the exponent set: one more, and the sign bit is. Nothing but
// sums and ors, some numbers side by side, so that the check keeps up with memory.
template <class Bits>
bool all_finite(std::string_view bytes, Bits lowest_of_exponent) noexcept {
  constexpr std::size_t kLanes = 16;
  constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
  const std::span<const Bits> numbers(reinterpret_cast<const Bits*>(bytes.data()),
                                      bytes.size() / sizeof(Bits));
  std::array<Bits, kLanes> seen{};
  std::size_t i = 0;
  for (; i + kLanes <= numbers.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      seen[lane] |= (numbers[i + lane] & ~kSign) + lowest_of_exponent;
    }
  }
  for (; i < numbers.size(); ++i) {
    seen[0] |= (numbers[i] & ~kSign) + lowest_of_exponent;
  }
  return std::ranges::all_of(seen, [](Bits bits) { return (bits & kSign) == 0; });
}

// The part of a block that lies in a section.
std::string_view within(std::string_view file, std::size_t first, std::size_t last,
                        const FlySection& section) noexcept {
  const std::size_t begin = std::max<std::size_t>(first, section.offset);
  const std::size_t end = std::min<std::size_t>(last, section.offset + section.bytes);
  return begin < end ? file.substr(begin, end - begin) : std::string_view{};
}

bool block_is_finite(std::string_view file, const FlyHead& head, std::size_t first,
                     std::size_t last) noexcept {
  constexpr std::uint64_t kExponent64 = std::uint64_t{1} << 52;
  constexpr std::uint32_t kExponent32 = std::uint32_t{1} << 23;
  bool finite = true;
  for (const FlySection& part : head.parts) {
    finite = finite && all_finite(within(file, first, last, part), kExponent64);
  }
  const std::string_view x = within(file, first, last, head.x);
  return finite &&
         (head.number_bytes == 8 ? all_finite(x, kExponent64) : all_finite(x, kExponent32));
}

}  // namespace

void verify_fly(std::string_view file, const FlyHead& head, const std::string& path,
                unsigned threads, const Ranks& ranks) {
  const std::string_view hashes = file.substr(head.hashes.offset, head.hashes.bytes);
  if (hash64(hashes) != head.hashes_hash) {
    throw Error(ErrorKind::kData, escaped(path) +
                                      ": the table of checksums is damaged; copy or "
                                      "convert it again.");
  }
  const std::size_t blocks = hashes.size() / sizeof(std::uint64_t);
  const auto rank = static_cast<std::size_t>(ranks.rank());
  const auto size = static_cast<std::size_t>(ranks.size());
  const std::size_t begin = blocks * rank / size;
  parallel_for(blocks * (rank + 1) / size - begin, threads, [&](std::size_t i) {
    const std::size_t block = begin + i;
    const std::size_t first = kFlyHeadBytes + block * kFlyBlockBytes;
    const std::size_t last = std::min<std::size_t>(first + kFlyBlockBytes, head.hashes.offset);
    std::uint64_t expected = 0;
    std::memcpy(&expected, hashes.data() + block * sizeof expected, sizeof expected);
    if (hash64(file.substr(first, last - first)) != expected) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: bytes {} to {} are damaged (their checksum is wrong); copy or "
                              "convert it again.",
                              escaped(path), with_commas(first + 1), with_commas(last)));
    }
    if (!block_is_finite(file, head, first, last)) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: bytes {} to {} hold a number that is not finite; it was not "
                              "made by flymc convert.",
                              escaped(path), with_commas(first + 1), with_commas(last)));
    }
  });
}

}  // namespace flymc
