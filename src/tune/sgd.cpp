#include "flymc/detail/tune/sgd.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace flymc {

Vector stochastic_gradient(const Prior& prior, const BatchGradient& batch_gradient,
                           std::size_t rows, const SgdOptions& options, Stream stream) {
  const std::size_t batch = std::clamp<std::size_t>(options.batch, 1, rows);
  const double scale = static_cast<double>(rows) / static_cast<double>(batch);
  const auto steps = std::max<std::size_t>(
      20, static_cast<std::size_t>(options.epochs * static_cast<double>(rows) /
                                   static_cast<double>(batch)));
  Vector theta = prior.start();
  Vector average = theta;
  Vector gradient(prior.dimension());
  Vector squares = Vector::Constant(prior.dimension(), 1e-12 / options.unit / options.unit);
  std::vector<std::size_t> chosen(batch);
  double averaged = 0.0;
  for (std::size_t t = 0; t < steps; ++t) {
    std::generate(chosen.begin(), chosen.end(), [&] { return stream.below(rows); });
    gradient.setZero();
    batch_gradient(theta, chosen, gradient);
    gradient *= scale;
    prior.add_gradient(theta, gradient);
    squares += gradient.cwiseAbs2();
    theta += options.step * options.unit * gradient.cwiseQuotient(squares.cwiseSqrt());
    if (2 * t >= steps) {
      averaged += 1.0;
      average += (theta - average) / averaged;
    }
  }
  return average;
}

}  // namespace flymc
