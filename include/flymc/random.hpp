// Randomness as a pure function of an address: Philox4x32-10 (Salmon et al. 2011).
//
// A stream is named by (seed, chain, purpose, iteration); it is a value, never shared, so draws do
// not depend on threads, and a checkpoint needs no generator state, only an iteration number.
// Distributions are ours: the standard library's differ between platforms.
#pragma once

#include <array>
#include <cstdint>

namespace flymc {

// What a stream is used for: part of its address, so two uses never share numbers.
enum class Purpose : std::uint16_t {
  kInit = 1,
  kThetaUpdate = 2,
  kZUpdate = 3,
  kSimulate = 4,
  kAnchor = 5,
  kTest = 6,
};

using PhiloxBlock = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

// The bare bijection, pinned by the known-answer vectors of Random123.
[[nodiscard]] PhiloxBlock philox4x32(PhiloxBlock counter, PhiloxKey key) noexcept;

// 64 random bits as a number in (0, 1), ends excluded. 52 bits, as 53 and a half would round to 1.
[[nodiscard]] constexpr double open_unit(std::uint64_t bits) noexcept {
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1.0p-52;
}

// Numbers of one address, in order. Cheap to make; copyable; not thread safe by itself.
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint32_t chain, Purpose purpose,
         std::uint64_t iteration) noexcept;

  [[nodiscard]] std::uint64_t bits() noexcept;
  [[nodiscard]] double uniform() noexcept;                      // in (0, 1), never 0 or 1
  [[nodiscard]] double normal() noexcept;                       // N(0, 1), polar method
  [[nodiscard]] double exponential() noexcept;                  // mean 1
  [[nodiscard]] double gamma(double shape) noexcept;            // Marsaglia-Tsang, shape > 0
  [[nodiscard]] std::uint64_t below(std::uint64_t n) noexcept;  // unbiased in 0 .. n-1, n > 0
  // Failures before the first success of probability p in (0, 1]; at most `limit`.
  [[nodiscard]] std::uint64_t geometric(double p, std::uint64_t limit) noexcept;
  // Inversion below a mean of 10, else PTRS (Hoermann 1993). REQUIRES: 0 <= mean <= 1e15.
  [[nodiscard]] std::uint64_t poisson(double mean) noexcept;

 private:
  PhiloxKey key_;
  PhiloxBlock counter_;
  PhiloxBlock block_{};
  int used_ = 4;
  double spare_normal_ = 0.0;
  bool has_spare_ = false;
};

// All streams of one chain.
struct Streams {
  std::uint64_t seed = 1;
  std::uint32_t chain = 0;

  [[nodiscard]] Stream at(std::uint64_t iteration, Purpose purpose) const noexcept {
    return {seed, chain, purpose, iteration};
  }
};

// A random permutation of 0 .. n-1 that is never stored: a Feistel network (four rounds, eight for
// small n) on the next even power of two, walking the cycle until it falls below n (fewer than four
// steps on average).
class Permutation {
 public:
  Permutation(std::uint64_t n, Stream& stream) noexcept;
  [[nodiscard]] std::uint64_t operator()(std::uint64_t index) const noexcept;

 private:
  std::uint64_t n_;
  unsigned half_bits_;
  PhiloxKey key_;
};

}  // namespace flymc
