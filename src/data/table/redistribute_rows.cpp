#include "data/table/redistribute_rows.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "ranks/exchange.hpp"
#include "ranks/gather_values.hpp"

namespace flymc {
namespace {

constexpr std::size_t kMostNumbers = std::size_t{1} << 15;  // of a message

// The rows of every rank, by rank.
std::vector<RowRange> rows_by_rank(Ranks& ranks, std::size_t mine) {
  std::vector<RowRange> all;
  std::size_t at = 0;
  for (const std::vector<std::size_t>& rows : gather_values(ranks, std::vector{mine})) {
    all.push_back({at, at + rows.front()});
    at = all.back().last;
  }
  return all;
}

RowRange common(const RowRange& a, const RowRange& b) {
  const std::size_t first = std::max(a.first, b.first);
  return {first, std::max(first, std::min(a.last, b.last))};
}

// Some rows that go from one rank to another, or stay.
struct Move {
  int from = 0;
  int to = 0;
  RowRange rows;
};

// In one order for all, so that no two ranks wait for each other.
std::vector<Move> plan_moves(const std::vector<RowRange>& now, const Shard& then) {
  std::vector<Move> moves;
  for (int from = 0; from < static_cast<int>(now.size()); ++from) {
    for (int to = 0; to < static_cast<int>(now.size()); ++to) {
      const RowRange rows = common(now[static_cast<std::size_t>(from)], then.of(to));
      if (rows.size() > 0) {
        moves.push_back({from, to, rows});
      }
    }
  }
  return moves;
}

// A row and all that belongs to it, as numbers.
class RowRecord {
 public:
  // Collective: a part that no rank has is no part of it.
  RowRecord(Ranks& ranks, const Table& table)
      : columns_(table.columns.size()),
        factors_(table.factors.size()),
        has_weight_(!holds_everywhere(ranks, table.weights.empty())),
        has_offset_(!holds_everywhere(ranks, table.offset.empty())),
        features_(columns_) {}

  [[nodiscard]] std::size_t width() const noexcept {
    return 2 + columns_ + (has_weight_ ? 1 : 0) + (has_offset_ ? 1 : 0) + factors_;
  }

  void append(const Table& table, std::size_t row, std::size_t number, Buffer<double>& out) {
    out.push_back(static_cast<double>(number));
    const double* const x = table.row(row, features_.data());
    out.insert(out.end(), x, x + columns_);
    out.push_back(table.response.values[row]);
    if (has_weight_) {
      out.push_back(table.weights[row]);
    }
    if (has_offset_) {
      out.push_back(table.offset[row]);
    }
    for (const Factor& factor : table.factors) {
      out.push_back(static_cast<double>(factor.codes[row]));
    }
  }
  void make_room(std::size_t rows, DealtRows& dealt) const {
    dealt.numbers.resize(rows);
    Table& table = dealt.table;
    table.rows = rows;
    table.x.resize(rows * columns_);
    table.response.values.resize(rows);
    table.weights.resize(has_weight_ ? rows : 0);
    table.offset.resize(has_offset_ ? rows : 0);
    for (Factor& factor : table.factors) {
      factor.codes.resize(rows);
    }
  }
  void put(const double* in, std::size_t row, DealtRows& dealt) const {
    dealt.numbers[row] = static_cast<std::size_t>(*in++);
    Table& table = dealt.table;
    std::copy_n(in, columns_, table.x.data() + row * columns_);
    in += columns_;
    table.response.values[row] = *in++;
    if (has_weight_) {
      table.weights[row] = *in++;
    }
    if (has_offset_) {
      table.offset[row] = *in++;
    }
    for (Factor& factor : table.factors) {
      factor.codes[row] = static_cast<std::uint32_t>(*in++);
    }
  }

 private:
  std::size_t columns_;
  std::size_t factors_;
  bool has_weight_;
  bool has_offset_;
  Buffer<double> features_;
};

class Dealer {
 public:
  Dealer(Ranks& ranks, std::size_t mine)
      : ranks_(ranks),
        now_(rows_by_rank(ranks, mine)),
        shard_(Shard::spread(ranks, now_.back().last)),
        moves_(plan_moves(now_, shard_)) {}

  [[nodiscard]] const Shard& shard() const noexcept { return shard_; }

