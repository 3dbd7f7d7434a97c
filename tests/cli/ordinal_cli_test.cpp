// Classes in an order, from the command line to every file that a run leaves.
#include "cli/predict_support.hpp"

namespace flymc::testing {
namespace {

class OrdinalCli : public PredictCli {
 protected:
  OrdinalCli() {
    const Simulated s = simulated(kRows);
    Stream stream(14, 0, Purpose::kTest, 0);
    std::string text = "a,rating\n";
    for (std::size_t n = 0; n < kRows; ++n) {
      const double u = stream.uniform();
      const double latent = s.eta[n] + std::log(u / (1.0 - u));
      codes_.push_back((latent > -0.5 ? 1 : 0) + (latent > 1.0 ? 1 : 0));
      text += fmt::format("{},{}\n", s.a[n], kLabels[codes_.back()]);
    }
    a_ = s.a;
    write("d.csv", text);
  }

  static constexpr std::size_t kRows = 300;
  static constexpr const char* kLabels[] = {"low", "mid", "high"};
  const Words ordinal_{"--family", "ordinal", "--response", "rating", "--order", "low,mid,high"};
  std::vector<double> a_;
  std::vector<std::size_t> codes_;
};

TEST_F(OrdinalCli, HaveAProbabilityEach) {
  const Outcome outcome = fit("d.csv", ordinal_);
  expect_done(outcome);
  EXPECT_TRUE(outcome.says("ordinal: 3 classes: low < mid < high")) << outcome.err;
  const Json run_json = json("out/run.json");
  EXPECT_EQ(run_json["classes"], (std::vector<std::string>{"low", "mid", "high"}));
  EXPECT_EQ(run_json["config"]["order"], run_json["classes"]);
  const CsvTable table = predicted("d.csv", {"--log-lik"});
  ASSERT_EQ(table.header, (Words{"low", "mid", "high", "log_lik"}));
  for (std::size_t n = 0; n < kRows; ++n) {
    std::vector<double> sums(3);
    std::vector<double> logs;
    for (const ChainDraws& chain : chains()) {
      for (std::size_t i = 0; i < chain.draws(); ++i) {
        const double mu = chain.column("beta.1")[i] * a_[n];
        const double below = 1.0 / (1.0 + std::exp(mu - chain.column("cut.1")[i]));
        const double above = 1.0 / (1.0 + std::exp(chain.column("cut.2")[i] - mu));
        const double shares[] = {below, 1.0 - below - above, above};
        for (std::size_t k = 0; k < 3; ++k) {
          sums[k] += shares[k];
        }
        logs.push_back(std::log(shares[codes_[n]]));
      }
    }
    for (std::size_t k = 0; k < 3; ++k) {
      expect_close(table.rows[n][k], sums[k] / static_cast<double>(logs.size()));
    }
    expect_close(table.rows[n][3], log_mean_of_exp(logs));
  }
}

// A new response is a class between two others, that hold what was asked.
TEST_F(OrdinalCli, PredictAnIntervalOfClasses) {
  expect_done(fit("d.csv", ordinal_ + Words{"--draws", "500"}));
  const CsvTable means = predicted("d.csv");
  const Outcome outcome = predict("d.csv", {"--predictive"});
  expect_done(outcome);
  const Words lines = lines_of(outcome.out);
  EXPECT_EQ(lines[0], "class,q5,q95,low,mid,high");
  ASSERT_EQ(lines.size(), kRows + 1);
  const auto code = [](const std::string& label) {
    return static_cast<std::size_t>(std::ranges::find(kLabels, label) - std::begin(kLabels));
  };
  for (std::size_t n = 0; n < kRows; ++n) {
    std::istringstream line(lines[n + 1]);
    Words fields;
    for (std::string field; std::getline(line, field, ',');) {
      fields.push_back(field);
    }
    ASSERT_EQ(fields.size(), 6U);
    double below = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double share = std::stod(fields[3 + k]);
      const double p = means.rows[n][k];
      EXPECT_NEAR(share, p, 4.5 * std::sqrt(p * (1.0 - p) / 1000.0) + 1e-12);
      EXPECT_LE(share, std::stod(fields[3 + code(fields[0])]));
      // The first class at or below which are 5 %, and 95 %.
      EXPECT_EQ(code(fields[1]) == k, below < 0.05 - 1e-9 && below + share >= 0.05 - 1e-9);
      EXPECT_EQ(code(fields[2]) == k, below < 0.95 - 1e-9 && below + share >= 0.95 - 1e-9);
      below += share;
    }
  }
}

TEST_F(OrdinalCli, NeedNoColumns) {
  const Words alone{"--family", "ordinal", "--formula", "rating ~ 1", "--order", "low,mid,high"};
  expect_done(fit("d.csv", alone + Words{"--draws", "60"}));
  const std::string chain = bytes("out/chain-1.csv");
  const CsvTable table = predicted("d.csv");
  ASSERT_EQ(table.header, (Words{"low", "mid", "high"}));
  EXPECT_EQ(table.rows[0], table.rows[kRows - 1]);
  double below = 0.0;
  for (const ChainDraws& drawn : chains()) {
    ASSERT_EQ(drawn.column("cut.1").size(), 60U);
    for (const double cut : drawn.column("cut.1")) {
      below += 1.0 / (1.0 + std::exp(-cut)) / (60.0 * static_cast<double>(chains().size()));
    }
  }
  expect_close(table.rows[0][0], below);
  for (const Words& command :
       {Words{"report", "out", "--out", "page.html"}, Words{"compare", "out"},
        Words{"export", "out", "--to", "zarr", "--out", "z"}}) {
    expect_done(run(command));
  }
  expect_done(fit("d.csv", alone + Words{"--draws", "40", "--overwrite"}));
  expect_done(run({"fit", "--resume", "out", "--draws", "60"}));
  EXPECT_EQ(bytes("out/chain-1.csv"), chain);
  expect_error(fit("d.csv", {"--family", "ordinal", "--formula", "rating ~ 0", "--overwrite"}), 64,
               "there is no column to explain with");
}

TEST_F(OrdinalCli, AreTheSameResumed) {
  expect_done(fit("d.csv", ordinal_ + Words{"--draws", "60", "--prior", "normal:2"}));
  const std::string chain = bytes("out/chain-1.csv");
  expect_done(
      fit("d.csv", ordinal_ + Words{"--draws", "40", "--prior", "normal:2", "--overwrite"}));
  expect_done(run({"fit", "--resume", "out", "--draws", "60"}));
  EXPECT_EQ(bytes("out/chain-1.csv"), chain);
}

TEST_F(OrdinalCli, AreReportedComparedAndExported) {
  expect_done(fit("d.csv", ordinal_));
  const Outcome ratios = run({"summary", "out", "--exp"});
  expect_done(ratios);
  EXPECT_NE(ratios.out.find("odds ratio"), std::string::npos) << ratios.out;
  expect_done(run({"report", "out", "--out", "page.html"}));
  expect_done(run({"compare", "out"}));
  for (const Words& more : {Words{}, Words{"--overwrite"}}) {
    expect_done(run(Words{"export", "out", "--to", "zarr", "--out", "z"} + more));
  }
  EXPECT_TRUE(exists("z/posterior/cut.2"));
}

// Wherever a chain starts and however it moves, it ends up with cut points in order.
TEST_F(OrdinalCli, AreSampledByEveryKernelFromAnyStart) {
  for (const Words& how :
       {Words{"--init", "prior"}, Words{"--init", "prior", "--regular", "--kernel", "rwmh"},
        Words{"--kernel", "slice"}, Words{"--z", "implicit", "--kernel", "mala"},
        Words{"--frame", "plain"}, Words{"--anchor", "sgd"}, Words{"--select-prior"}}) {
    expect_done(fit("d.csv", ordinal_ + how + Words{"--draws", "30", "--overwrite"}));
    for (const ChainDraws& chain : chains()) {
      for (std::size_t i = 0; i < chain.draws(); ++i) {
        ASSERT_LT(chain.column("cut.1")[i], chain.column("cut.2")[i]) << how.back();
      }
    }
  }
}

TEST_F(OrdinalCli, MistakesAreNamed) {
  const auto refused = [&](const Words& words, int code, const std::string& text) {
    expect_error(fit("d.csv", words), code, text);
    EXPECT_FALSE(exists("out"));
  };
  refused({"--family", "ordinal", "--response", "rating", "--order", "low,high"}, 65,
          "--order low,high: 'mid' is missing; the classes are high, low, mid.");
  refused({"--family", "softmax", "--response", "rating", "--order", "low,mid,high"}, 64,
          "--order: only ordinal takes it");
  refused(ordinal_ + Words{"--prior", "normal:1", "--prior-intercept", "normal:3"}, 64,
          "ordinal has cut points in place of an intercept");
  refused(ordinal_ + Words{"--bound", "map"}, 64, "ordinal has no global bound");
}

}  // namespace
}  // namespace flymc::testing
