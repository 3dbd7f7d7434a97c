// offset() in formulas, from the command line to everything that is made of a run.
#include "cli/predict_support.hpp"

namespace flymc::testing {
namespace {

class OffsetsCli : public PredictCli {
 protected:
  static constexpr std::size_t kRows = 200;

  OffsetsCli() : s_(simulated(kRows)) {
    Stream stream(31, 0, Purpose::kTest, 0);
    for (std::size_t n = 0; n < kRows; ++n) {
      c_.push_back(stream.normal() - 1.0);
      hours_.push_back(std::exp(stream.normal()));
      log_hours_.push_back(std::log(hours_[n]));
      y_.push_back(0.5 + s_.a[n] + std::exp(0.3 + c_[n]) * stream.normal());
      counts_.push_back(std::floor(hours_[n] * std::exp(0.5 * s_.a[n]) + stream.uniform()));
      zeros_.push_back(stream.uniform() < 1.0 / (1.0 + std::exp(-c_[n])) ? 0.0 : counts_[n] + 1.0);
    }
    write("d.csv", csv({{"a", s_.a},
                        {"c", c_},
                        {"hours", hours_},
                        {"log_hours", log_hours_},
                        {"y", y_},
                        {"count", counts_},
                        {"zeros", zeros_}}));
  }

  // The first rows.
  [[nodiscard]] std::string head(std::size_t rows) const {
    Words lines = lines_of(bytes("d.csv"));
    lines.resize(rows + 1);
    std::string text;
    for (const std::string& line : lines) {
      text += line + "\n";
    }
    return text;
  }

