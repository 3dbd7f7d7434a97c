// Intervals that enclose what exact arithmetic on their members gives.
//
// Nothing is rounded in a direction: every end is moved outwards by more than the half unit in the
// last place that an operation may have lost, so that rows can share vector registers and compilers
// may not spoil it. Underflow apart: 1e-308 is nothing to a log likelihood.
// See docs/method/automatic.md, Intervals.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace flymc::smooth {

inline constexpr double kUlp = 2.3e-16;            // above 2^-52
inline constexpr double kLibraryShare = 8 * kUlp;  // what exp, log and a few products may be off by

// lo <= hi, neither of them NaN, lo < inf and hi > -inf.
struct Interval {
  double lo = 0.0;
  double hi = 0.0;

  [[nodiscard]] double magnitude() const noexcept { return std::max(std::abs(lo), std::abs(hi)); }
  [[nodiscard]] bool contains(double x) const noexcept { return lo <= x && x <= hi; }
};

[[nodiscard]] constexpr Interval whole_line() noexcept {
  return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
}

[[nodiscard]] constexpr Interval point(double x) noexcept { return {x, x}; }

[[nodiscard]] constexpr Interval around_zero(double radius) noexcept { return {-radius, radius}; }

// Moved outwards by this share of each end, and by `floor`. What is no interval of numbers (NaN, or
// all of it beyond the largest double) could be anything.
[[nodiscard]] inline Interval outward(double lo, double hi, double share = kUlp,
                                      double floor = 0.0) noexcept {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!(lo <= hi && lo < kInfinity && hi > -kInfinity)) {
    return whole_line();
  }
  return {lo - (share * std::abs(lo) + floor), hi + (share * std::abs(hi) + floor)};
}

[[nodiscard]] inline Interval operator+(Interval a, Interval b) noexcept {
  return outward(a.lo + b.lo, a.hi + b.hi);
}
[[nodiscard]] inline Interval operator+(Interval a, double b) noexcept {
  return outward(a.lo + b, a.hi + b);
}
[[nodiscard]] inline Interval operator-(Interval a) noexcept { return {-a.hi, -a.lo}; }

// 0 times infinity has no number, and a comparison would drop it: then nothing is known.
[[nodiscard]] inline Interval operator*(Interval a, Interval b) noexcept {
  const double p = a.lo * b.lo;
  const double q = a.lo * b.hi;
  const double r = a.hi * b.lo;
  const double s = a.hi * b.hi;
  if (!std::isfinite(p + q + r + s)) {
    return whole_line();
  }
  return outward(std::min(std::min(p, q), std::min(r, s)),
                 std::max(std::max(p, q), std::max(r, s)));
}
[[nodiscard]] inline Interval operator*(double a, Interval b) noexcept {
  return a < 0.0 ? outward(a * b.hi, a * b.lo) : outward(a * b.lo, a * b.hi);
}

// first + sum_k factor_k term_k, moved outwards once. Each term is rounded, and the sums after it,
// so n of them are off by less than n units in the last place of the sum of their sizes. That is no
// number where one of them is none.
class IntervalSum {
 public:
  explicit IntervalSum(Interval first) noexcept
      : lo_(first.lo), hi_(first.hi), size_(first.magnitude()) {}
  void add(double factor, Interval term) noexcept {
    const double p = factor * term.lo;
    const double q = factor * term.hi;
    lo_ += std::min(p, q);
    hi_ += std::max(p, q);
    size_ += std::abs(factor) * term.magnitude();
    terms_ += 1.0;
  }
  [[nodiscard]] Interval total() const noexcept {
    const double room = terms_ * kUlp * size_;
    return size_ < std::numeric_limits<double>::infinity() ? Interval{lo_ - room, hi_ + room}
                                                           : whole_line();
  }

 private:
  double lo_, hi_, size_;
  double terms_ = 2.0;
};

// Both hold, so they meet; where rounding hides that, the first alone.
[[nodiscard]] inline Interval intersection(Interval a, Interval b) noexcept {
  const Interval both{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  return both.lo <= both.hi ? both : a;
}

// x^n for n >= 1; an even power of what contains 0 starts there.
[[nodiscard]] inline Interval power(Interval x, int n) noexcept {
  if (n % 2 == 1) {
    return n == 1 ? x : x * power(x, n - 1);
  }
  const double most = x.magnitude();
  const double least = x.contains(0.0) ? 0.0 : std::min(std::abs(x.lo), std::abs(x.hi));
  const auto raised = [n](double base) {
    double product = base;
    for (int i = 1; i < n; ++i) {
      product *= base;
    }
    return product;
  };
  return outward(raised(least), raised(most), n * kUlp);
}

}  // namespace flymc::smooth
