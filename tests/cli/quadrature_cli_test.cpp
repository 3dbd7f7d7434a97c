// The whole program against quadrature in one dimension, for the models that came after the
// paper's: mean and standard deviation of one slope, with fireflies and without. Likelihoods are
// written out here from their textbook definitions.
#include <cmath>

#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

struct Row {
  double x, y;
};
const std::vector<Row> kRows = {{0.5, 1}, {-1.0, 0}, {1.5, 0}, {2.0, 1}, {-0.3, 1}, {1.0, 1}};
constexpr double kTrials = 3.0;
constexpr double kSize = 2.0;

struct Case {
  std::string model;
  Words options;
  double (*log_likelihood)(double eta, double y);
};

const std::vector<Case> kCases = {
    {"poisson", {}, [](double eta, double y) { return y * eta - std::exp(eta); }},
    {"probit",
     {},
     [](double eta, double y) {
       return std::log(0.5 * std::erfc((y > 0.0 ? -eta : eta) / std::sqrt(2.0)));
     }},
    {"binomial",
     {"--trials", "m"},
     [](double eta, double y) { return y * eta - kTrials * std::log1p(std::exp(eta)); }},
    {"negative-binomial", {"--size", "2"}, [](double eta, double y) {
       return y * eta - (y + kSize) * std::log(std::exp(eta) + kSize);
     }}};

struct Moments {
  double mean = 0.0, sd = 0.0;
};

// Prior normal(0, 1) on the slope; the trapezium rule is exact to rounding for such a bell.
Moments by_quadrature(const Case& of) {
  double mass = 0.0;
  double first = 0.0;
  double second = 0.0;
  for (double beta = -8.0; beta <= 8.0; beta += 1e-3) {
    double log_density = -0.5 * beta * beta;
    for (const Row& row : kRows) {
      log_density += of.log_likelihood(row.x * beta, row.y);
    }
    const double density = std::exp(log_density);
    mass += density;
    first += density * beta;
    second += density * beta * beta;
  }
  const double mean = first / mass;
  return {mean, std::sqrt(second / mass - mean * mean)};
}

class QuadratureCli : public Cli {};

TEST_F(QuadratureCli, EveryNewModelAgreesWithEitherEngine) {
  std::string text = "x,m,y\n";
  for (const Row& row : kRows) {
    text += std::to_string(row.x) + ",3," + std::to_string(row.y) + "\n";
  }
  write("d.csv", text);
  for (const Case& of : kCases) {
    const Moments exact = by_quadrature(of);
    for (const char* engine : {"fly", "regular"}) {
      SCOPED_TRACE(of.model + " " + engine);
      const Words drop = of.model == "binomial" ? Words{} : Words{"--drop", "m"};
      expect_done(fit("d.csv", Words{"--response", "y", "--no-intercept", "--prior", "normal:1",
                                     "--overwrite", "--engine", engine, "--model", of.model,
                                     "--warmup", "500", "--draws", "20000"} +
                                   of.options + drop));
      const Json slope = Json::parse(run({"summary", "out", "--json"}).out)["parameters"][0];
      const double mcse = slope["mcse_mean"];
      EXPECT_LT(mcse, 0.02 * exact.sd);
      EXPECT_NEAR(slope["mean"].get<double>(), exact.mean, 4.5 * mcse);
      EXPECT_NEAR(slope["sd"].get<double>() / exact.sd, 1.0, 0.05);
    }
  }
}

}  // namespace
}  // namespace flymc::testing
