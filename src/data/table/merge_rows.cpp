#include "data/table/merge_rows.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/parallel.hpp"
#include "flymc/dataset.hpp"

namespace flymc {
namespace {

// Positions in a block fit 16 bits; a block is a section, whole at one rank.
constexpr std::size_t kBlockRows = 65'536;
static_assert(kBlockRows == Shard::kSectionRows);

// Of all sections, whoever holds them: those that are looked at first.
constexpr std::size_t kProbeStride = 16;

std::uint64_t mixed(std::uint64_t hash, double value) noexcept {
  // Adding +0 turns -0 into +0 and changes nothing else.
  hash = (hash ^ std::bit_cast<std::uint64_t>(value + 0.0)) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 32);
}

// Each thread has one: it owns room for two rows that may have to be put together.
class Rows {
 public:
  explicit Rows(const Table& table)
      : table_(table), width_(table.columns.size()), scratch_(2 * width_) {}

  // Four chains of multiplications side by side: one would wait for itself, not for memory.
  [[nodiscard]] std::uint32_t hash(std::size_t n) noexcept {
    const double* x = table_.row(n, scratch_.data());
    std::uint64_t a = mixed(1, table_.response.values[n]);
    std::uint64_t b = mixed(2, offset(n));
    std::uint64_t c = 3;
    std::uint64_t d = 4;
    std::size_t j = 0;
    for (; j + 4 <= width_; j += 4) {
      a = mixed(a, x[j]);
      b = mixed(b, x[j + 1]);
      c = mixed(c, x[j + 2]);
      d = mixed(d, x[j + 3]);
    }
    for (; j < width_; ++j) {
      a = mixed(a, x[j]);
    }
    const auto all = std::rotl(a, 1) ^ std::rotl(b, 17) ^ std::rotl(c, 33) ^ std::rotl(d, 49);
    return static_cast<std::uint32_t>((all * 0xD6E8FEB86659FD93ULL) >> 32);
  }

  [[nodiscard]] bool equal(std::size_t m, std::size_t n) noexcept {
    if (table_.response.values[m] != table_.response.values[n] || offset(m) != offset(n)) {
      return false;
    }
    const double* const x = table_.row(m, scratch_.data());
    return std::equal(x, x + width_, table_.row(n, scratch_.data() + width_));
  }

 private:
  [[nodiscard]] double offset(std::size_t n) const noexcept {
    return table_.offset.empty() ? 0.0 : table_.offset[n];
  }

  const Table& table_;
  std::size_t width_;
  Buffer<double> scratch_;
};

// Open addressing from a 32-bit hash to the first row that has it: at most half of the slots fill.
class FirstRows {
 public:
  explicit FirstRows(std::size_t rows) : slots_(2 * std::bit_ceil(rows)) {}

  // The first row equal to row `base + i`; i itself where there is none, which then is remembered.
  std::size_t find_or_add(Rows& rows, std::size_t base, std::size_t i) {
    const std::uint32_t hash = rows.hash(base + i);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      Slot& slot = slots_[at];
      if (slot.row_plus_one == 0) {
        slot = {.hash = hash, .row_plus_one = static_cast<std::uint32_t>(i + 1)};
        return i;
      }
      if (slot.hash == hash && rows.equal(base + slot.row_plus_one - 1, base + i)) {
        return slot.row_plus_one - 1;
      }
    }
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t row_plus_one = 0;  // 0: empty
  };
  std::vector<Slot> slots_;
};

// Row i of a block equals its row firsts[i] <= i. Empty: all rows are distinct.
using Firsts = std::vector<std::uint16_t>;

Firsts first_rows(const Table& table, std::size_t base, std::size_t count) {
  Rows rows(table);
  FirstRows seen(count);
  Firsts firsts(count);
  bool distinct = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = seen.find_or_add(rows, base, i);
    firsts[i] = static_cast<std::uint16_t>(first);
    distinct = distinct && first == i;
  }
  return distinct ? Firsts{} : firsts;
}

void move_row(Table& table, std::size_t from, std::size_t to) {
  if (from == to) {
    return;
  }
  if (table.source.empty()) {
    const std::size_t width = table.columns.size();
    std::copy_n(table.x.data() + from * width, width, table.x.data() + to * width);
  }
  table.response.values[to] = table.response.values[from];
  table.weights[to] = table.weights[from];
  if (!table.offset.empty()) {
    table.offset[to] = table.offset[from];
  }
}

// Moves the rows of one block that stay to the end of those that have, adds up weights. Rows move
// towards the front only, so a row is read before anything is written over it. `kept` is what they
// were.
void compact(Table& table, const Firsts& firsts, RowRange block, std::vector<MergedRow>& kept) {
  std::vector<std::size_t> places(firsts.size());
  for (std::size_t n = block.first; n < block.last; ++n) {
    const std::size_t i = n - block.first;
    if (firsts.empty() || firsts[i] == i) {
      move_row(table, n, kept.size());
      if (!firsts.empty()) {
        places[i] = kept.size();
      }
      kept.push_back({.first = static_cast<std::uint32_t>(n)});
    } else {
      table.weights[places[firsts[i]]] += table.weights[n];
      ++kept[places[firsts[i]]].count;
    }
  }
}

void shorten(Table& table, const std::vector<MergedRow>& kept) {
  const std::size_t rows = kept.size();
  table.rows = rows;
  if (table.source.empty()) {
    table.x.resize(rows * table.columns.size());
  } else {
    std::vector<std::uint32_t> chosen(rows);
    std::ranges::transform(kept, chosen.begin(), &MergedRow::first);
    table.source.keep_rows(chosen);
  }
  table.response.values.resize(rows);
  table.weights.resize(rows);
  if (!table.offset.empty()) {
    table.offset.resize(rows);
  }
}

}  // namespace

std::vector<MergedRow> merge_equal_rows(Table& table, unsigned threads) {
  const std::size_t before = table.rows;
  const std::size_t blocks = (before + kBlockRows - 1) / kBlockRows;
  const auto block = [&](std::size_t i) {
    return RowRange{i * kBlockRows, std::min(before, (i + 1) * kBlockRows)};
  };
  std::vector<Firsts> firsts(blocks);
  const SequentialRead in_order(table.source);
  const auto look_at = [&](const std::vector<std::size_t>& some) {
    parallel_for(some.size(), threads, [&](std::size_t k) {
      const RowRange rows = block(some[k]);
      firsts[some[k]] = first_rows(table, rows.first, rows.size());
    });
  };
  const Shard old = table.sharding();
  const std::size_t first_section = blocks > 0 ? old.section_of(old.mine().first) : 0;
  std::vector<std::size_t> probes;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < blocks; ++i) {
    ((first_section + i) % kProbeStride == 0 ? probes : others).push_back(i);
  }
  look_at(probes);
  const bool distinct = std::ranges::all_of(firsts, &Firsts::empty);
  if (holds_everywhere(old.ranks(), distinct)) {
    return {};
  }
  look_at(others);
  if (table.weights.empty()) {
    table.weights.assign(before, 1.0);
  }
  std::vector<MergedRow> kept;
  std::vector<std::size_t> sections;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t first = kept.size();
    compact(table, firsts[i], block(i), kept);
    sections.push_back(kept.size() - first);
  }
  shorten(table, kept);
  table.shard = Shard(old.ranks(), sections);
  return kept;
}

}  // namespace flymc
