#include "groups/arrow_pass.hpp"

#include "ranks/sums_along.hpp"

namespace flymc {
namespace {

// Calls visit(part) for every list of numbers of a piece.
template <class Piece, class Visit>
void each_part(Piece& piece, const Visit& visit) {
  visit(piece.s);
  visit(piece.r);
  visit(piece.v);
  visit(piece.shared_slope);
  visit(piece.shared_bend);
}

}  // namespace

std::size_t PieceSums::size() const noexcept {
  std::size_t numbers = 3;
  each_part(*this, [&](const auto& part) { numbers += static_cast<std::size_t>(part.size()); });
  return numbers;
}

void PieceSums::add_to(std::span<double> numbers) const noexcept {
  double* out = numbers.data();
  each_part(*this, [&](const auto& part) {
    for (Index i = 0; i < part.size(); ++i) {
      *out++ += part.data()[i];
    }
  });
  *out++ += value;
  *out++ += static_cast<double>(beacons);
  *out += static_cast<double>(queries);
}

void PieceSums::read(std::span<const double> numbers) noexcept {
  const double* in = numbers.data();
  each_part(*this, [&](auto& part) {
    std::copy_n(in, part.size(), part.data());
    in += part.size();
  });
  value = *in++;
  beacons = static_cast<std::size_t>(*in++);
  queries = static_cast<std::size_t>(*in);
}

PieceSums fold(const LevelShard& shard, const std::vector<PieceSums>& pieces, ArrowSums& sums) {
  for (Buffer<double>* const of_levels : {&sums.d, &sums.c, &sums.b, &sums.t}) {
    share_levels(shard, *of_levels);
  }
  PieceSums total(sums.shape);
  total.read(sums_along(shard.ranks(), total.size(), [&](std::span<double> numbers) {
    for (const PieceSums& piece : pieces) {
      piece.add_to(numbers);
    }
  }));
  sums.s = total.s;
  sums.r = total.r;
  sums.v = total.v;
  sums.shared_slope = total.shared_slope;
  sums.shared_bend = total.shared_bend;
  return total;
}

}  // namespace flymc
