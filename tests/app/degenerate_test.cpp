// Data at the edge of what makes sense: a proper answer, or one clear line; never a crash or a
// hang.
#include "app/cli_data.hpp"

namespace flymc::testing {
namespace {

class Degenerate : public Cli {
 protected:
  // Done with finite draws, and the warning (where one is expected).
  void fits(const std::string& text, const Words& options, const std::string& warning = "") const {
    write("d.csv", text);
    const Outcome outcome = fit("d.csv", Words{"--response", "y", "--overwrite"} + options);
    expect_done(outcome);
    EXPECT_TRUE(outcome.says(warning)) << outcome.err << "\nlacks: " << warning;
    const ChainDraws chain = draws("out/chain-1.csv");
    EXPECT_EQ(chain.draws(), 100U);
    for (const auto& column : chain.values) {
      EXPECT_TRUE(std::ranges::all_of(column, [](double v) { return std::isfinite(v); }));
    }
  }
  void refused(const std::string& text, const Words& options, const std::string& says) const {
    write("d.csv", text);
    std::filesystem::remove_all(path("out"));
    expect_error(fit("d.csv", Words{"--response", "y"} + options), 65, says);
    EXPECT_FALSE(exists("out"));
  }
};

const Words kLogistic{};
const Words kSoftmax{"--model", "softmax"};
const Words kStudent{"--model", "student-t"};

std::string wide_csv(const std::vector<double>& y) {
  Stream stream(5, 0, Purpose::kInit, 1);
  std::vector<Column> columns{{"y", y}};
  for (int j = 0; j < 12; ++j) {
    columns.push_back({"x" + std::to_string(j), {}});
    for (std::size_t n = 0; n < y.size(); ++n) {
      columns.back().values.push_back(stream.normal());
    }
  }
  return csv(columns);
}

TEST_F(Degenerate, ConstantColumnsAreDroppedWithAWarning) {
  const Simulated s = simulated(100);
  for (const Words& model : {kLogistic, kSoftmax, kStudent}) {
    fits(csv({{"a", s.a}, {"c", constant(100, 3.0)}, {"y", s.binary}}), model,
         "warning: column 'c' is constant; dropped.");
    EXPECT_EQ(json("out/run.json")["d"], 1);
  }
  fits(csv({{"c", constant(100, 3.0)}, {"y", s.binary}}), kLogistic, "constant");
  fits(csv({{"y", s.binary}}), kLogistic);
  fits(csv({{"a", scaled(s.a, 1e-300)}, {"y", s.binary}}), kLogistic, "varies too little");
}

TEST_F(Degenerate, WithoutAnInterceptAConstantColumnStays) {
  const Simulated s = simulated(100);
  fits(csv({{"c", constant(100, 3.0)}, {"y", s.binary}}), {"--no-intercept"});
  EXPECT_EQ(json("out/run.json")["d"], 1);
}

TEST_F(Degenerate, IdenticalRows) {
  fits("x,y\n1,0\n1,1\n1,0\n1,1\n1,1\n", kLogistic, "constant");
  fits("x,y\n1,0\n1,1\n1,0\n1,1\n1,1\n", kSoftmax, "constant");
  fits("x,y\n1,0\n1,1\n1,0\n1,1\n1,1\n", kStudent, "constant");
  refused("x,y\n1,1\n1,1\n1,1\n", kLogistic, "nothing to learn");
}

TEST_F(Degenerate, ASingleRow) {
  refused("x,y\n1,1\n", kLogistic, "nothing to learn");
  refused("x,y\n1,1\n", kSoftmax, "nothing to learn");
  refused("x,y\n1,1\n", kStudent, "give --scale.");
  fits("x,y\n1,1\n", {"--model", "student-t", "--scale", "0.5"}, "constant");
}

TEST_F(Degenerate, FewerRowsThanColumnsRunsWithAWarning) {
  for (const Words& model : {kLogistic, kSoftmax, kStudent}) {
    fits(wide_csv({0, 1, 1, 0, 1}), model, "warning: fewer rows (5) than columns (13)");
  }
  refused(wide_csv({0, 1, 1, 0, 1}), {"--prior", "flat"}, "linearly dependent");
}

TEST_F(Degenerate, DependentColumnsRunWithAWarningUnderAProperPrior) {
  const Simulated s = simulated(100);
  const std::string text = csv({{"a", s.a}, {"b", s.b}, {"again", s.a}, {"y", s.binary}});
  for (const Words& model : {kLogistic, kSoftmax, kStudent}) {
    fits(text, model, "warning: linearly dependent columns: again;");
  }
  fits(text, {"--prior", "normal:2"}, "warning: linearly dependent columns: again;");
}

TEST_F(Degenerate, SeparableClassesRunWithAWarningUnderAProperPrior) {
  const std::string text = "x,y\n-3,0\n-2,0\n-1,0\n1,1\n2,1\n3,1\n";
  fits(text, kLogistic, "warning: the classes are separable");
  fits(text, {"--prior", "laplace:1"}, "warning: the classes are separable");
  fits(text, {"--prior", "normal:1", "--prior-intercept", "flat"}, "separable");
}

TEST_F(Degenerate, FlatPriorsThatAreProperRun) {
  fits(binary_csv(), {"--prior", "flat"});
  fits(numbers_csv(), {"--prior", "flat", "--model", "student-t"});
}

TEST_F(Degenerate, HeavyWeightsAndWideScales) {
  const Simulated s = simulated(100);
  const std::string heavy = csv({{"a", s.a}, {"w", constant(100, 1e8)}, {"y", s.binary}});
  const std::string large = csv({{"a", scaled(s.a, 1e12)}, {"b", s.b}, {"y", s.binary}});
  for (const Words& model : {kLogistic, kSoftmax, kStudent}) {
    fits(heavy, model + Words{"--weights", "w"});
    fits(large, model);
    fits(large, model + Words{"--regular"});
  }
  fits(large, {"--prior", "normal:1"});
  fits(large, kStudent + Words{"--prior", "normal:1"});
  // Only the prior holds the sum of the classes: precision 1 beside 1e24.
  refused(large, kSoftmax + Words{"--prior", "normal:1"}, "rescale the columns");
}

TEST_F(Degenerate, NumbersTooLargeToSquare) {
  const Simulated s = simulated(50);
  for (const double factor : {1e150, 1e300}) {
    for (const Words& model : {kLogistic, kSoftmax, kStudent}) {
      refused(csv({{"a", scaled(s.a, factor)}, {"b", s.b}, {"y", s.binary}}), model,
              "column 'a' holds numbers too large to square");
    }
    refused(csv({{"a", s.a}, {"y", scaled(s.numbers, factor)}}), kStudent, "column 'y'");
  }
}

}  // namespace
}  // namespace flymc::testing