  const Words poisson_{"--model", "poisson"};
  const Words normal_{"--model", "normal", "--formula", "y ~ a"};
  const Words known_{"--formula", "sigma ~ offset(c)"};
  Simulated s_;
  std::vector<double> c_, hours_, log_hours_, y_, counts_, zeros_;
};

TEST_F(OffsetsCli, OfTheFirstPredictorIsTheOptionToTheByte) {
  expect_done(fit("d.csv", poisson_ + Words{"--formula", "count ~ a", "--offset", "log_hours"}));
  const std::string chain = bytes("out/chain-1.csv");
  const std::string rows = predict("d.csv").out;
  for (const std::string formula :
       {"count ~ a + offset(log_hours)", "count ~ offset(log(hours)) + a",
        "count ~ . - c - hours - y - zeros + offset(log_hours)"}) {
    expect_done(fit("d.csv", poisson_ + Words{"--overwrite", "--formula", formula}));
    EXPECT_EQ(bytes("out/chain-1.csv"), chain) << formula;
    EXPECT_EQ(predict("d.csv").out, rows) << formula;
  }
}

// Two are added up.
TEST_F(OffsetsCli, AddUp) {
  expect_done(
      fit("d.csv", poisson_ + Words{"--formula", "count ~ a + offset(c) + offset(log_hours)"}));
  const std::string chain = bytes("out/chain-1.csv");
  expect_done(fit(
      "d.csv", poisson_ + Words{"--overwrite", "--formula", "count ~ a + offset(c + log_hours)"}));
  EXPECT_EQ(bytes("out/chain-1.csv"), chain);
}

TEST_F(OffsetsCli, OfAnotherPredictorArePredictedWith) {
  expect_done(fit("d.csv", {"--model", "zip", "--formula", "zeros ~ a + offset(log(hours))",
                            "--formula", "zi ~ a + offset(c) + offset(I(a/2))"}));
  const CsvTable table = predicted("d.csv", {"--log-lik"});
  ASSERT_EQ(table.rows.size(), kRows);
  for (std::size_t n = 0; n < kRows; n += 10) {
    const auto mean = [&](const Draw& draw) {
      return std::exp(draw("alpha") + draw("beta.1") * s_.a[n] + log_hours_[n]);
    };
    const auto zero = [&](const Draw& draw) {
      return 1.0 / (1.0 + std::exp(-draw("zi_alpha") - draw("zi_beta.1") * s_.a[n] - c_[n] -
                                   s_.a[n] / 2.0));
    };
    expect_summary(table.rows[n], of_each_draw(chains(), [&](const Draw& draw) {
                     return (1.0 - zero(draw)) * mean(draw);
                   }));
    const double y = zeros_[n];
    expect_close(table.rows[n][4], log_mean_of_exp(of_each_draw(chains(), [&](const Draw& draw) {
                   const double m = mean(draw);
                   const double z = zero(draw);
                   return y == 0.0 ? std::log(z + (1.0 - z) * std::exp(-m))
                                   : std::log1p(-z) + y * std::log(m) - m - std::lgamma(y + 1.0);
                 })));
  }
}

// The rows of the fit, read again: what it says of them is what the draws say.
TEST_F(OffsetsCli, OfAnotherPredictorAreInEverythingThatIsMadeOfARun) {
  expect_done(fit("d.csv", normal_ + known_ + Words{"--draws", "60"}));
  const std::string whole = bytes("out/chain-2.csv");
  const Json run_json = json("out/run.json");
  EXPECT_EQ(run_json["predictors"][1]["offsets"], Json::array({"c"}));
  EXPECT_EQ(run_json["parameters"][2]["label"], "sigma: (intercept)");
  expect_done(fit("d.csv", normal_ + known_ + Words{"--draws", "40", "--overwrite"}));
  expect_done(run({"fit", "--resume", "out", "--draws", "60"}));
  EXPECT_EQ(bytes("out/chain-2.csv"), whole);
  expect_done(run({"report", "out", "--out", "page.html"}));
  expect_done(run({"export", "out", "--to", "zarr", "--out", "z"}));
  // Without the offset rows would be far out in their distributions.
  EXPECT_TRUE(Json::parse(run({"check", "out", "--json"}).out)["fits"].get<bool>());
  expect_done(run({"fit", "d.csv", "--out", "flat", "--chains", "2", "--warmup", "100", "--draws",
                   "60", "--model", "normal", "--formula", "y ~ a"}));
  const Outcome compared = run({"compare", "flat", "out", "--json"});
  expect_done(compared);
  double sum = 0.0;  // of log predictive densities: near that of leaving out each
  for (const std::vector<double>& row : predicted("d.csv", {"--log-lik"}).rows) {
    sum += row[4];
  }
  double best = -1e300;
  for (const Json& one : Json::parse(compared.out)) {
    best = std::max(best, one["elpd_loo"].get<double>());
  }
  EXPECT_NEAR(best, sum, 12.0);  // 3 parameters, a little more than one each
  expect_done(run({"effects", "out"}));
}

TEST_F(OffsetsCli, AreEffectsOfTheirColumns) {
  expect_done(fit("d.csv", poisson_ + Words{"--formula", "count ~ a + offset(log(hours))"}));
  const Json effects = Json::parse(run({"effects", "out", "--of", "hours", "--json"}).out);
  double mean = 0.0;  // d/dhours of hours e^(...): whatever the hours are
  for (const double one : of_each_draw(chains(), [&](const Draw& draw) {
         double sum = 0.0;
         for (const double a : s_.a) {
           sum += std::exp(draw("alpha") + draw("beta.1") * a);
         }
         return sum / kRows;
       })) {
    mean += one / 200.0;
  }
  EXPECT_NEAR(effects["effects"][0]["mean"].get<double>(), mean, 1e-9) << effects.dump();
}

TEST_F(OffsetsCli, NewRowsNeedThem) {
  expect_done(fit("d.csv", poisson_ + Words{"--formula", "count ~ a + offset(log(hours))"}));
  expect_error(predict(write("n.csv", "a,c\n1,2\n")), 65, "no column 'hours'");
  // A value that is missing, or has no logarithm, leaves its row without a prediction.
  EXPECT_EQ(lines_of(predict(write("n.csv", "a,hours\n1,2\n1,NA\n1,0\n")).out)[2], "NA,NA,NA,NA");
  EXPECT_EQ(lines_of(predict("n.csv").out)[3], "NA,NA,NA,NA");
  expect_error(predict("d.csv", {"--offset", "c"}), 64,
               "offset() is a second offset of rows that have one");
  expect_done(fit("d.csv", normal_ + known_ + Words{"--overwrite"}));
  expect_error(predict(write("n.csv", "a\n1\n")), 65, "no column 'c'");
}

TEST_F(OffsetsCli, AreConvertedWithTheirTable) {
  const Words formula{"--formula", "count ~ a + offset(log(hours))"};
  expect_done(fit("d.csv", poisson_ + formula));
  const std::string chain = bytes("out/chain-1.csv");
  expect_done(run(Words{"convert", "d.csv", "d.fly"} + formula));
  const Outcome stored = fit("d.fly", poisson_ + Words{"--overwrite"});
  expect_done(stored);
  EXPECT_TRUE(stored.says("offset 'log(hours)'")) << stored.err;
  EXPECT_EQ(bytes("out/chain-1.csv"), chain);
  // Columns stay, and the formula of the fit has the offset.
  expect_done(run({"convert", "d.csv", "all.fly", "--response", "count"}));
  expect_done(fit("all.fly", poisson_ + formula + Words{"--overwrite"}));
  EXPECT_EQ(bytes("out/chain-1.csv"), chain);
}

// One that a .fly has stored is remembered: rows of another file need it, too.
TEST_F(OffsetsCli, ThatAreStoredAreNeededByNewRows) {
  expect_done(fit("d.csv", poisson_ + Words{"--formula", "count ~ a", "--offset", "c"}));
  const std::string rows = predict("d.csv").out;
  expect_done(run(
      {"convert", "d.csv", "d.fly", "--response", "count", "--features", "a", "--offset", "c"}));
  expect_done(fit("d.fly", poisson_ + Words{"--overwrite", "--draws", "60"}));
  expect_done(run({"fit", "--resume", "out", "--draws", "100"}));
  EXPECT_EQ(predict("d.csv").out, rows);
  EXPECT_EQ(predict("d.fly").out, rows);
  expect_error(predict(write("n.csv", "a\n1\n")), 65, "no column 'c'");
}

TEST_F(OffsetsCli, AreRefusedWhereTheyCannotBe) {
  const auto refused = [&](const Words& words, int code, const std::string& text) {
    expect_error(fit("d.csv", words), code, text);
    EXPECT_FALSE(exists("out"));
  };
  refused(poisson_ + Words{"--formula", "count ~ a + offset(nobody)"}, 65, "no column 'nobody'");
  refused(poisson_ + Words{"--formula", "count ~ a + offset(c)", "--offset", "log_hours"}, 64,
          "offset() is a second offset of rows that have one");
  refused(poisson_ + Words{"--formula", "count ~ a + offset(log(c))"}, 65,
          "column 'log(c)' is not a number in row ");
  refused({"--model", "softmax", "--formula", "count ~ a + offset(c)"}, 64,
          "one offset for all classes of a softmax changes nothing");
  refused(normal_ + Words{"--formula", "sigma ~ offset(nobody)"}, 65, "no column 'nobody'");
  refused(
      {"--model", "normal", "--formula", "y ~ a + (1 | count)", "--formula", "sigma ~ offset(c)"},
      64, "with group terms sigma is the same in every row");
  refused(poisson_ + Words{"--formula", "count ~ a", "--formula", "sigma ~ offset(c)"}, 64,
          "sigma");
}

// A value that is missing is an error with its place, and leaves its row out where that was asked.
TEST_F(OffsetsCli, ThatAreMissingLeaveTheirRowsOut) {
  std::string text = head(kRows);
  text += "0.5,NA,1,0,1,2,1\n";
  write("m.csv", text);
  expect_error(fit("m.csv", normal_ + known_), 65, "m.csv:202");
  expect_done(fit("d.csv", normal_ + known_));
  const std::string chain = bytes("out/chain-1.csv");
  for (const char* const missing : {"drop", "indicator"}) {
    expect_done(fit("m.csv", normal_ + known_ + Words{"--missing", missing, "--overwrite"}));
    EXPECT_EQ(bytes("out/chain-1.csv"), chain) << missing;
  }
}

// Beside a factor, an offset of the first predictor is that of the option.
TEST_F(OffsetsCli, StandBesideGroups) {
  const auto fitted = [&](const Words& words) {
    expect_done(fit("d.csv", poisson_ + Words{"--overwrite", "--draws", "20"} + words));
    return bytes("out/chain-1.csv");
  };
  EXPECT_EQ(fitted({"--formula", "count ~ a + (1 | zeros) + offset(log_hours)"}),
            fitted({"--formula", "count ~ a + (1 | zeros)", "--offset", "log_hours"}));
}

TEST_F(OffsetsCli, OfALikelihoodAsTextHaveThem) {
  const Words text{"--likelihood", "-s - 0.5*exp(-2*s)*square(y - mu)",
                   "--predictors", "mu,s",
                   "--response",   "y",
                   "--formula",    "mu ~ a + offset(log_hours)",
                   "--formula",    "s ~ offset(c)"};
  expect_done(fit("d.csv", text));
  EXPECT_EQ(draws("out/chain-1.csv").columns.back(), "s_alpha");
  expect_done(predict("d.csv", {"--log-lik"}));
}

}  // namespace
}  // namespace flymc::testing
