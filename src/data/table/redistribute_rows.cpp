#include "data/table/redistribute_rows.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "ranks/gather_values.hpp"

namespace flymc {
namespace {

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
  static constexpr std::size_t kMostNumbers = std::size_t{1} << 15;

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

}  // namespace flymc
