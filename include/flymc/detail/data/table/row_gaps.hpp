// Which rows of the input a table does not have, so that its rows can be called by their numbers
// there.
#pragma once

#include <cstddef>
#include <vector>

namespace flymc {

// Rows that are left out one after another are one gap: never more gaps than rows that stay.
class RowGaps {
 public:
  // So many are left out after the first `before` rows of the table. REQUIRES: in order.
  void add(std::size_t before, std::size_t count = 1);
  // Those of rows that follow the first `before` of the table. REQUIRES: in order.
  void append(const RowGaps& next, std::size_t before);
  // Of the rows of the table only these (ascending) stay.
  void keep(const std::vector<std::size_t>& rows);

  // The number in the input of a row of the table; both count from 0. O(log gaps).
  [[nodiscard]] std::size_t number_of(std::size_t row) const noexcept;

  [[nodiscard]] bool operator==(const RowGaps&) const = default;

 private:
  struct Gap {
    std::size_t before = 0;    // rows of the table
    std::size_t left_out = 0;  // in all gaps up to this one

    [[nodiscard]] bool operator==(const Gap&) const = default;
  };
  std::vector<Gap> gaps_{};
};

}  // namespace flymc
