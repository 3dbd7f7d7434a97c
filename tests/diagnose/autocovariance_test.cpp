#include "diagnose/autocovariance.hpp"

#include <gtest/gtest.h>

#include "diagnose/moments.hpp"
#include "diagnose/reference_series.hpp"

namespace flymc {
namespace {

double by_definition(const Chains& chains, std::size_t lag) {
  double sum = 0.0;
  for (std::size_t k = 0; k < chains.count(); ++k) {
    const double centre = mean(chains[k]);
    for (std::size_t t = 0; t + lag < chains.length(); ++t) {
      sum += (chains[k][t] - centre) * (chains[k][t + lag] - centre);
    }
  }
  return sum / static_cast<double>(chains.values().size());
}

TEST(Autocovariance, IsItsDefinitionAtEveryLag) {
  const std::vector<std::vector<double>> series = {series_a(), series_u(), series_b()};
  for (const std::size_t count : {1U, 2U, 3U}) {
    for (const std::size_t n : {1U, 2U, 3U, 64U, 65U, 1000U}) {
      auto some = series;
      some.resize(count);
      const auto values = side_by_side(some, n);
      const Chains chains(values, count);
      const auto g = mean_autocovariance(chains);
      ASSERT_EQ(g.size(), n);
      for (std::size_t lag = 0; lag < n; ++lag) {
        EXPECT_NEAR(g[lag], by_definition(chains, lag), 1e-15 + 1e-14 * g[0]);
      }
    }
  }
}

}  // namespace
}  // namespace flymc
