#include "groups/row_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "flymc/detail/core/special.hpp"
#include "flymc/error.hpp"
#include "ranks/sums_along.hpp"

namespace flymc {

double expected_gap(const RowModel& model, const RowTangent& bound, double response, double mean,
                    double sd, const SharedSpread& shared) {
  const std::size_t m = model.shared();
  RowSlopes at{};
  std::copy_n(shared.mean, m, at.begin());
  const auto gap = [&](double u) {
    const double value = model.gap({.touch = &bound.touch,
                                    .curvature = bound.curvature.data(),
                                    .response = &response,
                                    .u = &u,
                                    .shared_touch = shared.touch,
                                    .shared_u = at.data()});
    return value < 0.0 ? 0.0 : value;  // outside; what is no number stays none
  };
  const auto axes = static_cast<double>(1 + m);
  double sum =
      (1.0 - 2.0 * kCubatureWeight * axes) * gap(mean) +
      kCubatureWeight * (gap(mean - kCubatureReach * sd) + gap(mean + kCubatureReach * sd));
  for (std::size_t j = 0; j < m; ++j) {
    for (const double side : {-kCubatureReach, kCubatureReach}) {
      for (std::size_t i = 0; i < m; ++i) {
        at[i] = shared.mean[i] + side * shared.factor[j * m + i];
      }
      sum += kCubatureWeight * gap(mean);
    }
  }
  return sum;
}

RowTangent choose_bound(const RowModel& model, double response, double eta, double sd,
                        double radius, const SharedSpread& shared) {
  RowTangent best{RowBound::kBeacon, eta, {}};
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](const RowTangent& bound) {
    const double gap = expected_gap(model, bound, response, eta - bound.touch, sd, shared);
    if (gap < least) {
      least = gap;
      best = bound;
    }
  };
  const auto consider_global = [&](double touch) {
    if (const double bend = model.global_curvature(touch, response); std::isfinite(bend)) {
      consider({RowBound::kGlobal, touch, {std::max(0.0, bend)}});
    }
  };
  consider_global(eta);
  consider_global(std::copysign(std::hypot(eta, sd), eta));
  if (RowTangent local{RowBound::kLocal, eta, {}};
      std::isfinite(radius) &&
      model.local_curvature({eta, response, radius, shared.touch, shared.region},
                            local.curvature.data())) {
    // Raised, it is a bound still; below zero there would be scales without a frame.
    local.curvature[0] = std::max(0.0, local.curvature[0]);
    consider(local);
  }
  return best;
}

double default_level_radius(std::size_t rows, double coordinates) {
  const double tail = std::min(1e-3, 1.0 / static_cast<double>(rows));
  return std::sqrt(coordinates - 1.0) - normal_quantile(0.5 * tail);
}

namespace {

constexpr double kRatePerGap = 1.65;

// Of the rows here. Takes the gaps: their memory is free before tables of rates are made.
Buffer<float> rates_of(Buffer<double> expected_gaps, const Buffer<RowBound>& kind) {
  constexpr double kMost = 30.0;
  Buffer<float> rates(kind.size());
  for (std::size_t n = 0; n < kind.size(); ++n) {
    if (kind[n] == RowBound::kBeacon) {
      rates[n] = CoinRate::beacon().stored();
      continue;
    }
    const double rate = kRatePerGap * expected_gaps[n];
    rates[n] = static_cast<float>(std::isfinite(rate) ? std::clamp(rate, 1e-12, kMost) : kMost);
  }
  return rates;
}

}  // namespace

void RowBounds::set_rates(Buffer<double> expected_gaps, unsigned threads) {
  constexpr double kSlackPerGap = 0.1;
  rates_here = rates_of(std::move(expected_gaps), kind);
  Buffer<float> stored =
      numbers.is_split() ? numbers.by_number(rates_here) : std::exchange(rates_here, {});
  const double total = sums_along(numbers.ranks(), 1, [&](std::span<double> sum) {
                         for (const float rate : stored) {  // of a beacon 0
                           sum[0] += static_cast<double>(rate);
                         }
                       }).front();
  const auto coins = static_cast<double>(std::max<std::size_t>(rows() - beacons, 1));
  const auto least = static_cast<float>(1e-4 * total / coins);
  for (Buffer<float>* const all : {&stored, &rates_here}) {
    for (float& rate : *all) {
      if (!CoinRate(rate).is_beacon()) {
        rate = std::max(rate, least);
      }
    }
  }
  slack_per_rate = kSlackPerGap / kRatePerGap;
  expected_bright = total / kRatePerGap * (1.0 + kSlackPerGap);
  rates = Rates(std::move(stored), numbers.shard(), threads);
}

Matrix shared_region_of(const Matrix& factor, double radius) {
  return factor * (radius > 0.0 ? radius : std::sqrt(static_cast<double>(factor.rows())) + 4.5);
}

double bent_against(const Matrix& factor, const Matrix& covariance) {
  const Matrix bent = factor.transpose() * covariance.inverse() * factor;
  return bent.selfadjointView<Eigen::Lower>().eigenvalues().maxCoeff();
}

Matrix shared_walk(const Matrix& bend, const Matrix& region) {
  const Index size = region.rows();
  Matrix all = bend.selfadjointView<Eigen::Lower>();
  all.diagonal().array() += region.rowwise().squaredNorm().array().inverse();
  const Eigen::LLT<Matrix> llt(all);
  const double width = 2.4 / std::sqrt(static_cast<double>(std::max<Index>(size, 1)));
  if (llt.info() != Eigen::Success) {
    return region;
  }
  return llt.matrixU().solve(width * Matrix::Identity(size, size));
}

RowCurvature downward(const RowModel& model, const RowCurvature& information) {
  RowCurvature bend = information;
  if (model.shared() > 0) {
    make_upward(CurvatureForm::kSymmetric, 1 + static_cast<int>(model.shared()), Sign::kPositive,
                bend.data());
  } else {
    bend[0] = std::max(bend[0], 0.0);
  }
  return bend;
}

void throw_no_noise() {
  throw Error(ErrorKind::kData,
              "no mode was found for the group effects: columns and levels explain the response "
              "without noise, as far as doubles can tell; leave a term out.");
}

}  // namespace flymc
