#include "diagnose/coda_ess.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "diagnose/reference_series.hpp"

namespace flymc {
namespace {

constexpr double kDigits = 1e-11;  // relative; the references are printed with %.15g

void expect_ess(const std::vector<double>& chain, double expected) {
  EXPECT_NEAR(coda_ess(chain), expected, kDigits * expected);
}

// R 4.2, coda 0.19-4: spectrum0.ar(x), effectiveSize(x).
TEST(CodaEss, MatchesTheInterfaceVector) {
  const auto spectrum = ar_spectrum(series_a());
  EXPECT_EQ(spectrum.order, 30U);
  EXPECT_NEAR(spectrum.spec0, 0.404716617611733, 1e-13);
  expect_ess(series_a(), 274.593420536163);
  expect_ess(series_u(), 90267.9440400728);
  expect_ess(cumulative(series_u()), 6.68360365535114);
}

TEST(CodaEss, MatchesCodaOnShortChains) {
  const auto a = series_a();
  const std::vector<double> fifty(a.begin(), a.begin() + 50);
  EXPECT_EQ(ar_spectrum(fifty).order, 8U);
  expect_ess(fifty, 33.4857926683578);
  const double spec0[] = {0.0147832695368378, 0.0103898681011138, 0.0260561650877484,
                          0.0878696376838487, 0.0733826786633317, 0.0717137362241348};
  for (std::size_t n = 3; n <= 8; ++n) {
    const std::vector<double> first(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_EQ(ar_spectrum(first).order, 0U);
    EXPECT_NEAR(ar_spectrum(first).spec0, spec0[n - 3], kDigits * spec0[n - 3]);
    expect_ess(first, static_cast<double>(n));
  }
}

TEST(CodaEss, AddsUpOverChains) {
  const auto values = side_by_side({series_a(), series_b()});
  EXPECT_NEAR(coda_ess(Chains(values, 2)), 314.889599015899, 314.0 * kDigits);
}

TEST(CodaEss, DoesNotCapAntitheticChains) {
  std::vector<double> alternating(100);
  for (std::size_t t = 0; t < alternating.size(); ++t) {
    alternating[t] = t % 2 == 0 ? 1.0 : -1.0;
  }
  expect_ess(alternating, 19698.9898989899);
}

TEST(CodaEss, KeepsItsDigitsFarFromZero) {
  auto shifted = series_a();
  for (double& x : shifted) {
    x += 1e7;
  }
  EXPECT_NEAR(coda_ess(shifted), 274.593420748093, 1e-6);
}

TEST(CodaEss, IsZeroWhereThereIsNothingToMeasure) {
  std::vector<double> line(10);
  std::iota(line.begin(), line.end(), -3.0);
  auto tiny = series_a();
  for (double& x : tiny) {
    x *= 1e-9;  // coda's tolerance is absolute
  }
  EXPECT_EQ(coda_ess(std::vector<double>(10, 3.0)), 0.0);
  EXPECT_EQ(coda_ess(line), 0.0);
  EXPECT_EQ(coda_ess(tiny), 0.0);
  EXPECT_EQ(coda_ess(std::vector<double>{}), 0.0);
  EXPECT_EQ(coda_ess(std::vector<double>{1.0}), 0.0);
  EXPECT_EQ(coda_ess(std::vector<double>{1.0, 2.0}), 0.0);
}

TEST(CodaEss, IsZeroIfADrawIsNotFinite) {
  auto chain = series_a();
  chain[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(coda_ess(chain), 0.0);
  chain[7] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(coda_ess(chain), 0.0);
}

}  // namespace
}  // namespace flymc
