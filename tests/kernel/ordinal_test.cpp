// Ordered classes, one slope and two cut points: chains against the integrated posterior, and one
// iteration from the posterior, which leaves it as it was.
#include "family/ordinal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/exact_expect.hpp"
#include "support/exact_local_chain.hpp"
#include "support/exact_stationary.hpp"

namespace flymc {

// A difference of probabilities; nothing where there is none.
inline double log_likelihood_of(const Ordinal& /*model*/, const double* eta, double response) {
  const auto below = [&](int cut) { return 1.0 / (1.0 + std::exp(eta[0] - eta[cut])); };
  if (!(eta[2] > eta[1])) {
    return -std::numeric_limits<double>::infinity();
  }
  return std::log(response == 0.0   ? below(1)
                  : response == 1.0 ? below(2) - below(1)
                                    : 1.0 - below(2));
}

}  // namespace flymc

namespace flymc::exact {
namespace {

// Rows have weights and offsets; the column is centred, which cut points make up for.
Problem<Ordinal> ordinal_problem(std::size_t rows) {
  const std::vector<double> truth{0.7, -0.6, 0.8};
  const Ordinal model(3);
  Stream stream(63, 0, Purpose::kTest, rows);
  std::vector<double> x;
  std::vector<double> response;
  Table table;
  for (std::size_t n = 0; n < rows; ++n) {
    x.push_back(stream.normal());
    table.offset.push_back(0.2 * stream.normal());
    table.weights.push_back(0.5 + stream.uniform());
    std::vector<double> eta{truth[0] * (x.back() - 0.1) + table.offset.back(), truth[1], truth[2]};
    response.push_back(model.sample(stream, eta.data(), {}));
  }
  Table rest = table_of(x, response);
  rest.weights = table.weights;
  rest.offset = table.offset;
  Dataset::Options options;
  options.center = Vector::Constant(1, 0.1);
  options.predictors = {{1}, {0}, {0}};
  std::vector<PriorTerm> terms;
  for (const double one : truth) {
    terms.push_back({PriorKind::kNormal, one + 0.1, 0.6});
  }
  return {model, Prior(std::move(terms)), Dataset(std::move(rest), options), 0.0};
}

TEST(OrdinalChains, ReproduceMomentsAndCoins) {
  const auto problem = ordinal_problem(100);
  const Combination choice{.bound = BoundKind::kLocal,
                           .z = ZChoice::kWeighted,
                           .kernel = KernelChoice::kSplitHmc,
                           .frame = FrameChoice::kOscillator,
                           .local = {}};
  const LocalRun run = run_local(problem, choice, 15, 20'000);
  EXPECT_LT(run.beacons, 60U);  // else coins say little
  expect_agreement(run.comparisons);
}

const LocalChoice kWithBeacons{
    .shells = {-0.4, 0.9}, .beacons = BeaconShare::kSome, .name = "shrunk_beacons"};

TEST(OrdinalChains, AreStationary) {
  std::uint64_t seed = 1600;
  for (const std::size_t rows : {12U, 60U}) {
    const auto problem = ordinal_problem(rows);
    PosteriorDraws<Ordinal> draws(problem);
    const std::size_t transitions = rows > 50 ? 1'000 : 2'000;
    for (const LocalChoice& local : {kDefault, kShrunk, kWithBeacons}) {
      expect_stationary(problem, draws, local, kUpdates[0], seed++, transitions);
    }
    expect_stationary(problem, draws, kShrunk, kUpdates[1], seed++, transitions);
    expect_stationary(problem, draws, kWithBeacons, kUpdates[2], seed++, transitions);
  }
}

}  // namespace
}  // namespace flymc::exact
