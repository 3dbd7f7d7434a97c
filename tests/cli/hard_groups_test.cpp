// Group terms where they are hard: levels of few rows, of rare events, of very different sizes, one
// that separates, hardly any scatter. A run passes its checks or says that it does not, and the
// truth is where the posterior is.
#include <fmt/format.h>

#include <cmath>

#include "cli/cli_data.hpp"
#include "cli/group_runs.hpp"
#include "flymc/random.hpp"

namespace flymc::testing {
namespace {

// eta = intercept + 0.5 x + u of the level, with sd `sd`.
struct HardShape {
  std::string name;
  std::string model = "logistic";
  std::size_t levels = 50;
  std::size_t rows = 0;  // of a level
  bool zipf = false;     // of the first, of the k-th a k-th part and one
  double intercept = 0.0, sd = 0.7;
  bool separates = false;  // the first level: y is 1 in all of its rows
  std::string draws = "1000";
};

class HardGroups : public GroupRuns, public ::testing::WithParamInterface<HardShape> {
 protected:
  static constexpr double kSlope = 0.5;

  HardGroups() {
    const HardShape& shape = GetParam();
    Stream stream(51, 0, Purpose::kTest, 0);
    std::string text = "y,g,x\n";
    for (std::size_t level = 0; level < shape.levels; ++level) {
      const bool separated = shape.separates && level == 0;
      const double u = separated ? 2.5 * shape.sd : shape.sd * stream.normal();
      truth_.emplace_back(fmt::format("u.g[g{}]", level), u);
      for (std::size_t row = 0; row < rows_of(level); ++row) {
        const double x = stream.normal();
        const std::uint64_t y = response(shape.intercept + kSlope * x + u, stream);
        text += fmt::format("{},g{},{:.17g}\n", separated ? 1 : y, level, x);
      }
    }
    truth_.insert(truth_.end(),
                  {{"alpha", shape.intercept}, {"beta.1", kSlope}, {"sd.g", shape.sd}});
    write("t.csv", text);
  }

  static std::size_t rows_of(std::size_t level) {
    return GetParam().zipf ? 1 + GetParam().rows / (level + 1) : GetParam().rows;
  }
  static std::uint64_t response(double eta, Stream& stream) {
    if (GetParam().model == "poisson") {
      return stream.poisson(std::exp(eta));
    }
    return stream.uniform() < 1.0 / (1.0 + std::exp(-eta)) ? 1 : 0;
  }

  std::vector<std::pair<std::string, double>> truth_;  // of every parameter, by column
};

TEST_P(HardGroups, ARunPassesItsChecksOrSaysThatItDoesNot) {
  expect_done(run({"fit", "t.csv", "--model", GetParam().model, "--formula", "y ~ x + (1 | g)",
                   "--out", "out", "--warmup", "300", "--draws", GetParam().draws, "--quiet"}));
  const Json summary = Json::parse(run({"summary", "out", "--json"}).out);
  const std::string text = run({"summary", "out"}).out;
  const bool warns = text.find("FAILED: ") != std::string::npos;
  EXPECT_NE(warns, text.find("all passed: R-hat < 1.01") != std::string::npos) << text;
  EXPECT_EQ(warns, text.find("next step") != std::string::npos) << text;
  const Json& all = summary["parameters"];
  ASSERT_EQ(all.size(), truth_.size());
  for (const Json& parameter :
       {named(all, "alpha"), named(all, "beta.1"), named(all, "sd.g"), summary["lp__"]}) {
    EXPECT_TRUE(warns || parameter["rhat"].get<double>() < 1.01) << parameter << "\n" << text;
  }
  for (const auto& [column, truth] : truth_) {
    const Json parameter = named(all, column);
    EXPECT_NEAR(parameter["mean"].get<double>(), truth, 4.0 * parameter["sd"].get<double>())
        << column;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, HardGroups,
    ::testing::Values(HardShape{.name = "FivePoissonRowsALevel",
                                .model = "poisson",
                                .levels = 200,
                                .rows = 5,
                                .draws = "500"},
                      HardShape{.name = "OnePoissonRowALevel",
                                .model = "poisson",
                                .levels = 250,
                                .rows = 1,
                                .intercept = 1.0,
                                .draws = "500"},
                      HardShape{.name = "RareEvents", .rows = 100, .intercept = -4.0},
                      HardShape{.name = "ZipfLevels", .levels = 300, .rows = 1500, .zipf = true},
                      HardShape{.name = "OneLevelSeparates",
                                .rows = 40,
                                .intercept = 0.5,
                                .sd = 1.0,
                                .separates = true},
                      HardShape{.name = "ScaleNearZero", .levels = 5, .rows = 400, .sd = 1e-3}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace flymc::testing
