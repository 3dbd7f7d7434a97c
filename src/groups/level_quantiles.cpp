#include "groups/level_quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flymc {

LevelQuantiles::LevelQuantiles(const RowModel& model, const double* shared)
    : model_(model),
      shared_(shared),
      slopes_(kPoints * (1 + model.shared())),
      information_(kPoints * model.curvatures()) {}

void LevelQuantiles::begin(double u, double sd, double scale, double farthest) {
  const double step = 2.0 * farthest * sd / static_cast<double>(kPoints - 1);
  for (std::size_t k = 0; k < kPoints; ++k) {
    off_[k] = step * static_cast<double>(k) - farthest * sd;
    const double z = (u + off_[k]) / scale;
    log_density_[k] = -0.5 * z * z;
  }
}

void LevelQuantiles::add_row(double eta, double w, double response, double weight) {
  for (std::size_t k = 0; k < kPoints; ++k) {
    eta_[k] = eta + w * off_[k];
  }
  response_.fill(response);
  model_.evaluate({kPoints, eta_.data(), response_.data(), shared_}, value_.data(), slopes_.data(),
                  information_.data());
  for (std::size_t k = 0; k < kPoints; ++k) {
    log_density_[k] += weight * value_[k];
  }
}

// All of it by the trapezoidal rule, which has many digits of a smooth density; between two points
// of a tail its logarithm is a straight line, and what comes up from nothing is seen from its upper
// end.
LevelInterval LevelQuantiles::interval(double tail) const {
  const double most = *std::ranges::max_element(log_density_);
  double total = 0.0;
  for (const double log_density : log_density_) {
    total += std::exp(log_density - most);
  }
  const auto from_end = [&](auto point) {  // point(k): the k-th from that end
    double left = tail * total;            // in steps between points
    for (std::size_t k = 1; k < kPoints; ++k) {
      const double rise = log_density_[point(k)] - log_density_[point(k - 1)];
      const double there = std::exp(log_density_[point(k)] - most);
      if (!(there > 0.0)) {
        continue;
      }
      const bool is_flat = std::abs(rise) < 1e-6;
      const double mass = is_flat ? there : there * -std::expm1(-rise) / rise;
      if (mass >= left) {
        const double back =
            is_flat ? (mass - left) / there : -std::log1p(-(mass - left) * rise / there) / rise;
        return off_[point(k)] + back * (off_[point(k - 1)] - off_[point(k)]);
      }
      left -= mass;
    }
    return std::numeric_limits<double>::quiet_NaN();
  };
  return {from_end([](std::size_t k) { return k; }),
          from_end([](std::size_t k) { return kPoints - 1 - k; })};
}

}  // namespace flymc