  // The numbers of this rank's rows, `width` each. A part that no rank has stays empty.
  template <class Values>
  void deal(Values& values, std::size_t width) {
    if (holds_everywhere(ranks_, values.empty())) {
      return;
    }
    const RowRange had = now_[static_cast<std::size_t>(ranks_.rank())];
    Values dealt(shard_.mine().size() * width);
    const std::size_t at_once = std::max<std::size_t>(1, kMostNumbers / width);
    for (const Move& move : moves_) {
      for (std::size_t first = move.rows.first; first < move.rows.last; first += at_once) {
        const RowRange rows{first, std::min(first + at_once, move.rows.last)};
        double* const to = dealt.data() + (rows.first - shard_.mine().first) * width;
        const double* const from = values.data() + (rows.first - had.first) * width;
        pass({move.from, move.to, rows}, width, from, to);
      }
    }
    values = std::move(dealt);
  }

 private:
  // `from` is one's own to read where this rank sends, `to` to write where it receives.
  void pass(const Move& move, std::size_t width, const double* from, double* to) {
    const std::size_t bytes = move.rows.size() * width * sizeof(double);
    const int self = ranks_.rank();
    if (move.from == self && move.to == self) {
      std::memcpy(to, from, bytes);
    } else if (move.from == self) {
      ranks_.send_to(move.to, {reinterpret_cast<const char*>(from), bytes});
    } else if (move.to == self) {
      std::memcpy(to, ranks_.receive_from(move.from).data(), bytes);
    }
  }

  Ranks& ranks_;
  std::vector<RowRange> now_;
  Shard shard_;
  std::vector<Move> moves_;
};

}  // namespace

void redistribute_rows(Ranks& ranks, Table& table) {
  if (ranks.size() == 1) {
    return;
  }
  Dealer dealer(ranks, table.rows);
  if (!table.columns.empty()) {
    dealer.deal(table.x, table.columns.size());
  }
  for (std::vector<double>* const part :
       {&table.response.values, &table.weights, &table.offset, &table.trials}) {
    dealer.deal(*part, 1);
  }
  table.rows = dealer.shard().mine().size();
  table.gaps = {};
  table.shard = dealer.shard();
}

DealtRows deal_rows(const Table& table, std::span<const int> to) {
  const Shard shard = table.sharding();
  Ranks& ranks = shard.ranks();
  DealtRows dealt;
  dealt.table.columns = table.columns;
  dealt.table.response.name = table.response.name;
  for (const Factor& factor : table.factors) {
    dealt.table.factors.push_back({factor.name, factor.labels, {}});
  }
  RowRecord record(ranks, table);
  std::vector<std::size_t> sent(static_cast<std::size_t>(ranks.size()), 0);  // rows, to each
  for (const int rank : to) {
    ++sent[static_cast<std::size_t>(rank)];
  }
  std::vector<std::size_t> next;  // where the next row of each rank goes
  std::size_t rows = 0;
  for (const std::vector<std::size_t>& of_rank : gather_values(ranks, sent)) {
    next.push_back(rows);
    rows += of_rank[static_cast<std::size_t>(ranks.rank())];
  }
  fail_together(ranks, [&] { record.make_room(rows, dealt); });
  const std::size_t at_once = std::max<std::size_t>(1, kMostNumbers / record.width());
  Buffer<double> records;
  std::size_t row = 0;
  exchange(
      ranks,
      [&](int target, std::string& message) {
        records.clear();
        for (; row < table.rows && records.size() < at_once * record.width(); ++row) {
          if (to[row] == target) {
            record.append(table, row, shard.mine().first + row, records);
          }
        }
        message.assign(reinterpret_cast<const char*>(records.data()),
                       records.size() * sizeof(double));
        const bool follows = row < table.rows;
        row = follows ? row : 0;  // for the next rank
        return follows;
      },
      [&](int from, std::string_view message) {
        std::size_t& at = next[static_cast<std::size_t>(from)];
        std::vector<double> one(record.width());
        for (std::size_t i = 0; i < message.size(); i += one.size() * sizeof(double)) {
          std::memcpy(one.data(), message.data() + i, one.size() * sizeof(double));
          record.put(one.data(), at++, dealt);
        }
      });
  return dealt;
}

}  // namespace flymc
