#include "cli/doctor/self_test.hpp"

#include <cmath>
#include <vector>

#include "flymc/fit.hpp"

namespace flymc::cli {
namespace {

constexpr std::size_t kTestRows = 200;

// Numbers without a generator: a lattice.
double lattice(std::size_t n, std::size_t step, std::size_t modulus) {
  return static_cast<double>(n * step % modulus) / static_cast<double>(modulus);
}

Table table() {
  Table table;
  table.rows = kTestRows;
  table.columns = {"x"};
  table.response.name = "y";
  for (std::size_t n = 1; n <= kTestRows; ++n) {
    const double x = 4.0 * lattice(n, 7919, 1009) - 2.0;
    table.x.push_back(x);
    table.response.values.push_back(lattice(n, 104729, 1013) < 1.0 / (1.0 + std::exp(-x)) ? 1.0
                                                                                          : 0.0);
  }
  return table;
}

FitSettings settings(unsigned threads) {
  FitSettings settings;
  settings.intercept = false;
  settings.prior = {.automatic = false, .kind = PriorKind::kNormal, .scale = 1.0};
  settings.engine = EngineKind::kFly;
  settings.threads = threads;
  return settings;
}

double log_posterior(const Table& data, double theta) {
  double sum = -0.5 * theta * theta;
  for (std::size_t n = 0; n < data.rows; ++n) {
    const double eta = data.x[n] * theta;
    sum -= std::log1p(std::exp(data.response.values[n] > 0.0 ? -eta : eta));
  }
  return sum;
}

// By the trapezoid rule: the integrand is smooth and ends at 0 on both sides.
double mean_by_quadrature(const Table& data) {
  constexpr double kStep = 0.005;
  constexpr int kSteps = 1200;  // theta from -3 to 3
  const double top = log_posterior(data, 1.0);
  double mass = 0.0;
  double moment = 0.0;
  for (int i = -kSteps / 2; i <= kSteps / 2; ++i) {
    const double theta = kStep * i;
    const double density = std::exp(log_posterior(data, theta) - top);
    mass += density;
    moment += theta * density;
  }
  return moment / mass;
}

Fit fitted(unsigned threads) {
  Fit fit(table(), settings(threads));
  fit.run();
  return fit;
}

std::vector<double> slopes(const Fit& fit) { return gather(fit.chains(), "beta.1"); }

}  // namespace

bool SelfTest::passed() const noexcept {
  return same_draws && std::abs(mean - quadrature) < 5.0 * mcse;
}

SelfTest run_self_test() {
  const Fit fit = fitted(0);
  const Estimate slope = fit.summary().parameters.front().estimate;
  return {.mean = slope.mean,
          .mcse = slope.mcse_mean,
          .quadrature = mean_by_quadrature(table()),
          .same_draws = slopes(fit) == slopes(fitted(1))};
}

}  // namespace flymc::cli
