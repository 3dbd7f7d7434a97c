// The deterministic series of the interface's reference vectors.
#pragma once

#include <cstddef>
#include <vector>

namespace flymc {

// u_t = ((factor t) mod modulus)/modulus, t = 1..n.
[[nodiscard]] inline std::vector<double> lattice(std::size_t n, std::size_t factor,
                                                 std::size_t modulus) {
  std::vector<double> u(n);
  for (std::size_t t = 1; t <= n; ++t) {
    u[t - 1] = static_cast<double>((factor * t) % modulus) / static_cast<double>(modulus);
  }
  return u;
}

// a_1 = 0, a_t = phi a_{t-1} + u_t - 1/2.
[[nodiscard]] inline std::vector<double> autoregressive(const std::vector<double>& u,
                                                        double phi = 0.9) {
  std::vector<double> a(u.size(), 0.0);
  for (std::size_t t = 1; t < u.size(); ++t) {
    const volatile double decayed = phi * a[t - 1];  // volatile: R has no fused multiply-add
    a[t] = decayed + u[t] - 0.5;
  }
  return a;
}

// s_t = sum_{i <= t} (u_i - 1/2); in R Reduce(`+`, u - 0.5, accumulate = TRUE), as cumsum carries
// more digits than a double.
[[nodiscard]] inline std::vector<double> cumulative(const std::vector<double>& u) {
  std::vector<double> s;
  double sum = 0.0;
  for (const double x : u) {
    sum += x - 0.5;
    s.push_back(sum);
  }
  return s;
}

[[nodiscard]] inline std::vector<double> series_u() { return lattice(1000, 7919, 1009); }
[[nodiscard]] inline std::vector<double> series_v() { return lattice(1000, 104729, 1013); }
[[nodiscard]] inline std::vector<double> series_a() { return autoregressive(series_u()); }
[[nodiscard]] inline std::vector<double> series_b() { return autoregressive(series_v()); }

// The first n draws of each chain, one chain after the other.
[[nodiscard]] inline std::vector<double> side_by_side(
    const std::vector<std::vector<double>>& chains, std::size_t n = 1000) {
  std::vector<double> values;
  for (const auto& chain : chains) {
    values.insert(values.end(), chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(n));
  }
  return values;
}

}  // namespace flymc
