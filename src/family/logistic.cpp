#include "flymc/family/logistic.hpp"

#include <algorithm>
#include <cmath>

#include "core/decay.hpp"

namespace flymc {
namespace {

constexpr Index kLanes = 64;
using Reals = Eigen::Array<double, kLanes, 1>;  // every operation by packets of the machine's width

// The first `rows` from there; the others are zeros.
Reals load(const double* from, std::size_t rows) noexcept {
  Reals lanes = Reals::Zero();
  std::copy_n(from, rows, lanes.data());
  return lanes;
}

// e^-|x|.
Reals decay_of(const Reals& x) noexcept {
  static_assert(static_cast<std::size_t>(kLanes) % kDecays == 0);
  Reals out = -x.abs();
  for (double* some = out.data(); some != out.data() + kLanes; some += kDecays) {
    DecayLanes lanes;
#pragma GCC unroll 16
    for (std::size_t part = 0; part < kDecayParts; ++part) {
      lanes[part] = simd::load(some + part * simd::kLanes<double>);
    }
    decay(lanes);
#pragma GCC unroll 16
    for (std::size_t part = 0; part < kDecayParts; ++part) {
      simd::store(lanes[part], some + part * simd::kLanes<double>);
    }
  }
  return out;
}

// log(1 + e), 0 <= e <= 1, by its series in s = e / (2 + e) <= 1/3, every term positive:
// 2 (s + s^3 / 3 + ... + s^33 / 33). What is left is 2e-18 of it. Eigen's logarithm of doubles goes
// number by number on some machines.
Reals log1p_of_share(const Reals& e) noexcept {
  constexpr Index kHeld = 16;  // in registers, and enough to hide the latency of a term
  using Held = Eigen::Array<double, kHeld, 1>;
  Reals log1p;
  for (Index first = 0; first < kLanes; first += kHeld) {
    const Held some = e.segment<kHeld>(first);
    const Held s = some / (2.0 + some);
    const Held q = s * s;
    Held sum = Held::Constant(2.0 / 33);
#pragma GCC unroll 16
    for (int k = 31; k > 0; k -= 2) {
      sum = 2.0 / k + q * sum;
    }
    log1p.segment<kHeld>(first) = s * sum;
  }
  return log1p;
}

void store(const Reals& lanes, std::size_t rows, double* to) noexcept {
  std::copy_n(lanes.data(), rows, to);
}

}  // namespace

// log L = min(y, 0) - log(1 + e^-|y|), y = t eta: of factors in [1, 2] the logarithm of a product.
double Logistic::sum(std::size_t rows, const double* eta, const double* response) const noexcept {
  using Packet = simd::Lanes<double>;
  constexpr std::size_t kFactors = 64;  // their product is at most 2^64
  constexpr std::size_t kWidth = simd::kLanes<double>;
  DecayLanes below{};
  double total = 0.0;
  std::size_t first = 0;
  while (first + kDecays <= rows) {
    DecayLanes product{};
    for (Packet& lanes : product) {
      lanes += 1.0;
    }
    for (std::size_t i = 0; i < kFactors && first + kDecays <= rows; ++i, first += kDecays) {
      DecayLanes decays;
#pragma GCC unroll 16
      for (std::size_t part = 0; part < kDecayParts; ++part) {
        const std::size_t at = first + part * kWidth;
        const Packet y = simd::load(eta + at) * simd::load(response + at);
        const Packet negative = y < 0.0 ? y : Packet{};
        below[part] += negative;
        decays[part] = 2.0 * negative - y;  // -|y|
      }
      decay(decays);
#pragma GCC unroll 16
      for (std::size_t part = 0; part < kDecayParts; ++part) {
        product[part] *= 1.0 + decays[part];
      }
    }
    for (const Packet& lanes : product) {
      for (std::size_t lane = 0; lane < kWidth; ++lane) {
        total -= std::log(lanes[lane]);
      }
    }
  }
  for (const Packet& lanes : below) {
    for (std::size_t lane = 0; lane < kWidth; ++lane) {
      total += lanes[lane];
    }
  }
  for (; first < rows; ++first) {
    total += log_likelihood(eta[first], response[first]);
  }
  return total;
}

struct Logistic::Lanes {
  std::size_t rows;
  Reals eta;
  Reals decay;  // e^-|eta|, the only exponential
  Reals slope;

