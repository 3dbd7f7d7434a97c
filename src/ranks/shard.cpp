#include "flymc/detail/ranks/shard.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/parallel.hpp"
#include "ranks/gather_values.hpp"

namespace flymc {
namespace {

std::vector<std::size_t> full_sections(std::size_t rows) {
  std::vector<std::size_t> sizes;
  for (std::size_t first = 0; first < rows; first += Shard::kSectionRows) {
    sizes.push_back(std::min(Shard::kSectionRows, rows - first));
  }
  return sizes;
}

}  // namespace

Shard::Shard(std::size_t rows) : Shard(single_process(), full_sections(rows)) {}

Shard::Shard(Ranks& ranks, const std::vector<std::size_t>& mine) : ranks_(&ranks) {
  first_rows_.clear();
  for (const std::vector<std::size_t>& sizes : gather_values(ranks, mine)) {
    first_rows_.push_back(rows_);
    for (const std::size_t size : sizes) {
      sections_.push_back(rows_);
      rows_ += size;
    }
  }
  mine_ = of(ranks.rank());
  cut();
}

RowRange Shard::of(int rank) const noexcept {
  const auto r = static_cast<std::size_t>(rank);
  return {first_rows_[r], r + 1 < first_rows_.size() ? first_rows_[r + 1] : rows_};
}

Shard Shard::spread(Ranks& ranks, std::size_t rows) {
  const std::vector<std::size_t> all = full_sections(rows);
  const auto rank = static_cast<std::size_t>(ranks.rank());
  const auto size = static_cast<std::size_t>(ranks.size());
  const auto at = [&](std::size_t r) {
    return all.begin() + static_cast<std::ptrdiff_t>(all.size() * r / size);
  };
  return {ranks, {at(rank), at(rank + 1)}};
}

int Shard::owner(std::size_t n) const noexcept {
  const auto after = std::upper_bound(first_rows_.begin(), first_rows_.end(), n);
  return static_cast<int>(after - first_rows_.begin()) - 1;
}

std::size_t Shard::section_of(std::size_t n) const noexcept {
  const auto after = std::upper_bound(sections_.begin(), sections_.end(), n);
  return static_cast<std::size_t>(after - sections_.begin()) - 1;
}

void Shard::cut() {
  constexpr std::size_t kFewestRows = 512;
  constexpr std::size_t kPieces = 64;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    longest = std::max(longest, section(i).size());
  }
  const std::size_t each =
      std::max<std::size_t>(1, std::min(kPieces / std::max<std::size_t>(1, sections_.size()),
                                        (longest + kFewestRows - 1) / kFewestRows));
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const RowRange all = section(i);
    if (!holds(all.first)) {
      continue;
    }
    for (std::size_t j = 0; j < each; ++j) {
      const auto cut_at = [&](std::size_t k) {
        return all.first + all.size() / each * k + std::min(k, all.size() % each);
      };
      pieces_.push_back({i * each + j, {cut_at(j), cut_at(j + 1)}});
    }
  }
}

Buffer<double> collect_records(const Shard& shard, std::span<const std::size_t> rows,
                               std::size_t width, const WriteRecord& write, unsigned threads) {
  Buffer<double> records(rows.size() * width);
  constexpr std::size_t kAtOnce = 512;
  parallel_for((rows.size() + kAtOnce - 1) / kAtOnce, threads, [&](std::size_t piece) {
    const std::size_t last = std::min(rows.size(), (piece + 1) * kAtOnce);
    for (std::size_t i = piece * kAtOnce; i < last; ++i) {
      if (shard.holds(rows[i])) {
        write(rows[i], records.data() + i * width);
      }
    }
  });
  if (!shard.is_split() || rows.empty()) {
    return records;
  }
  std::string mine;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (shard.holds(rows[i])) {
      mine.append(reinterpret_cast<const char*>(records.data() + i * width),
                  width * sizeof(double));
    }
  }
  const std::vector<std::string> all = shard.ranks().gather(mine);
  std::vector<std::size_t> taken(all.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto owner = static_cast<std::size_t>(shard.owner(rows[i]));
    std::memcpy(records.data() + i * width, all[owner].data() + taken[owner],
                width * sizeof(double));
    taken[owner] += width * sizeof(double);
  }
  return records;
}

}  // namespace flymc
