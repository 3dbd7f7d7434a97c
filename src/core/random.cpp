#include "flymc/random.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace flymc {
namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53U;
constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57U;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9U;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85U;

constexpr std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }
constexpr std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }

PhiloxBlock philox_round(const PhiloxBlock& counter, const PhiloxKey& key) noexcept {
  const std::uint64_t product0 = std::uint64_t{kMultiplier0} * counter[0];
  const std::uint64_t product1 = std::uint64_t{kMultiplier1} * counter[2];
  return {high(product1) ^ counter[1] ^ key[0], low(product1), high(product0) ^ counter[3] ^ key[1],
          low(product0)};
}

// log of e^-mean mean^k / k!. Above the table Stirling's series with k log(k/mean) taken apart, so
// that nothing of the size of the mean cancels: the error stays near 1e-16 |k - mean|.
double log_poisson_mass(double k, double mean) noexcept {
  constexpr int kTable = 16;
  if (k < kTable) {
    double factorial = 1.0;
    for (int i = 2; i <= static_cast<int>(k); ++i) {
      factorial *= i;
    }
    return k * std::log(mean) - mean - std::log(factorial);
  }
  const double excess = (k - mean) / mean;
  const double deviance = k * std::log1p(excess) - (k - mean);
  const double inverse = 1.0 / k;
  const double square = inverse * inverse;
  const double series =
      inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
  return -deviance - series - 0.5 * std::log(2.0 * std::numbers::pi * k);
}

// Adds up probabilities from zero until they pass u. What rounding leaves of u in the far tail must
// not run on for ever: there the first value with a probability below 2^-60 takes it.
std::uint64_t invert_poisson(double mean, double u) noexcept {
  std::uint64_t k = 0;
  double mass = std::exp(-mean);
  while (u > mass && mass > 0x1.0p-60) {
    u -= mass;
    ++k;
    mass *= mean / static_cast<double>(k);
  }
  return k;
}

}  // namespace

PhiloxBlock philox4x32(PhiloxBlock counter, PhiloxKey key) noexcept {
  constexpr int kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    if (round > 0) {
      key[0] += kWeyl0;
      key[1] += kWeyl1;
    }
    counter = philox_round(counter, key);
  }
  return counter;
}

// Counter words: block within the stream, iteration, its high 16 bits with the purpose, chain.
Stream::Stream(std::uint64_t seed, std::uint32_t chain, Purpose purpose,
               std::uint64_t iteration) noexcept
    : key_{low(seed), high(seed)},
      counter_{
          0, low(iteration),
          (high(iteration) & 0xFFFFU) | (std::uint32_t{static_cast<std::uint16_t>(purpose)} << 16),
          chain} {}

std::uint64_t Stream::bits() noexcept {
  if (used_ >= 4) {
    block_ = philox4x32(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  const auto i = static_cast<std::size_t>(used_);
  used_ += 2;
  return (std::uint64_t{block_[i + 1]} << 32) | block_[i];
}

double Stream::uniform() noexcept { return open_unit(bits()); }

double Stream::normal() noexcept {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  double x = 0.0;
  double y = 0.0;
  double square = 0.0;
  do {
    x = 2.0 * uniform() - 1.0;
    y = 2.0 * uniform() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  spare_normal_ = y * factor;
  has_spare_ = true;
  return x * factor;
}

double Stream::exponential() noexcept { return -std::log(uniform()); }

double Stream::gamma(double shape) noexcept {
  if (shape < 1.0) {
    return gamma(shape + 1.0) * std::pow(uniform(), 1.0 / shape);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal();
    const double root = 1.0 + c * x;
    if (root <= 0.0) {
      continue;
    }
    const double v = root * root * root;
    if (std::log(uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) {
      return d * v;
    }
  }
}

// Lemire's multiply-shift with rejection of the biased low part.
std::uint64_t Stream::below(std::uint64_t n) noexcept {
  __extension__ using Wide = unsigned __int128;
  Wide product = Wide{bits()} * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t threshold = (0 - n) % n;
    while (static_cast<std::uint64_t>(product) < threshold) {
      product = Wide{bits()} * n;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t Stream::geometric(double p, std::uint64_t limit) noexcept {
  if (p >= 1.0) {
    return 0;
  }
  const double skips = std::floor(std::log(uniform()) / std::log1p(-p));
  return skips < static_cast<double>(limit) ? static_cast<std::uint64_t>(skips) : limit;
}

// Above 10: transformed rejection with squeeze, constants of Hoermann (1993), algorithm PTRS.
std::uint64_t Stream::poisson(double mean) noexcept {
  constexpr double kInversion = 10.0;
  if (mean < kInversion) {
    return mean > 0.0 ? invert_poisson(mean, uniform()) : 0;
  }
  const double b = 0.931 + 2.53 * std::sqrt(mean);
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double squeeze = 0.9277 - 3.6224 / (b - 2.0);
  for (;;) {
    const double u = uniform() - 0.5;
    const double v = uniform();
    const double edge = 0.5 - std::abs(u);
    const double k = std::floor((2.0 * a / edge + b) * u + mean + 0.43);
    if (edge >= 0.07 && v <= squeeze) {
      return static_cast<std::uint64_t>(k);
    }
    if (k < 0.0 || (edge < 0.013 && v > edge)) {
      continue;
    }
    if (std::log(v * inverse_alpha / (a / (edge * edge) + b)) <= log_poisson_mass(k, mean)) {
      return static_cast<std::uint64_t>(k);
    }
  }
}

Permutation::Permutation(std::uint64_t n, Stream& stream) noexcept
    : n_(n), half_bits_((static_cast<unsigned>(std::bit_width(n - 1)) + 1U) / 2U) {
  const std::uint64_t word = stream.bits();
  key_ = {low(word), high(word)};
  half_bits_ = half_bits_ == 0 ? 1 : half_bits_;
}

std::uint64_t Permutation::operator()(std::uint64_t index) const noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  // Four rounds scatter pairs evenly on large domains; below about 256 they visibly do not.
  const std::uint32_t rounds = half_bits_ <= 4 ? 8 : 4;
  do {
    std::uint64_t left = index >> half_bits_;
    std::uint64_t right = index & mask;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      const PhiloxBlock mixed = philox4x32({low(right), high(right), round, 0}, key_);
      const std::uint64_t next = left ^ (((std::uint64_t{mixed[1]} << 32) | mixed[0]) & mask);
      left = right;
      right = next;
    }
    index = (left << half_bits_) | right;
  } while (index >= n_);
  return index;
}

}  // namespace flymc
