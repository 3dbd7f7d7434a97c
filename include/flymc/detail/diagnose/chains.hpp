// The draws of one quantity in several chains of equal length: what every diagnostic looks at.
#pragma once

#include <cstddef>
#include <span>

namespace flymc {

// A view; the values must outlive it. Chain k is values[k * length, (k + 1) * length).
// REQUIRES: count divides values.size(); no chains, no values.
class Chains {
 public:
  Chains(std::span<const double> values, std::size_t count) noexcept
      : values_(values), count_(count), length_(count == 0 ? 0 : values.size() / count) {}

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::size_t length() const noexcept { return length_; }
  [[nodiscard]] std::span<const double> values() const noexcept { return values_; }
  [[nodiscard]] std::span<const double> operator[](std::size_t chain) const noexcept {
    return values_.subspan(chain * length_, length_);
  }

 private:
  std::span<const double> values_;
  std::size_t count_;
  std::size_t length_;
};

}  // namespace flymc
