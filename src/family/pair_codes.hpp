// Two numbers of a row behind one: rows carry one number to a likelihood, and one that reads two
// (successes and trials) is given their code. Equal pairs have one code, so that rows are equal by
// their codes, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>

namespace flymc {

// Codes are given once and for all: 16 bytes a pair, and a place in a table to find it by.
class PairCodes {
 public:
  PairCodes();

  // Thread safe.
  [[nodiscard]] double code_of(double first, double second);

  // The two numbers. REQUIRES: a code of this, or 0. Needs no lock: pairs never move.
  [[nodiscard]] std::span<const double> at(double code) const noexcept {
    const Place place = place_of(static_cast<std::uint64_t>(code));
    return {blocks_[place.block].get() + 2 * place.offset, 2};
  }

 private:
  struct Hash {
    [[nodiscard]] std::size_t operator()(const std::pair<double, double>& pair) const noexcept {
      const std::hash<double> hash;
      return hash(pair.first) * 0x9E3779B97F4A7C15ULL + hash(pair.second);
    }
  };
  // Block b holds 2^(b + 10) pairs.
  struct Place {
    std::size_t block;
    std::size_t offset;
  };
  [[nodiscard]] static Place place_of(std::uint64_t number) noexcept;

  std::mutex mutex_;
  std::unordered_map<std::pair<double, double>, std::uint64_t, Hash> numbers_;
  std::array<std::unique_ptr<double[]>, 44> blocks_;
};

}  // namespace flymc
