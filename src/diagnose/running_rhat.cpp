#include "diagnose/running_rhat.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace flymc {

void RunningMoments::add(std::span<const double> draw) {
  if (blocks_.empty() || blocks_.back().count == block_draws_) {
    if (blocks_.size() == kMostBlocks) {
      for (std::size_t i = 0; i < kMostBlocks / 2; ++i) {
        Block pair = std::move(blocks_[2 * i]);
        merge(blocks_[2 * i + 1], pair);
        blocks_[i] = std::move(pair);
      }
      blocks_.resize(kMostBlocks / 2);
      block_draws_ *= 2.0;
    }
    blocks_.push_back(
        {0.0, std::vector<double>(parameters_, 0.0), std::vector<double>(parameters_, 0.0)});
  }
  Block& block = blocks_.back();
  block.count += 1.0;
  for (std::size_t j = 0; j < parameters_; ++j) {
    const double step = draw[j] - block.mean[j];
    block.mean[j] += step / block.count;
    block.squares[j] += step * (draw[j] - block.mean[j]);
  }
}

void RunningMoments::merge(const Block& from, Block& into) {
  const double count = into.count + from.count;
  for (std::size_t j = 0; j < into.mean.size(); ++j) {
    const double apart = from.mean[j] - into.mean[j];
    into.squares[j] += from.squares[j] + apart * apart * into.count * from.count / count;
    into.mean[j] += apart * from.count / count;
  }
  into.count = count;
}

RunningMoments::Half RunningMoments::half(std::size_t j, bool second) const {
  const bool short_last = !blocks_.empty() && blocks_.back().count < block_draws_;
  const std::size_t whole = blocks_.size() - (short_last ? 1 : 0);
  const std::size_t first = second ? whole - whole / 2 : 0;  // of an odd number the middle is left
  Half half;
  double squares = 0.0;
  for (std::size_t i = first; i < first + whole / 2; ++i) {
    const Block& block = blocks_[i];
    const double count = half.count + block.count;
    const double apart = block.mean[j] - half.mean;
    squares += block.squares[j] + apart * apart * half.count * block.count / count;
    half.mean += apart * block.count / count;
    half.count = count;
  }
  half.variance = half.count > 0.0 ? squares / half.count : 0.0;
  return half;
}

double worst_rhat(std::span<const RunningMoments> chains) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double worst = kNone;
  const std::size_t parameters = chains.empty() ? 0 : chains[0].parameters();
  for (std::size_t j = 0; j < parameters; ++j) {
    double count = 0.0;
    double draws = 0.0;
    double mean = 0.0;
    double between = 0.0;  // of the halves' means, summed squares
    double within = 0.0;
    for (const RunningMoments& chain : chains) {
      for (const bool second : {false, true}) {
        const RunningMoments::Half half = chain.half(j, second);
        if (half.count < 16.0) {
          return kNone;
        }
        count += 1.0;
        draws += half.count;
        const double step = half.mean - mean;
        mean += step / count;
        between += step * (half.mean - mean);
        within += half.variance * half.count / (half.count - 1.0);
      }
    }
    const double n = draws / count;
    const double ratio = between / (count - 1.0) / (within / count);
    const double rhat = std::sqrt(ratio + (n - 1.0) / n);
    worst = std::isnan(worst) ? rhat : std::max(worst, rhat);
  }
  return worst;
}

}  // namespace flymc
