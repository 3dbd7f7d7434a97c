// Formulas for auxiliary parameters, from the command line to every file that a run leaves.
#include "cli/predict_support.hpp"

namespace flymc::testing {
namespace {

class NamedPredictors : public PredictCli {
 protected:
  static constexpr std::size_t kRows = 300;

  NamedPredictors() : s_(simulated(kRows)) {
    Stream stream(11, 0, Purpose::kTest, 0);
    for (std::size_t n = 0; n < kRows; ++n) {
      c_.push_back(stream.normal());
      numbers_.push_back(s_.eta[n] + std::exp(-0.5 + 0.4 * c_[n]) * stream.normal());
      const bool zero = stream.uniform() < 1.0 / (1.0 + std::exp(1.0 - c_[n]));
      counts_.push_back(zero ? 0.0 : std::floor(std::exp(1.0 + 0.5 * s_.a[n])));
    }
    write("d.csv", csv({{"a", s_.a}, {"b", s_.b}, {"c", c_}, {"y", numbers_}, {"count", counts_}}));
  }

  [[nodiscard]] Words header(const std::string& file) const {
    for (const std::string& line : lines_of(bytes(file))) {
      if (!line.starts_with("#")) {
        return read_plain_csv(line + "\n").header;
      }
    }
    return {};
  }

