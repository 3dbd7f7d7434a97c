// Small posteriors of likelihoods whose bounds the program derives. Their log densities are written
// a second time, in textbook form.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "flymc/family/automatic.hpp"
#include "support/densities.hpp"
#include "support/exact_problem.hpp"

namespace flymc::unit {

// Found by the namespace of the density.
inline double log_likelihood_of(const Automatic<CloglogDensity>& /*model*/, const double* eta,
                                double response) {
  const double rate = std::exp(*eta);
  return response > 0.5 ? std::log(-std::expm1(-rate)) : -rate;
}
inline double log_likelihood_of(const Automatic<ExponentialDensity>& /*model*/, const double* eta,
                                double response) {
  return -*eta - response / std::exp(*eta);
}
inline double log_likelihood_of(const Automatic<StudentDensity>& model, const double* eta,
                                double response) {
  const double y = (response - *eta) / model.density().scale;
  return -0.5 * (model.density().nu + 1.0) * std::log(1.0 + y * y / model.density().nu);
}

inline double log_likelihood_of(const Automatic<RateDensity>& /*model*/, const double* eta,
                                double response) {
  return *eta > 0.0 ? std::log(*eta) - response * *eta : -HUGE_VAL;
}

}  // namespace flymc::unit

namespace flymc::exact {

// Where the rows of a problem lie: predictors are offset + theta_0 + theta_1 x.
struct Design {
  double offset = 0.0;  // on average
  double offset_spread = 0.2;
  double x_spread = 1.0;
};

// Rows of one column drawn at random, with weights and offsets; responses by the density's own.
template <class Density>
[[nodiscard]] Problem<Automatic<Density>> automatic_problem(const Density& density,
                                                            std::size_t rows, Design design = {}) {
  Stream stream(61, 0, Purpose::kTest, rows);
  std::vector<double> x;
  std::vector<double> response;
  std::vector<double> weights;
  std::vector<double> offset;
  for (std::size_t n = 0; n < rows; ++n) {
    x.push_back(design.x_spread * stream.normal());
    offset.push_back(design.offset + design.offset_spread * stream.normal());
    weights.push_back(0.5 + stream.uniform());
    response.push_back(density.draw(stream, 0.3 + 0.5 * x.back() + offset.back()));
  }
  Table table = table_of(x, response);
  table.weights = weights;
  table.offset.assign(offset.begin(), offset.end());
  return {Automatic<Density>(density), equal_prior(PriorKind::kNormal, 2, 0.1, 0.8),
          Dataset(std::move(table), {}), 0.0};
}

}  // namespace flymc::exact
