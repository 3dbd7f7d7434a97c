// A row of a level as a chain needs it, wherever it lies: what its bound is, and its columns. Rows
// are known by their numbers (row_numbers.hpp). Among ranks all chains look at the same rows; those
// that turn bright, and the levels that are looked at whole, come from the rank that holds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "groups/group_bounds.hpp"

namespace flymc {

// Immutable, shared by all chains.
struct GroupSetting {
  const GroupProblem& problem;
  const GroupBounds& bounds;
};

struct GroupRow {
  std::uint32_t level = 0;
  RowBound kind = RowBound::kLocal;
  double touch = 0.0;
  double shift = 0.0;  // predictor at the anchor less where the tangent touches
  double response = 0.0;
  double weight = 1.0;
  double rate = 0.0;  // of a level that is looked at whole: not set
  const double* curvature = nullptr;
  std::span<const double> x{};
  std::span<const double> w{};

  [[nodiscard]] double predict(const double* beta, const double* u) const noexcept {
    return predict_row(x, w, beta, u);
  }
};

// A row as numbers, to be sent.
class GroupRecord {
 public:
  explicit GroupRecord(GroupSetting setting);

  [[nodiscard]] std::size_t width() const noexcept { return kFacts + curvatures_ + p_ + q_; }
  void append(const GroupRow& row, std::vector<double>& out) const;
  // Lives as long as the numbers do.
  [[nodiscard]] GroupRow row_of(const double* numbers) const noexcept;

 private:
  static constexpr std::size_t kFacts = 7;  // before its lists

  std::size_t curvatures_;
  std::size_t p_;
  std::size_t q_;
};

// Reads rows that lie here, one at a time.
class GroupRowReader {
 public:
  explicit GroupRowReader(GroupSetting setting)
      : setting_(setting), reader_(setting.problem.data, setting.problem.grouping) {}

  // Live until the next call; the second has its rate and shift.
  [[nodiscard]] GroupRow read(std::size_t n, std::size_t level);
  [[nodiscard]] GroupRow read_with_coin(std::size_t n);

 private:
  GroupSetting setting_;
  GroupReader reader_;
};

// One instance a chain.
class GroupRows {
 public:
  explicit GroupRows(GroupSetting setting);

  // These are at hand, and no others. Collective where rows are split, and any is asked for.
  void fetch(std::span<const Datum> rows);
  // REQUIRES: at hand. Lives until the next call.
  [[nodiscard]] GroupRow at(Datum number);

  // Whether all rows of a level are at hand, here; and at every rank.
  [[nodiscard]] bool holds(std::size_t level) const {
    return is_everywhere(level) || grouping().shard().mine().holds(level);
  }
  [[nodiscard]] bool is_everywhere(std::size_t level) const {
    return !grouping().shard().is_split() ||
           setting_.bounds.level_kind[level] == LevelBound::kBeacon;
  }
  // Calls visit(row) for every row of a level, in the order of their numbers. REQUIRES: at hand.
  template <class Visit>
  void visit_level(std::size_t level, const Visit& visit);

 private:
  [[nodiscard]] const Grouping& grouping() const noexcept { return setting_.problem.grouping; }

  GroupSetting setting_;
  GroupRowReader reader_;
  GroupRecord record_;
  std::vector<Datum> guests_;
  std::vector<double> records_;  // of guests
};

template <class Visit>
void GroupRows::visit_level(std::size_t level, const Visit& visit) {
  const auto guests = setting_.bounds.beacon_rows.find(level);
  if (guests == setting_.bounds.beacon_rows.end()) {
    for (const std::size_t n : grouping().rows(level)) {
      visit(reader_.read(n, level));
    }
    return;
  }
  const std::vector<double>& records = guests->second;
  for (std::size_t i = 0; i < records.size(); i += record_.width()) {
    visit(record_.row_of(records.data() + i));
  }
}

// Where ranks share rows: those of all beacons, at every rank. Collective.
void share_beacons(const GroupProblem& problem, GroupBounds& bounds);

}  // namespace flymc