  const Words normal_{"--model", "normal"};
  const Words both_{"--formula", "y ~ a + b", "--formula", "sigma ~ c + a:c"};
  Simulated s_;
  std::vector<double> c_, numbers_, counts_;
};

TEST_F(NamedPredictors, HaveColumnsOnTheScaleOfTheirLink) {
  const Outcome outcome = fit("d.csv", normal_ + both_);
  expect_done(outcome);
  EXPECT_TRUE(outcome.says("sigma at the means exponential(")) << outcome.err;
  EXPECT_TRUE(outcome.says("slopes normal(0, 2.5)")) << outcome.err;
  EXPECT_EQ(header("out/chain-1.csv"),
            (Words{"lp__", "accept_stat__", "bright__", "queries__", "alpha", "beta.1", "beta.2",
                   "sigma_alpha", "sigma_beta.1", "sigma_beta.2"}));
  const Json run_json = json("out/run.json");
  Words labels;
  for (const Json& parameter : run_json["parameters"]) {
    labels.push_back(parameter["label"]);
  }
  EXPECT_EQ(labels,
            (Words{"(intercept)", "a", "b", "sigma: (intercept)", "sigma: c", "sigma: a:c"}));
  EXPECT_EQ(run_json["config"]["formula"], "y ~ a + b");
  EXPECT_EQ(run_json["config"]["formulas"], Json::array({"sigma ~ c + a:c"}));
  EXPECT_EQ(run_json["prior"]["sigma_beta"], "normal(0, 2.5)");
  EXPECT_TRUE(run_json["prior"].contains("sigma_alpha"));
}

TEST_F(NamedPredictors, WithoutColumnsAreTheParameterItself) {
  expect_done(fit("d.csv", normal_ + Words{"--formula", "y ~ a", "--formula", "sigma ~ 1"}));
  const std::string named = bytes("out/chain-1.csv");
  EXPECT_EQ(header("out/chain-1.csv").back(), "sigma");
  expect_done(fit("d.csv", normal_ + Words{"--formula", "y ~ a", "--overwrite"}));
  EXPECT_EQ(bytes("out/chain-1.csv"), named);
}

TEST_F(NamedPredictors, ReadWhatOnlyTheyNeedWhereverTheFirstHasItsColumnsFrom) {
  const Words by_formula = normal_ + Words{"--formula", "y ~ a + b", "--formula", "sigma ~ c"};
  expect_done(fit("d.csv", by_formula));
  const std::string chain = bytes("out/chain-1.csv");
  for (const Words& first : {Words{"--features", "a,b"}, Words{"--drop", "c,count"},
                             Words{"--formula", "y ~ . - c - count"}}) {
    expect_done(
        fit("d.csv",
            normal_ + Words{"--response", "y", "--overwrite", "--formula", "sigma ~ c"} + first));
    EXPECT_EQ(bytes("out/chain-1.csv"), chain) << first.back();
  }
}

TEST_F(NamedPredictors, ArePredictedWith) {
  expect_done(fit("d.csv", {"--model", "zip", "--formula", "count ~ a", "--formula", "zi ~ c"}));
  const CsvTable table = predicted("d.csv", {"--log-lik"});
  ASSERT_EQ(table.rows.size(), kRows);
  for (std::size_t n = 0; n < kRows; ++n) {
    std::vector<double> means;
    std::vector<double> logs;
    for (const ChainDraws& chain : chains()) {
      for (std::size_t i = 0; i < chain.draws(); ++i) {
        const double mean =
            std::exp(chain.column("alpha")[i] + chain.column("beta.1")[i] * s_.a[n]);
        const double zero =
            1.0 /
            (1.0 + std::exp(-chain.column("zi_alpha")[i] - chain.column("zi_beta.1")[i] * c_[n]));
        const double y = counts_[n];
        means.push_back((1.0 - zero) * mean);
        logs.push_back(y == 0.0
                           ? std::log(zero + (1.0 - zero) * std::exp(-mean))
                           : std::log1p(-zero) + y * std::log(mean) - mean - std::lgamma(y + 1.0));
      }
    }
    expect_summary(table.rows[n], means);
    expect_close(table.rows[n][4], log_mean_of_exp(logs));
  }
}

TEST_F(NamedPredictors, AreResumedSummarisedReportedAndExported) {
  expect_done(fit("d.csv", normal_ + both_ + Words{"--draws", "60"}));
  const std::string whole = bytes("out/chain-2.csv");
  expect_done(fit("d.csv", normal_ + both_ + Words{"--draws", "40", "--overwrite"}));
  expect_done(run({"fit", "--resume", "out", "--draws", "60"}));
  EXPECT_EQ(bytes("out/chain-2.csv"), whole);
  const Json summary = Json::parse(run({"summary", "out", "--json"}).out);
  EXPECT_EQ(summary["parameters"][3]["column"], "sigma_alpha");
  EXPECT_EQ(summary["parameters"][5]["label"], "sigma: a:c");
  expect_done(run({"report", "out", "--out", "page.html"}));
  EXPECT_NE(bytes("page.html").find("--formula 'y ~ a + b' --formula 'sigma ~ c + a:c' --model"),
            std::string::npos);
  for (int again = 0; again < 2; ++again) {
    expect_done(run({"export", "out", "--to", "zarr", "--out", "z", "--overwrite"}));
  }
  const Json slopes = json("z/posterior/sigma_beta/.zattrs");
  EXPECT_EQ(slopes["_ARRAY_DIMENSIONS"], (Json{"chain", "draw", "sigma_feature"}));
  expect_done(run({"export", "out", "--to", "npz", "--out", "out.npz"}));
}

// scale() and poly() have the constants of the fit, whatever rows are predicted; the columns of
// several formulas are found in their order again.
TEST_F(NamedPredictors, TakeEverythingThatAFormulaHas) {
  expect_done(fit("d.csv", normal_ + Words{"--formula", "y ~ b*a + poly(c, 2)", "--formula",
                                           "sigma ~ scale(a) + exp(c) + a:b + a:poly(c, 2)"}));
  const Json run_json = json("out/run.json");
  Words labels;
  for (const Json& parameter : run_json["parameters"]) {
    labels.push_back(parameter["label"]);
  }
  EXPECT_EQ(labels, (Words{"(intercept)", "b", "a", "poly(c, 2)1", "poly(c, 2)2", "b:a",
                           "sigma: (intercept)", "sigma: b:a", "sigma: scale(a)", "sigma: exp(c)",
                           "sigma: a:poly(c, 2)1", "sigma: a:poly(c, 2)2"}));
  const CsvTable all = predicted("d.csv", {"--log-lik"});
  Words lines = lines_of(bytes("d.csv"));
  lines.resize(4);
  std::string few;
  for (const std::string& line : lines) {
    few += line + "\n";
  }
  const CsvTable some = predicted(write("few.csv", few), {"--log-lik"});
  ASSERT_EQ(some.rows.size(), 3U);
  for (std::size_t n = 0; n < some.rows.size(); ++n) {
    EXPECT_EQ(some.rows[n], all.rows[n]);
  }
}

TEST_F(NamedPredictors, OfALikelihoodAsTextHaveThem) {
  const Outcome outcome =
      fit("d.csv", {"--likelihood", "-s - 0.5*exp(-2*s)*square(y - mu)", "--predictors", "mu,s",
                    "--response", "y", "--formula", "mu ~ a + b", "--formula", "s ~ c"});
  expect_done(outcome);
  const Words columns = header("out/chain-1.csv");
  EXPECT_EQ(Words(columns.begin() + 4, columns.end()),
            (Words{"alpha", "beta.1", "beta.2", "s_alpha", "s_beta.1"}));
}

TEST_F(NamedPredictors, HaveThePriorThatIsAskedFor) {
  const Words prior = {"--prior-aux", "sigma ~ half_t(3, 2)"};
  const Outcome outcome = fit("d.csv", normal_ + both_ + prior);
  expect_done(outcome);
  EXPECT_TRUE(outcome.says("sigma at the means half_t(3, 2), slopes normal(0, 2.5)"));
  const Json run_json = json("out/run.json");
  EXPECT_EQ(run_json["prior"]["sigma_alpha"], "half_t(3, 2)");
  EXPECT_EQ(run_json["config"]["prior-aux"], Json::array({"sigma ~ half_t(3, 2)"}));
  const std::string chain = bytes("out/chain-1.csv");
  expect_done(run({"report", "out", "--out", "page.html"}));
  EXPECT_NE(bytes("page.html").find("--prior-aux 'sigma ~ half_t(3, 2)'"), std::string::npos);
  expect_done(run({"fit", "--resume", "out"}));
  EXPECT_EQ(bytes("out/chain-1.csv"), chain);
  EXPECT_TRUE(
      fit("d.csv", normal_ + both_ + Words{"--overwrite", "--prior-aux", "sigma ~ normal(0, 1)"})
          .says("normal(0, 1) of its logarithm"));
}

TEST_F(NamedPredictors, HaveNoPriorThatIsNone) {
  const Words model = normal_ + Words{"--formula", "y ~ a"};
  const auto refused = [&](const Words& words, int code, const std::string& text) {
    expect_error(fit("d.csv", words), code, text);
    EXPECT_FALSE(exists("out"));
  };
  refused(model + Words{"--prior-aux", "sigma ~ half_normal(-1)"}, 64, "with numbers > 0");
  refused(model + Words{"--prior-aux", "sigma"}, 64, "write it as 'sigma ~ half_normal(1)'");
  refused(model + Words{"--prior-aux", "tau ~ flat"}, 64, "these may have a prior: sigma");
  refused(model + Words{"--prior-aux", "sigma ~ flat", "--prior-aux", "sigma ~ flat"}, 64,
          "has a prior already");
  refused({"--model", "poisson", "--formula", "count ~ a", "--prior-aux", "sigma ~ flat"}, 64,
          "poisson has no parameters beside its coefficients");
  refused({"--model", "negative-binomial", "--formula", "count ~ a", "--prior-aux", "size ~ flat"},
          65, "tends to that of a Poisson");
}

TEST_F(NamedPredictors, AreFixedByANumber) {
  const Words first = normal_ + Words{"--formula", "y ~ a", "--overwrite"};
  expect_done(fit("d.csv", first + Words{"--sigma", "0.7", "--draws", "60"}));
  EXPECT_EQ(header("out/chain-1.csv").back(), "beta.1");
  EXPECT_EQ(json("out/run.json")["config"]["sigma"], 0.7);
  EXPECT_EQ(json("out/run.json")["normal"]["sigma"], 0.7);
  const std::string whole = bytes("out/chain-1.csv");
  expect_done(run({"report", "out", "--out", "page.html"}));
  EXPECT_NE(bytes("page.html").find("--sigma 0.7"), std::string::npos);
  EXPECT_EQ(predicted("d.csv").rows.size(), kRows);
  expect_done(fit("d.csv", first + Words{"--sigma", "0.7", "--draws", "40"}));
  expect_done(run({"fit", "--resume", "out", "--draws", "60"}));
  EXPECT_EQ(bytes("out/chain-1.csv"), whole);
  expect_done(fit("d.csv", first + Words{"--sigma", "infer"}));
  EXPECT_EQ(header("out/chain-1.csv").back(), "sigma");
  expect_error(fit("d.csv", first + Words{"--sigma", "-1"}), 64, "must be positive, or infer");
  expect_error(fit("d.csv", first + Words{"--sigma", "x"}), 64, "must be a number or infer");
  expect_error(fit("d.csv", first + Words{"--phi", "2"}), 64,
               "--phi: only beta or beta-binomial takes it; add --model beta.");
  expect_error(fit("d.csv", first + Words{"--sigma", "1", "--formula", "sigma ~ b"}), 64,
               "normal has no parameters beside its coefficients");
}

TEST_F(NamedPredictors, ThatAreNotThereAreNamed) {
  const auto refused = [&](const Words& words, int code, const std::string& text) {
    expect_error(fit("d.csv", words), code, text);
    EXPECT_FALSE(exists("out"));
  };
  const Words first = {"--formula", "y ~ a"};
  refused(Words{"--model", "poisson"} + first + Words{"--formula", "sigma ~ b"}, 64,
          "poisson has no parameters beside its coefficients");
  refused(Words{"--response", "y", "--formula", "sigma ~ b"}, 64,
          "logistic has no parameters beside its coefficients");
  refused(normal_ + first + Words{"--formula", "shape ~ b"}, 64,
          "normal has no parameter of that name; these may have a formula: sigma.");
  refused(normal_ + first + Words{"--formula", "sigma ~ b", "--formula", "sigma ~ c"}, 64,
          "'sigma' has a formula already");
  refused(normal_ + first + Words{"--formula", "sigma ~ 0"}, 64, "there is no column");
  refused(normal_ + first + Words{"--formula", "sigma ~ b +"}, 64, "a column is missing");
  refused(normal_ + first + Words{"--formula", "sigma ~ q"}, 65, "no column 'q'");
  refused(normal_ + first + Words{"--formula", "sigma ~ b + (1 | c)"}, 64,
          "only the first predictor, that of the response, has group terms.");
  refused(normal_ + first + Words{"--formula", "sigma ~ b", "--prior", "flat"}, 65,
          "a flat prior with a formula for 'sigma'");
}

}  // namespace
}  // namespace flymc::testing
