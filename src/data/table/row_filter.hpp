// The rows of arrays that can be used: no number that is missing or infinite, no weight of 0.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "flymc/detail/core/buffer.hpp"
#include "flymc/detail/data/table/row_counts.hpp"
#include "flymc/load_spec.hpp"
#include "flymc/ranks.hpp"

namespace flymc {

class RowFilter {
 public:
  // Of the arrays, for messages: "X.npy", and those of response, weights, offset and trials.
  struct Names {
    std::string x;
    std::array<std::string, 4> parts;
  };

  // Looks through the rows. `first`: the number of the first among those of the arrays. REQUIRES:
  // the table outlives the filter.
  RowFilter(const Table& table, Names names, std::size_t first, const LoadSpec& spec);

  // Collective: what is said of the rows of all ranks. THROWS Error kData for the first number that
  // cannot be used, and where no row is left.
  [[nodiscard]] RowCounts settle(Ranks& ranks) const;

  [[nodiscard]] bool keeps_all() const noexcept { return !left_out_; }
  // REQUIRES: not all are kept.
  [[nodiscard]] const std::vector<std::size_t>& kept() const noexcept { return kept_; }

 private:
  struct Problem {
    std::string text;
    bool missing = false;
  };

  [[nodiscard]] bool is_ordinary(RowRange rows) const;
  void inspect(std::size_t row);
  [[nodiscard]] bool is_missing(double value, std::size_t row, std::size_t column);
  void keep(std::size_t row, bool kept);
  void note(Problem problem);

  const Table& table_;
  Names names_;
  std::size_t first_;
  Missing missing_;
  bool leaves_out_;
  std::vector<bool> filled_;  // of features: a missing value is filled in later
  RowCounts counts_;          // features, then parts, in missing_in
  Buffer<double> scratch_;
  bool left_out_ = false;
  std::vector<std::size_t> kept_{};
  std::optional<Problem> first_problem_{};
};

}  // namespace flymc
