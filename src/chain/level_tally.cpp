#include "chain/level_tally.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace flymc {
namespace {

constexpr double kUnknownStatistic = std::numeric_limits<double>::quiet_NaN();

// The height of marker i one place further, or back: on the parabola through its neighbours, or on
// the line where the parabola leaves them.
double moved_height(const double* height, const std::uint32_t* place, std::size_t i, int step) {
  const double to_left = static_cast<double>(place[i]) - place[i - 1];
  const double to_right = static_cast<double>(place[i + 1]) - place[i];
  const double left = (height[i] - height[i - 1]) / to_left;
  const double right = (height[i + 1] - height[i]) / to_right;
  const double parabola = height[i] + step * ((to_left + step) * right + (to_right - step) * left) /
                                          (to_left + to_right);
  if (height[i - 1] < parabola && parabola < height[i + 1]) {
    return parabola;
  }
  return height[i] + (step > 0 ? right : -left);
}

}  // namespace

void LevelTally::start(std::size_t size) {
  mean_.assign(size, 0.0);
  squares_.assign(size, 0.0);
  heights_.assign(size * kMarkers, 0.0);
  places_.resize(size * kMarkers);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    places_[i] = static_cast<std::uint32_t>(i % kMarkers);
  }
  open_.assign(size, 0.0);
}

void LevelTally::add(std::span<const double> values) {
  if (draws_ == 0) {
    start(values.size());
  }
  ++draws_;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double from_mean = values[i] - mean_[i];
    mean_[i] += from_mean / static_cast<double>(draws_);
    squares_[i] += from_mean * (values[i] - mean_[i]);
    mark(i, values[i]);
  }
  add_to_batch(values);
}

// The first draws are the markers; then every draw moves those above it one place up, and those
// that are a place off where they should be, by one.
void LevelTally::mark(std::size_t number, double value) {
  double* const height = heights_.data() + number * kMarkers;
  if (draws_ <= kMarkers) {
    double* const end = height + draws_ - 1;
    double* const at = std::upper_bound(height, end, value);
    std::move_backward(at, end, end + 1);
    *at = value;
    return;
  }
  std::uint32_t* const place = places_.data() + number * kMarkers;
  height[0] = std::min(height[0], value);
  height[kMarkers - 1] = std::max(height[kMarkers - 1], value);
  for (std::size_t i = kMarkers - 1; i > 0 && (i == kMarkers - 1 || value < height[i]); --i) {
    ++place[i];
  }
  for (std::size_t i = 1; i + 1 < kMarkers; ++i) {
    const double off = kShares[i] * static_cast<double>(draws_ - 1) - place[i];
    const bool up = off >= 1.0 && place[i + 1] - place[i] > 1;
    const bool down = off <= -1.0 && place[i] - place[i - 1] > 1;
    if (up || down) {
      height[i] = moved_height(height, place, i, up ? 1 : -1);
      place[i] += up ? 1U : ~std::uint32_t{0};
    }
  }
}

void LevelTally::add_to_batch(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    open_[i] += values[i];
  }
  if (++open_draws_ < batch_draws_) {
    return;
  }
  for (double& sum : open_) {
    batches_.push_back(sum / static_cast<double>(batch_draws_));
    sum = 0.0;
  }
  open_draws_ = 0;
  if (batches_.size() < kMostBatches * values.size()) {
    return;
  }
  for (std::size_t b = 0; b < kMostBatches / 2; ++b) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double* const pair = batches_.data() + 2 * b * values.size() + i;
      batches_[b * values.size() + i] = 0.5 * (pair[0] + pair[values.size()]);
    }
  }
  batches_.resize(kMostBatches / 2 * values.size());
  batch_draws_ *= 2;
}

void LevelTally::put(ByteWriter& out) const {
  out.put(draws_);
  out.put_all(mean_);
  out.put_all(squares_);
  out.put_all(heights_);
  out.put_all(places_);
  out.put(batch_draws_);
  out.put(open_draws_);
  out.put_all(open_);
  out.put_all(batches_);
}

void LevelTally::get(ByteReader& in) {
  draws_ = in.get<std::uint64_t>();
  in.get_all(mean_);
  in.get_all(squares_);
  in.get_all(heights_);
  in.get_all(places_);
  batch_draws_ = in.get<std::uint64_t>();
  open_draws_ = in.get<std::uint64_t>();
  in.get_all(open_);
  in.get_all(batches_);
  const std::size_t size = mean_.size();
  const bool whole = squares_.size() == size && heights_.size() == size * kMarkers &&
                     places_.size() == heights_.size() && open_.size() == size &&
                     batches_.size() <= kMostBatches * size &&
                     (size == 0 || batches_.size() % size == 0) && batch_draws_ > 0;
  if (!whole) {
    throw std::out_of_range("levels of no shape");
  }
}

