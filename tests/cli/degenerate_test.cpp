// Data at the edge of what makes sense: a proper answer, or one clear line; never a crash or a
// hang.
#include "cli/cli_data.hpp"

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
  // The same at the defaults of `fit` itself, and chains that agree.
  void mixes(const std::string& text, const Words& options) const {
    write("d.csv", text);
    expect_done(
        run(Words{"fit", "d.csv", "--response", "y", "--overwrite", "--out", "out"} + options));
    const Json summary = Json::parse(run({"summary", "out", "--json"}).out);
    EXPECT_GE(summary["parameters"].size(), 1U);
    for (const Json& parameter : summary["parameters"]) {
      EXPECT_TRUE(std::isfinite(parameter["mean"].get<double>()));
      EXPECT_LT(parameter["rhat"].get<double>(), 1.03);
      EXPECT_GT(parameter["ess_bulk"].get<double>(), 200.0);
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
const Words kPlugIn{"--model", "student-t", "--scale", "auto"};
const Words kProbit{"--model", "probit"};
const Words kPoisson{"--model", "poisson"};
const Words kBinomial{"--model", "binomial", "--trials", "m"};
const Words kNegative{"--model", "negative-binomial", "--size", "3"};

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
  refused("x,y\n1,1\n", kPlugIn, "give --scale.");
  fits("x,y\n1,1\n", {"--model", "student-t", "--scale", "0.5"}, "constant");
}

TEST_F(Degenerate, FewerRowsThanColumnsRunsWithAWarning) {
  for (const Words& model : {kLogistic, kSoftmax, kPlugIn}) {
    fits(wide_csv({0, 1, 1, 0, 1}), model, "warning: fewer rows (5) than columns (13)");
  }
  refused(wide_csv({0, 1, 1, 0, 1}), kStudent,
          "no more rows than columns: without noise a scale that is sampled falls without end: the "
          "posterior is too narrow in some direction and too wide in another for double precision; "
          "give --scale.");
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
  fits(numbers_csv(), kPlugIn + Words{"--prior", "flat"});
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

// A response of 0 and 1 suits them all: labels, numbers, counts, successes of 4 trials.
TEST_F(Degenerate, EveryModelTakesEveryPoorDesign) {
  const Simulated s = simulated(60);
  const Column y{"y", s.binary};
  const Column m{"m", constant(60, 4.0)};
  for (const Words& model :
       {kLogistic, kSoftmax, kStudent, kProbit, kPoisson, kBinomial, kNegative}) {
    SCOPED_TRACE(model.empty() ? "logistic" : model[1]);
    const Words options = std::ranges::count(model, "m") > 0 ? model : model + Words{"--drop", "m"};
    const auto runs = [&](std::vector<Column> x, const Words& more) {
      x.insert(x.end(), {y, m});
      mixes(csv(x), options + more);
    };
    runs({{"a", s.a}, {"b", s.b}, {"again", s.a}}, {});
    runs({{"a", s.a}, {"c", constant(60, 3.0)}}, {});
    runs({{"c", constant(60, 3.0)}}, {});
    runs({{"a", scaled(s.a, 1e8)}, {"b", s.b}}, {});
    runs({{"a", s.a}, {"w", constant(60, 1e8)}}, {"--weights", "w"});
    runs({{"a", s.a}, {"b", s.b}}, {"--regular"});
  }
}

TEST_F(Degenerate, MoreColumnsThanRowsForEveryModel) {
  std::string text = wide_csv({0, 1, 1, 0, 1});
  for (const Words& model : {kLogistic, kSoftmax, kPlugIn, kProbit, kPoisson, kNegative}) {
    mixes(text, model);
  }
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 3) {
    text.insert(at, at < 60 ? ",m" : ",4");
  }
  mixes(text, kBinomial);
}

TEST_F(Degenerate, ResponsesThatAreAlwaysZeroNeedAProperPrior) {
  const Simulated s = simulated(200);
  const std::string text = csv({{"a", s.a}, {"m", constant(200, 10.0)}, {"y", constant(200, 0.0)}});
  for (const Words& model : {kPoisson + Words{"--drop", "m"}, kBinomial}) {
    fits(text, model, "warning: response 'y' is always 0: only the prior keeps");
    mixes(text, model);
    for (const Words& flat :
         {Words{"--prior", "flat"}, Words{"--prior", "normal:1", "--prior-intercept", "flat"}}) {
      refused(text, model + flat, "response 'y' is always 0: a flat prior has no proper posterior");
    }
  }
  const Column full{"y", constant(200, 10.0)};
  fits(csv({{"a", s.a}, {"m", full.values}, full}), kBinomial, "'y' always equals its trials:");
}

// The Laplace approximation of a soft wall reaches far behind it, where the force is e^30 and no
// step is short enough: without being pulled in, some of many chains never move.
TEST_F(Degenerate, NoChainStartsBehindAWall) {
  for (const std::uint64_t seed : {1, 2}) {
    Simulated s = simulated(200, seed);
    for (double& a : s.a) {
      a = a * a * a;
    }
    fits(csv({{"a", s.a}, {"b", s.b}, {"y", constant(200, 0.0)}}),
         kPoisson + Words{"--chains", "16", "--warmup", "600"});
    const Json run = json("out/run.json");
    ASSERT_EQ(run["sampling"]["tuning"].size(), 16U);
    for (const Json& chain : run["sampling"]["tuning"]) {
      EXPECT_GT(chain["accept_prob"], 0.5) << seed;
    }
  }
}

TEST_F(Degenerate, ASingleRowOfCounts) {
  mixes("x,y\n1,3\n", kPoisson);
  mixes("x,y\n1,3\n", kNegative);
  mixes("x,m,y\n1,5,3\n", kBinomial);
}

TEST_F(Degenerate, FlatPriorsAreCheckedForEveryLikelihood) {
  const Simulated s = simulated(100);
  const Words flat{"--prior", "flat"};
  const std::vector<double> trials = constant(100, 1.0);
  const std::string good = csv({{"a", s.a}, {"b", s.b}, {"m", trials}, {"y", s.binary}});
  const std::string poor = csv({{"a", s.a}, {"only", s.binary}, {"m", trials}, {"y", s.binary}});
  for (const Words& model : {kProbit, kPoisson, kNegative}) {
    fits(good, model + flat + Words{"--drop", "m"});
    refused(poor, model + flat + Words{"--drop", "m"}, "columns: only; use a proper prior.");
  }
  // Auxiliary parameters beside the columns change nothing.
  const Words size{"--model", "negative-binomial", "--size", "infer", "--drop", "m"};
  fits(good, size + flat);
  refused(poor, size + flat, "columns: only; use a proper prior.");
  refused(good, size + flat + Words{"--prior-aux", "size ~ half_normal(3)"},
          "a flat prior with --prior-aux 'size ~ half_normal(3)' is not known");
  const Words phi{"--model", "beta-binomial", "--trials", "m"};
  fits(good, phi + flat);
  refused(poor, phi + flat, "a flat prior with separable data has no proper posterior");
  fits(good, kBinomial + flat);
  refused(poor, kBinomial + flat, "a flat prior with separable data has no proper posterior");
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
