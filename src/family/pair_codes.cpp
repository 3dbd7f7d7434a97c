#include "family/pair_codes.hpp"

#include <bit>

namespace flymc {
namespace {

constexpr int kFirstBits = 10;

std::size_t pairs_in(std::size_t block) { return std::size_t{1} << (block + kFirstBits); }

}  // namespace

// A first block of zeros: 0 may be asked for before there is a pair.
PairCodes::PairCodes() { blocks_[0] = std::make_unique<double[]>(2 * pairs_in(0)); }

// Blocks before b hold 2^10 (2^b - 1) pairs.
PairCodes::Place PairCodes::place_of(std::uint64_t number) noexcept {
  const std::uint64_t from_one = (number >> kFirstBits) + 1;
  const auto block = static_cast<std::size_t>(std::bit_width(from_one) - 1);
  const std::uint64_t before = ((std::uint64_t{1} << block) - 1) << kFirstBits;
  return {block, static_cast<std::size_t>(number - before)};
}

double PairCodes::code_of(double first, double second) {
  const std::scoped_lock lock(mutex_);
  const auto [found, is_new] = numbers_.try_emplace({first, second}, numbers_.size());
  if (is_new) {
    const Place place = place_of(found->second);
    if (!blocks_[place.block]) {
      blocks_[place.block] = std::make_unique<double[]>(2 * pairs_in(place.block));
    }
    blocks_[place.block][2 * place.offset] = first;
    blocks_[place.block][2 * place.offset + 1] = second;
  }
  return static_cast<double>(found->second);
}

}  // namespace flymc
