// How often each datum was bright at a kept draw. Data that are bright often are those the model
// explains worst: outliers, or labels that are wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "flymc/posterior/density.hpp"

namespace flymc {

class BrightTally {
 public:
  // With more bright data than this a draw is not counted: where thousands are bright, that a datum
  // is says nothing of it, and counting would cost as much as the update itself.
  static constexpr std::size_t kMostBright = 1000;

  using Counts = std::unordered_map<Datum, std::uint64_t>;

  // REQUIRES: called once a kept draw.
  void add(const Brightable& coins);
  void add(const BrightTally& other);
  void restore(Counts counts, std::uint64_t draws);

  [[nodiscard]] const Counts& counts() const noexcept { return counts_; }
  [[nodiscard]] std::uint64_t draws() const noexcept { return draws_; }  // that were counted

  struct Entry {
    Datum datum = 0;
    double share = 0.0;  // of the draws counted
  };
  // The data most often bright; ties by number.
  [[nodiscard]] std::vector<Entry> brightest(std::size_t most) const;

 private:
  Counts counts_;
  std::uint64_t draws_ = 0;
};

}  // namespace flymc