std::span<const double> LevelTally::heights(std::size_t number) const {
  return {heights_.data() + number * kMarkers, std::min<std::size_t>(draws_, kMarkers)};
}

// Straight between the markers.
double LevelTally::share_below(std::size_t number, double value) const {
  const std::span<const double> height = heights(number);
  const auto above = std::ranges::upper_bound(height, value);
  if (above == height.begin()) {
    return 0.0;
  }
  if (above == height.end()) {
    return 1.0;
  }
  const auto i = static_cast<std::size_t>(above - height.begin());
  const std::uint32_t* const place = places_.data() + number * kMarkers;
  const double part = (value - height[i - 1]) / (height[i] - height[i - 1]);
  return (place[i - 1] + part * (place[i] - place[i - 1])) / static_cast<double>(draws_ - 1);
}

LevelStatistics LevelTally::merged(std::span<const LevelTally* const> chains, std::size_t number) {
  LevelStatistics all = moments(chains, number);
  all.rhat = split_rhat(chains, number);
  for (std::size_t q = 0; q < all.quantiles.size(); ++q) {
    all.quantiles[q] = quantile(chains, number, LevelStatistics::kProbabilities[q]);
  }
  return all;
}

LevelStatistics LevelTally::moments(std::span<const LevelTally* const> chains, std::size_t number) {
  LevelStatistics all;
  double draws = 0.0;
  for (const LevelTally* chain : chains) {
    draws += static_cast<double>(chain->draws_);
    all.mean += static_cast<double>(chain->draws_) * chain->mean_[number];
  }
  all.mean /= draws;
  double squares = 0.0;   // about the mean of all
  double long_run = 0.0;  // of batches: their length times their squared distance from the mean
  double batches = 0.0;
  for (const LevelTally* chain : chains) {
    const auto length = static_cast<double>(chain->draws_);
    const double from_mean = chain->mean_[number] - all.mean;
    squares += chain->squares_[number] + length * from_mean * from_mean;
    for (std::size_t i = number; i < chain->batches_.size(); i += chain->size()) {
      const double off = chain->batches_[i] - all.mean;
      long_run += static_cast<double>(chain->batch_draws_) * off * off;
      batches += 1.0;
    }
  }
  const double variance = squares / (draws - 1.0);
  all.sd = std::sqrt(variance);
  all.ess = long_run > 0.0 ? draws * variance * (batches - 1.0) / long_run : kUnknownStatistic;
  return all;
}

// Halves of chains as chains, of whole batches; a middle one is in neither.
double LevelTally::split_rhat(std::span<const LevelTally* const> chains, std::size_t number) {
  const auto count = static_cast<double>(2 * chains.size());
  double sum = 0.0;
  double squares = 0.0;
  double within = 0.0;
  double length = 0.0;  // of a half
  for (const LevelTally* chain : chains) {
    const std::size_t batches = chain->batches_.size() / chain->size();
    const auto half = static_cast<double>(batches / 2 * chain->batch_draws_);
    double between = 0.0;
    for (const std::size_t first : {std::size_t{0}, batches - batches / 2}) {
      double mean = 0.0;
      for (std::size_t b = first; b < first + batches / 2; ++b) {
        mean += chain->batches_[b * chain->size() + number] / static_cast<double>(batches / 2);
      }
      const double from_mean = mean - chain->mean_[number];
      between += half * from_mean * from_mean;
      sum += mean;
      squares += mean * mean;
    }
    within += (chain->squares_[number] - between) / static_cast<double>(chain->draws_ - 2);
    length += 2.0 * half / count;
  }
  within /= static_cast<double>(chains.size());
  const double of_means = (squares - sum * sum / count) / (count - 1.0);
  return length > 0.0 ? std::sqrt((length - 1.0) / length + of_means / within) : kUnknownStatistic;
}

// Where the share of draws below, which grows with the value, reaches `prob`.
double LevelTally::quantile(std::span<const LevelTally* const> chains, std::size_t number,
                            double prob) {
  constexpr int kHalvings = 50;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  double draws = 0.0;
  for (const LevelTally* chain : chains) {
    low = std::min(low, chain->heights(number).front());
    high = std::max(high, chain->heights(number).back());
    draws += static_cast<double>(chain->draws_);
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = low + 0.5 * (high - low);
    double below = 0.0;
    for (const LevelTally* chain : chains) {
      below += static_cast<double>(chain->draws_) / draws * chain->share_below(number, middle);
    }
    (below < prob ? low : high) = middle;
  }
  return high;
}

}  // namespace flymc
