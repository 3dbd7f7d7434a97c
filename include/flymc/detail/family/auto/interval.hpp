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
  if (!((lo <= hi) & (lo < kInfinity) & (hi > -kInfinity))) {
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
  if (!(std::abs(p) + std::abs(q) + std::abs(r) + std::abs(s) <
        std::numeric_limits<double>::infinity())) {
    return whole_line();
  }
  const double lo = std::min(std::min(p, q), std::min(r, s));
  const double hi = std::max(std::max(p, q), std::max(r, s));
  return {lo - kUlp * std::abs(lo), hi + kUlp * std::abs(hi)};
}
[[nodiscard]] inline Interval operator*(double a, Interval b) noexcept {
  const double p = a * b.lo;
  const double q = a * b.hi;
  return std::isnan(p + q) ? whole_line() : outward(std::min(p, q), std::max(p, q));
}

// first + sum_k factor_k term_k, moved outwards once. Each term is rounded, and the sums after it,
// so n of them are off by less than n units in the last place of the sum of their sizes, and what
// joins them by four more. That is no number where one of them is none.
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
  // Of a term that is at most `radius` from `middle`.
  void add(double factor, double middle, double radius) noexcept {
    const double share = std::abs(factor);
    middle_ += factor * middle;
    radius_ += share * radius;
    size_ += share * std::abs(middle);
    terms_ += 1.0;
  }
  [[nodiscard]] Interval total() const noexcept {
    const double size = size_ + radius_;
    const double room = radius_ + terms_ * kUlp * size;
    return size < std::numeric_limits<double>::infinity()
               ? Interval{lo_ + (middle_ - room), hi_ + (middle_ + room)}
               : whole_line();
  }

 private:
  double lo_, hi_, size_;
  double middle_ = 0.0, radius_ = 0.0;
  double terms_ = 4.0;
};

// Both hold, so they meet; where rounding hides that, the first alone.
[[nodiscard]] inline Interval intersection(Interval a, Interval b) noexcept {
  const Interval both{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  return both.lo <= both.hi ? both : a;
}

// x^n for n >= 1; an even power of what contains 0 starts there.
[[nodiscard]] inline Interval power(Interval x, int n) noexcept {
  double from = x.lo;
  double to = x.hi;
  if (n % 2 == 0) {
    from = std::max(0.0, std::max(x.lo, -x.hi));
    to = x.magnitude();
  }
  double lo = from;
  double hi = to;
  for (int i = 1; i < n; ++i) {
    lo *= from;
    hi *= to;
  }
  return outward(lo, hi, n * kUlp);
}

}  // namespace flymc::smooth
