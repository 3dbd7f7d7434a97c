#include "groups/group_rows.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "flymc/detail/core/bytes.hpp"

namespace flymc {

// --- reading ---

GroupRow GroupRowReader::read(std::size_t n, std::size_t level) {
  const Dataset& data = setting_.problem.data;
  const GroupBounds& bounds = setting_.bounds;
  reader_.read(n);
  return {.level = static_cast<std::uint32_t>(level),
          .kind = bounds.kind[n],
          .touch = bounds.touch[n],
          .shift = 0.0,  // it touches at the anchor
          .response = data.response(n),
          .weight = data.weight(n),
          .rate = 0.0,
          .curvature = bounds.curvature_of(n),
          .x = reader_.x(),
          .w = reader_.w()};
}

GroupRow GroupRowReader::read_with_coin(std::size_t n) {
  const std::size_t level = setting_.problem.grouping.level(n);
  const GroupAnchor& anchor = setting_.bounds.anchor;
  GroupRow row = read(n, level);
  row.rate = setting_.bounds.rate(n);
  if (row.kind == RowBound::kGlobal) {
    row.shift = setting_.problem.data.offset(n) +
                row.predict(anchor.beta.data(), anchor.u.data() + level * row.w.size()) - row.touch;
  }
  return row;
}

// --- records ---

GroupRecord::GroupRecord(GroupSetting setting)
    : curvatures_(setting.bounds.curvatures),
      p_(static_cast<std::size_t>(setting.problem.data.columns())),
      q_(static_cast<std::size_t>(setting.problem.grouping.size())) {}

void GroupRecord::append(const GroupRow& row, std::vector<double>& out) const {
  for (const double fact : {static_cast<double>(row.level), static_cast<double>(row.kind),
                            row.touch, row.shift, row.response, row.weight, row.rate}) {
    out.push_back(fact);
  }
  out.insert(out.end(), row.curvature, row.curvature + curvatures_);
  out.insert(out.end(), row.x.begin(), row.x.end());
  out.insert(out.end(), row.w.begin(), row.w.end());
}

GroupRow GroupRecord::row_of(const double* numbers) const noexcept {
  const double* const curvature = numbers + kFacts;
  const double* const x = curvature + curvatures_;
  return {.level = static_cast<std::uint32_t>(numbers[0]),
          .kind = static_cast<RowBound>(numbers[1]),
          .touch = numbers[2],
          .shift = numbers[3],
          .response = numbers[4],
          .weight = numbers[5],
          .rate = numbers[6],
          .curvature = curvature,
          .x = {x, p_},
          .w = {x + p_, q_}};
}

// --- of all ranks ---

GroupRows::GroupRows(GroupSetting setting)
    : setting_(setting), reader_(setting), record_(setting) {}

void GroupRows::fetch(std::span<const Datum> rows) {
  if (!grouping().shard().is_split()) {
    return;
  }
  guests_.assign(rows.begin(), rows.end());
  std::ranges::sort(guests_);
  guests_.erase(std::unique(guests_.begin(), guests_.end()), guests_.end());
  records_.resize(guests_.size() * record_.width());
  if (guests_.empty()) {
    return;
  }
  ByteWriter mine;
  std::vector<double> record;
  for (std::size_t i = 0; i < guests_.size(); ++i) {
    if (const auto n = grouping().numbers().find(guests_[i])) {
      record.clear();
      record_.append(reader_.read_with_coin(*n), record);
      mine.put(static_cast<std::uint64_t>(i));
      mine.put_all(record);
    }
  }
  for (const std::string& bytes : grouping().shard().ranks().gather(mine.bytes())) {
    for (ByteReader in(bytes); !in.at_end();) {
      const auto i = in.get<std::uint64_t>();
      in.get_all(record);
      std::ranges::copy(record, records_.data() + i * record_.width());
    }
  }
}

GroupRow GroupRows::at(Datum number) {
  if (!grouping().shard().is_split()) {
    return reader_.read_with_coin(number);
  }
  const auto i = std::ranges::lower_bound(guests_, number) - guests_.begin();
  return record_.row_of(records_.data() + static_cast<std::size_t>(i) * record_.width());
}

// A piece of levels at a time, so that no message is of them all.
void share_beacons(const GroupProblem& problem, GroupBounds& bounds) {
  const LevelShard& shard = problem.grouping.shard();
  if (!shard.is_split()) {
    return;
  }
  const GroupSetting setting{problem, bounds};
  const GroupRecord record(setting);
  GroupRowReader reader(setting);
  const auto is_beacon = [&](std::size_t level) {
    return bounds.level_kind[level] == LevelBound::kBeacon;
  };
  for (const LevelRange& piece : shard.pieces()) {
    std::vector<std::size_t> levels(piece.last - piece.first);
    std::iota(levels.begin(), levels.end(), piece.first);
    std::erase_if(levels, [&](std::size_t level) { return !is_beacon(level); });
    if (levels.empty()) {
      continue;
    }
    ByteWriter mine;
    std::vector<double> records;
    for (const std::size_t level : levels) {
      if (shard.mine().holds(level)) {
        records.clear();
        for (const std::size_t n : problem.grouping.rows(level)) {
          record.append(reader.read(n, level), records);
        }
        mine.put_all(records);
      }
    }
    for (const std::string& bytes : shard.ranks().gather(mine.bytes())) {
      ByteReader in(bytes);
      for (auto level = levels.begin(); !in.at_end(); ++level) {  // of a piece, which has one owner
        in.get_all(bounds.beacon_rows[*level]);
      }
    }
  }
}

}  // namespace flymc
