// The one door to likelihoods. A query is one (datum, theta) pair whose likelihood is evaluated;
// value and gradient together are one. Every step of a chain and every likelihood pass goes through
// here; what set-up asks of a model besides (curvatures, choice of beacons) is no query.
// See docs/method/paper.md, Queries, and a picture.
#pragma once

#include <cstddef>
#include <cstdint>

namespace flymc {

class QueryCounter {
 public:
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

  // Evaluates the likelihood of `count` data, one call each, and counts them: the only place.
  template <class Evaluate>
  void query(std::size_t count, Evaluate&& evaluate) noexcept {
    total_ += count;
    for (std::size_t i = 0; i < count; ++i) {
      evaluate(i);
    }
  }

  // The same in one call for all of them.
  template <class Evaluate>
  void query_block(std::size_t count, Evaluate&& evaluate) noexcept {
    total_ += count;
    evaluate();
  }

  // Queries of the same evaluation that other ranks make.
  void count_elsewhere(std::size_t count) noexcept { total_ += count; }

 private:
  std::uint64_t total_ = 0;
};

}  // namespace flymc
