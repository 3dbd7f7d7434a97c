#include "diagnose/coda_ess.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "diagnose/autocovariance.hpp"
#include "diagnose/moments.hpp"

namespace flymc {
namespace {

// The tolerance of R's all.equal.
const double kStraight = std::sqrt(std::numeric_limits<double>::epsilon());

[[nodiscard]] std::vector<double> centred(std::span<const double> chain) {
  const double centre = mean(chain);
  std::vector<double> residuals(chain.begin(), chain.end());
  for (double& x : residuals) {
    x -= centre;
  }
  return residuals;
}

// True if x = a + b t holds within rounding; `x` has mean zero.
[[nodiscard]] bool is_straight_line(std::span<const double> x) {
  const auto n = static_cast<double>(x.size());
  const double middle = (n - 1.0) / 2.0;
  double slope = 0.0;
  for (std::size_t t = 0; t < x.size(); ++t) {
    slope += x[t] * (static_cast<double>(t) - middle);
  }
  slope /= n * (n * n - 1.0) / 12.0;
  double squares = 0.0;
  for (std::size_t t = 0; t < x.size(); ++t) {
    const double residual = x[t] - slope * (static_cast<double>(t) - middle);
    squares += residual * residual;
  }
  return std::sqrt(squares / (n - 1.0)) <= kStraight;
}

// g_0 .. g_{max_lag} with divisor n; `x` has mean zero.
[[nodiscard]] std::vector<double> autocovariances(std::span<const double> x, std::size_t max_lag) {
  std::vector<double> g(max_lag + 1);
  for (std::size_t lag = 0; lag <= max_lag; ++lag) {
    g[lag] = lagged_product(x, lag) / static_cast<double>(x.size());
  }
  return g;
}

// The autoregression of order m: its coefficients phi_{m,1..m} and innovation variance v_m.
struct Autoregression {
  std::vector<double> phi;
  double innovation = 0.0;

  // Levinson-Durbin: order m from order m - 1.
  void extend(std::span<const double> g) {
    const std::size_t m = phi.size() + 1;
    double kappa = g[m];
    for (std::size_t j = 1; j < m; ++j) {
      kappa -= phi[j - 1] * g[m - j];
    }
    kappa /= innovation;
    const std::vector<double> previous = phi;
    for (std::size_t j = 1; j < m; ++j) {
      phi[j - 1] -= kappa * previous[m - j - 1];
    }
    phi.push_back(kappa);
    innovation *= 1.0 - kappa * kappa;
  }
};

// The order that minimises n ln v_m + 2 m.
[[nodiscard]] Autoregression best_autoregression(std::span<const double> g, double n) {
  Autoregression model = {.phi = {}, .innovation = g[0]};
  Autoregression best = model;
  double best_aic = n * std::log(model.innovation);
  while (model.phi.size() + 1 < g.size()) {
    model.extend(g);
    const double aic = n * std::log(model.innovation) + 2.0 * static_cast<double>(model.phi.size());
    if (aic < best_aic) {
      best = model;
      best_aic = aic;
    }
  }
  return best;
}

}  // namespace

ArSpectrum ar_spectrum(std::span<const double> chain) {
  const bool finite = std::ranges::all_of(chain, [](double x) { return std::isfinite(x); });
  if (chain.size() < 3 || !finite) {
    return {};
  }
  const std::vector<double> x = centred(chain);
  if (is_straight_line(x)) {
    return {};
  }
  const auto n = static_cast<double>(x.size());
  const auto max_order = std::min(x.size() - 1, static_cast<std::size_t>(10.0 * std::log10(n)));
  const auto best = best_autoregression(autocovariances(x, max_order), n);
  const std::size_t order = best.phi.size();
  const double s2 = best.innovation * n / (n - static_cast<double>(order) - 1.0);
  const double gain = 1.0 - std::accumulate(best.phi.begin(), best.phi.end(), 0.0);
  return {.order = order, .spec0 = s2 / (gain * gain)};
}

double coda_ess(std::span<const double> chain) {
  const double spec0 = ar_spectrum(chain).spec0;
  return spec0 == 0.0 ? 0.0 : static_cast<double>(chain.size()) * variance(chain) / spec0;
}

double coda_ess(const Chains& chains) {
  double total = 0.0;
  for (std::size_t k = 0; k < chains.count(); ++k) {
    total += coda_ess(chains[k]);
  }
  return total;
}

}  // namespace flymc
