#include "predict/row_sample.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "data/table/table_rows.hpp"
#include "flymc/random.hpp"

namespace flymc {
namespace {

constexpr std::uint64_t kReservoir = 0xeffec7;
constexpr std::uint64_t kThinning = 0xeffec8;

// REQUIRES: both own their rows and have the same columns and parts.
void copy_row(const Table& from, std::size_t row, Table& to, std::size_t place) {
  const std::size_t width = from.columns.size();
  std::copy_n(from.x.data() + row * width, width, to.x.data() + place * width);
  if (!from.weights.empty()) {
    to.weights[place] = from.weights[row];
  }
  if (!from.response.values.empty()) {
    to.response.values[place] = from.response.values[row];
  }
  if (!from.offset.empty()) {
    to.offset[place] = from.offset[row];
  }
  for (std::size_t i = 0; i < from.factors.size(); ++i) {
    to.factors[i].codes[place] = from.factors[i].codes[row];
  }
}

class Reservoir {
 public:
  Reservoir(std::size_t most, std::uint64_t seed)
      : most_(most), stream_(seed, 0, Purpose::kSimulate, kReservoir) {}

  void add(const Table& block) {
    const std::size_t room =
        most_ == 0 ? block.rows : std::min(block.rows, most_ - sample_.rows.rows);
    if (sample_.of == 0) {
      sample_.rows = rows_of(block, {0, room});
    } else if (room > 0) {
      append_rows(sample_.rows, rows_of(block, {0, room}));
    }
    sample_.of += room;
    for (std::size_t n = room; n < block.rows; ++n) {
      if (const std::uint64_t place = stream_.below(++sample_.of); place < most_) {
        copy_row(block, n, sample_.rows, place);
      }
    }
  }
  [[nodiscard]] TableSample take() && { return std::move(sample_); }

 private:
  std::size_t most_;
  Stream stream_;
  TableSample sample_;
};

}  // namespace

RowSample sample_rows(NewRows& rows, std::size_t most, std::uint64_t seed) {
  Reservoir reservoir(most, seed);
  RowSample sample;
  while (const std::optional<TableRead> block = rows.next_raw()) {
    sample.raw.features = block->features;
    reservoir.add(block->table);
  }
  TableSample taken = std::move(reservoir).take();
  sample.raw.table = std::move(taken.rows);
  sample.of = taken.of;
  return sample;
}

TableSample sample_table(NewRows& rows, std::size_t most, std::uint64_t seed, const IsKept& kept) {
  Reservoir reservoir(most, seed);
  while (std::optional<Table> block = rows.next()) {
    std::vector<std::size_t> numbers;
    for (std::size_t n = 0; n < block->rows; ++n) {
      if (kept(block->first_row + n)) {
        numbers.push_back(n);
      }
    }
    if (numbers.size() < block->rows) {
      keep_rows(*block, numbers);
    }
    reservoir.add(*block);
  }
  return std::move(reservoir).take();
}

std::vector<std::size_t> sample_numbers(std::size_t rows, std::size_t most, std::uint64_t seed) {
  Table numbers;
  numbers.rows = rows;
  numbers.columns = {"row"};
  numbers.x = Buffer<double>(rows);
  std::iota(numbers.x.data(), numbers.x.data() + rows, 0.0);
  Reservoir reservoir(most, seed);
  reservoir.add(numbers);
  const Table taken = std::move(reservoir).take().rows;
  return {taken.x.data(), taken.x.data() + taken.rows};
}

void thin(RowSample& sample, std::size_t most, std::uint64_t seed) {
  Table& all = sample.raw.table;
  if (most >= all.rows) {
    return;
  }
  Stream stream(seed, 0, Purpose::kSimulate, kThinning);
  const Permutation shuffled(all.rows, stream);
  Table kept = rows_of(all, {0, most});
  for (std::size_t i = 0; i < most; ++i) {
    copy_row(all, shuffled(i), kept, i);
  }
  all = std::move(kept);
}

}  // namespace flymc
