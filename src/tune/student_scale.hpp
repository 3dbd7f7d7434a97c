// The scale s of a Student-t regression from the data, once: EM for (theta, s) on a sample of rows,
//   w_n = (nu + 1) / (nu + r_n^2 / s^2),  theta = weighted least squares,  s^2 = mean(w_n r_n^2).
#pragma once

#include <cstdint>

#include "flymc/dataset.hpp"

namespace flymc {

struct NoiseScale {
  double scale = 0.0;       // positive
  bool noise_free = false;  // residuals that are all but zero: a millionth of the response's spread
};

// With no more rows than columns any fit is perfect: then residuals are taken about the mean.
[[nodiscard]] NoiseScale estimate_scale(const Dataset& data, double nu, std::uint64_t seed);

}  // namespace flymc
