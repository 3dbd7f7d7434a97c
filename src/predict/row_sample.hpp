// A random sample of rows: as they were read, before a formula makes columns of them, or after.
//
//   row n = 0, 1, ... of the file takes the place of one of the m rows kept, at random, with
//   probability m / (n + 1): every set of m rows is as likely as any other (Vitter's algorithm R).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "flymc/detail/data/table/row_counts.hpp"
#include "predict/new_data.hpp"

namespace flymc {

struct RowSample {
  TableRead raw;       // no response; weights and offset where there are any
  std::size_t of = 0;  // rows that it was taken from
};

// At most so many; 0: all. Reads to the end. THROWS Error as NewRows::next().
[[nodiscard]] RowSample sample_rows(NewRows& rows, std::size_t most, std::uint64_t seed);

// The same of rows as next() has them, responses and all; `kept`: those that count, by their
// number.
struct TableSample {
  Table rows;
  std::size_t of = 0;
};
using IsKept = std::function<bool(std::size_t row)>;
[[nodiscard]] TableSample sample_table(NewRows& rows, std::size_t most, std::uint64_t seed,
                                       const IsKept& kept);

// The numbers of the rows that either takes of so many.
[[nodiscard]] std::vector<std::size_t> sample_numbers(std::size_t rows, std::size_t most,
                                                      std::uint64_t seed);

// A random part of a sample is a sample.
void thin(RowSample& sample, std::size_t most, std::uint64_t seed);

}  // namespace flymc
