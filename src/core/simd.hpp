// A register of numbers, and numbers as registers: what compilers' vector types are called here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace flymc::simd {

// Bytes of a register, and how many of them an inner loop may hold at once for each of a few sums:
// x86-64 has sixteen, others twice as many.
#if defined(__AVX__)
constexpr std::size_t kBytes = 32;
constexpr std::size_t kMost = 2;
#elif defined(__x86_64__)
constexpr std::size_t kBytes = 16;
constexpr std::size_t kMost = 2;
#else
constexpr std::size_t kBytes = 16;
constexpr std::size_t kMost = 4;
#endif

// A register, and one where it lies among other numbers. By this type, not by memcpy: gcc would
// load the numbers of a copy one by one, which takes as long as multiplying them.
template <class Real>
struct Register;
template <>
struct Register<double> {
  using Lanes = double __attribute__((vector_size(kBytes)));
  using InMemory = double __attribute__((vector_size(kBytes), aligned(alignof(double)), may_alias));
};
template <>
struct Register<float> {
  using Lanes = float __attribute__((vector_size(kBytes)));
  using InMemory = float __attribute__((vector_size(kBytes), aligned(alignof(float)), may_alias));
};
using Bits = std::int64_t __attribute__((vector_size(kBytes)));

template <class Real>
using Lanes = typename Register<Real>::Lanes;
template <class Real>
constexpr std::size_t kLanes = kBytes / sizeof(Real);

template <class Real>
[[nodiscard]] inline Lanes<Real> load(const Real* from) noexcept {
  return *reinterpret_cast<const typename Register<Real>::InMemory*>(from);
}
template <class Real>
inline void store(const Lanes<Real>& lanes, Real* to) noexcept {
  *reinterpret_cast<typename Register<Real>::InMemory*>(to) = lanes;
}

}  // namespace flymc::simd
