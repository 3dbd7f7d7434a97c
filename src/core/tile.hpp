// The inner loop of small matrix products: a tile of c = sum_k a_k b_k' that stays in registers
// from the first k to the last.
//
// Panels are contiguous: the kTileRows numbers of a_k lie before those of a_(k+1), and so do the
// kTileColumns of b_k. A tile of 8 x 4 doubles, or 16 x 4 floats, takes 16 registers of 16 bytes or
// 8 of 32, which hides the latency of a multiply-add, and loads 12 doubles for 32 of these.
// Products of rows with 10 to 500 columns, which is what set-up is made of, take 0.5 to 0.8 of the
// time of Eigen's, whose panels are made for larger ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "core/simd.hpp"
#include "flymc/detail/core/linalg.hpp"

namespace flymc {

template <class Real>
constexpr Index kTileRows = 64 / sizeof(Real);
constexpr Index kTileColumns = 4;

// sum_k a_k b_k' over `depth` steps: the first kRows of each a_k, all of each b_k. Both panels
// begin at their first step.
template <class Real, Index kRows = kTileRows<Real>>
class Tile {
 public:
  Tile(const Real* a, const Real* b, Index depth) noexcept {
#pragma GCC unroll 16
    for (std::size_t first = 0; first < kParts; first += kHeld) {
      sum_up(a + first * kLanes, b, depth, first);
    }
  }

  // c(i, j) += , column by column, `stride` apart; of edges the first `rows` and `columns` alone.
  void add_to(Real* c, Index stride, Index rows, Index columns) const noexcept {
    if (rows >= kRows && columns >= kTileColumns) {
#pragma GCC unroll 16
      for (std::size_t j = 0; j < kColumns; ++j, c += stride) {
#pragma GCC unroll 16
        for (std::size_t i = 0; i < kParts; ++i) {
          Real* const to = c + i * kLanes;
          simd::store(simd::load(to) + sums_[j][i], to);
        }
      }
      return;
    }
    Real sums[kColumns][kRows];
    std::memcpy(sums, sums_, sizeof sums);
    for (Index j = 0; j < columns && j < kTileColumns; ++j, c += stride) {
      for (Index i = 0; i < rows && i < kRows; ++i) {
        c[i] += sums[j][i];
      }
    }
  }

  // norms_i += sum_j c(i, j)^2.
  void add_squares(Real* norms) const noexcept {
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kParts; ++i) {
      Lanes sum = simd::load(norms + i * kLanes);
#pragma GCC unroll 16
      for (std::size_t j = 0; j < kColumns; ++j) {
        sum += sums_[j][i] * sums_[j][i];
      }
      simd::store(sum, norms + i * kLanes);
    }
  }

 private:
  using Lanes = simd::Lanes<Real>;
  static constexpr std::size_t kLanes = simd::kLanes<Real>;
  static constexpr auto kColumns = static_cast<std::size_t>(kTileColumns);
  static constexpr std::size_t kParts = static_cast<std::size_t>(kRows) / kLanes;
  static constexpr std::size_t kHeld = std::min(kParts, simd::kMost);
  static constexpr std::size_t kLoads = kColumns / kLanes;  // of b_k; 0: it is less than a register
  static_assert(kParts * kLanes == kRows && kParts % kHeld == 0);

  void sum_up(const Real* a, const Real* b, Index depth, std::size_t first) noexcept {
    Lanes sums[kColumns][kHeld];  // registers: every index below is a constant
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kColumns; ++j) {
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kHeld; ++i) {
        sums[j][i] = Lanes{};
      }
    }
    for (Index k = 0; k < depth; ++k, a += kTileRows<Real>, b += kTileColumns) {
      Lanes left[kHeld];
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kHeld; ++i) {
        left[i] = simd::load(a + i * kLanes);
      }
      Lanes right[std::max<std::size_t>(kLoads, 1)];
#pragma GCC unroll 16
      for (std::size_t j = 0; j < kLoads; ++j) {
        right[j] = simd::load(b + j * kLanes);
      }
#pragma GCC unroll 16
      for (std::size_t j = 0; j < kColumns; ++j) {
        const Real factor = kLoads > 0 ? right[j / kLanes][j % kLanes] : b[j];
#pragma GCC unroll 16
        for (std::size_t i = 0; i < kHeld; ++i) {
          sums[j][i] += left[i] * factor;
        }
      }
    }
#pragma GCC unroll 16
    for (std::size_t j = 0; j < kColumns; ++j) {
#pragma GCC unroll 16
      for (std::size_t i = 0; i < kHeld; ++i) {
        sums_[j][first + i] = sums[j][i];
      }
    }
  }

  Lanes sums_[kColumns][kParts];
};

}  // namespace flymc
