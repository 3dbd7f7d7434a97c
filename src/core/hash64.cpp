#include "core/hash64.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace flymc {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they lie");

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87ULL;
constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4FULL;
constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9ULL;
constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63ULL;
constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5ULL;

template <class Word>
std::uint64_t word_at(const char* at) noexcept {
  Word word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

std::uint64_t round(std::uint64_t lane, std::uint64_t word) noexcept {
  return std::rotl(lane + word * kPrime2, 31) * kPrime1;
}

// Four lanes side by side: one would wait for its own multiplications.
std::uint64_t stripes(const char*& at, const char* end) noexcept {
  constexpr std::size_t kStripe = 32;
  std::array<std::uint64_t, 4> lanes{kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
  for (; static_cast<std::size_t>(end - at) >= kStripe; at += kStripe) {
    lanes[0] = round(lanes[0], word_at<std::uint64_t>(at));
    lanes[1] = round(lanes[1], word_at<std::uint64_t>(at + 8));
    lanes[2] = round(lanes[2], word_at<std::uint64_t>(at + 16));
    lanes[3] = round(lanes[3], word_at<std::uint64_t>(at + 24));
  }
  std::uint64_t hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
                       std::rotl(lanes[3], 18);
  for (const std::uint64_t lane : lanes) {
    hash = (hash ^ round(0, lane)) * kPrime1 + kPrime4;
  }
  return hash;
}

std::uint64_t add_rest(std::uint64_t hash, const char* at, const char* end) noexcept {
  for (; end - at >= 8; at += 8) {
    hash = std::rotl(hash ^ round(0, word_at<std::uint64_t>(at)), 27) * kPrime1 + kPrime4;
  }
  if (end - at >= 4) {
    hash = std::rotl(hash ^ (word_at<std::uint32_t>(at) * kPrime1), 23) * kPrime2 + kPrime3;
    at += 4;
  }
  for (; at != end; ++at) {
    hash = std::rotl(hash ^ (word_at<std::uint8_t>(at) * kPrime5), 11) * kPrime1;
  }
  return hash;
}

}  // namespace

std::uint64_t hash64(std::string_view bytes) noexcept {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  std::uint64_t hash = bytes.size() >= 32 ? stripes(at, end) : kPrime5;
  hash = add_rest(hash + bytes.size(), at, end);
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

}  // namespace flymc