  explicit Lanes(const LikelihoodBlock& block)
      : rows(block.rows), eta(load(block.eta, rows)), decay(decay_of(eta)) {
    const Reals response = load(block.response, rows);
    const Reals y = response * eta;
    slope = response * (y < 0.0).select(Reals::Ones(), decay) / (1.0 + decay);
    store(y.min(0.0) - log1p_of_share(decay), rows, block.value);
    store(slope, rows, block.slope);
  }
};

void Logistic::evaluate(const LikelihoodBlock& block) const noexcept {
  for (std::size_t first = 0; first < block.rows; first += kLanes) {
    (void)Lanes(block.from(first, kLanes));
  }
}

void Logistic::evaluate(const LikelihoodBlock& block, const TangentBlock& tangents) const noexcept {
  constexpr double kUnderflow = 300.0;  // of e^-2|eta|, well below it
  for (std::size_t first = 0; first < block.rows; first += kLanes) {
    const LikelihoodBlock rows = block.from(first, kLanes);
    const TangentBlock touching = tangents.from(first);
    const Lanes lanes(rows);
    if (kCubatureReach * load(touching.leverage, rows.rows).maxCoeff() <= kSmall &&
        lanes.eta.abs().maxCoeff() < kUnderflow) {
      set_near(lanes, touching);
    } else {
      set_far(rows, touching);
    }
  }
}

// local_curvature() and Cubature::expected_gap(), side by side; the curvature may be that of a
// region beyond the series.
void Logistic::set_near(const Lanes& lanes, const TangentBlock& tangents) {
  const Reals leverage = load(tangents.leverage, lanes.rows);
  const Reals least = lanes.decay / (1.0 + lanes.decay);
  const Reals most = 1.0 - least;
  const Reals p = (lanes.eta > 0.0).select(most, least);
  const Reals s = (lanes.eta > 0.0).select(least, most);
  const Reals u = (tangents.radius * leverage).min(2.0 * lanes.eta.abs());
  Reals slope;
  const Reals towards = (lanes.eta > 0.0).select(-u, u);
  Reals fall = remainder_near(p, s, towards, slope);
  if (u.maxCoeff() > kSmall) {  // -F as in excess_far(): u favours the smaller share
    const Reals excess = (least + most * (-u).exp()).log() + most * u;
    fall = (u > kSmall).select(-excess, fall);
  }
  const Reals needed = (u < kSeries).select(least * most + kTilt * u, -2.0 * fall / (u * u));
  const Reals curvature = needed + kCurvatureMargin * (1.0 + needed.abs());
  const Reals h = kCubatureReach * leverage;
  const Reals bend = 0.5 * curvature * h * h;
  Reals slope_up;
  Reals slope_down;
  const Reals minus_h = -h;
  const Reals up = remainder_near(p, s, h, slope_up);
  const Reals down = remainder_near(p, s, minus_h, slope_down);
  store(curvature, lanes.rows, tangents.curvature);
  store(kCubatureWeight * ((up + bend).abs() + (down + bend).abs()), lanes.rows, tangents.gap);
  store(lanes.slope + kCubatureWeight * (slope_up + slope_down), lanes.rows, tangents.smooth_slope);
}

// Row by row, where some row leaves the series.
void Logistic::set_far(const LikelihoodBlock& block, const TangentBlock& tangents) const noexcept {
  for (std::size_t i = 0; i < block.rows; ++i) {
    const double a = block.eta[i];
    const double k = local_curvature(a, block.response[i], tangents.radius * tangents.leverage[i]);
    const double h = kCubatureReach * tangents.leverage[i];
    const double bend = 0.5 * k * h * h;
    const double share = memo(a, block.response[i]);
    double slope_up = 0.0;
    double slope_down = 0.0;
    const double up = remainder_from(share, a, h, slope_up);
    const double down = remainder_from(share, a, -h, slope_down);
    tangents.curvature[i] = k;
    tangents.gap[i] = kCubatureWeight * (std::abs(up + bend) + std::abs(down + bend));
    tangents.smooth_slope[i] = block.slope[i] + kCubatureWeight * (slope_up + slope_down);
  }
}

}  // namespace flymc
