// A likelihood as text against the same one in C++: value and remainder are a query, the curvature
// is set-up.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>

#include "family/auto/expression.hpp"
#include "flymc/detail/family/auto/curvature.hpp"
#include "flymc/detail/family/auto/functions.hpp"

namespace flymc {
namespace {

using smooth::Packed;
using smooth::Region;
using smooth::Remainder;
using smooth::Value;

struct NegativeBinomialInCpp {
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double y) const {
    const T r = exp(eta[1]);
    const T x = eta[0] - eta[1];
    return lrising(r, y) + y * x - (r + y) * softplus(x);
  }
};

struct NegativeBinomialAsText {
  Expression expression{"r = exp(size); x = mu - size; lrising(r, y) + y*x - (r + y)*softplus(x)",
                        {"mu", "size"},
                        {"y"}};
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double y) const {
    return expression.log_density(eta, {&y, 1});
  }
};

constexpr std::array<double, 8> kCounts{0, 1, 3, 7, 2, 0, 15, 4};

// `evaluate` a density at the i-th row, again and again.
template <class Density, class Evaluate>
void run_rows(benchmark::State& state, const Evaluate& evaluate) {
  const Density density;
  std::size_t i = 0;
  for (auto _ : state) {
    i = (i + 1) % kCounts.size();
    benchmark::DoNotOptimize(evaluate(density, 0.3 * static_cast<double>(i) - 1.0, kCounts[i]));
  }
}

template <class Density>
void BM_DensityValue(benchmark::State& state) {
  run_rows<Density>(state, [](const Density& density, double mu, double y) {
    return density.log_density(std::array{Value(mu), Value(0.7)}, y).value;
  });
}
BENCHMARK(BM_DensityValue<NegativeBinomialInCpp>);
BENCHMARK(BM_DensityValue<NegativeBinomialAsText>);

template <class Density>
void BM_DensityRemainder(benchmark::State& state) {
  run_rows<Density>(state, [](const Density& density, double mu, double y) {
    return density
        .log_density(
            std::array{Remainder<2>::variable(mu, 0.1, 0), Remainder<2>::variable(0.7, -0.05, 1)},
            y)
        .rest;
  });
}
BENCHMARK(BM_DensityRemainder<NegativeBinomialInCpp>);
BENCHMARK(BM_DensityRemainder<NegativeBinomialAsText>);

template <class Density>
void BM_DensityCurvature(benchmark::State& state) {
  const Region<2> region{.covariance = {0.01, 0.002, 0.004},
                         .radius = 5.0,
                         .shared = {false, true},
                         .shared_radius = 4.0};
  run_rows<Density>(state, [&](const Density& density, double mu, double y) {
    Packed<2> w{};
    const bool is_bounded = smooth::local_curvature<2>(
        [&](const auto& eta) { return density.log_density(eta, y); }, {mu, 0.7}, region, w);
    return is_bounded ? w[0] : HUGE_VAL;
  });
}
BENCHMARK(BM_DensityCurvature<NegativeBinomialInCpp>);
BENCHMARK(BM_DensityCurvature<NegativeBinomialAsText>);

}  // namespace
}  // namespace flymc
