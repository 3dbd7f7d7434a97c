// Right censored times, from the command line to every file that a run leaves.
#include <numeric>

#include "cli/predict_support.hpp"

namespace flymc::testing {
namespace {

class CensoredCli : public PredictCli {
 protected:
  CensoredCli() {
    const Simulated s = simulated(kTimes);
    Stream stream(13, 0, Purpose::kTest, 0);
    for (std::size_t n = 0; n < kTimes; ++n) {
      const double time = std::exp(s.eta[n]) * stream.exponential();
      const double end = 4.0 * stream.exponential();
      times_.push_back(std::min(time, end));
      censored_.push_back(time > end ? 1.0 : 0.0);
    }
    a_ = s.a;
    write("d.csv", csv({{"a", s.a}, {"t", times_}, {"end", censored_}}));
  }

  static constexpr std::size_t kTimes = 200;
  const Words weibull_{"--model", "weibull", "--response", "t", "--censored", "end"};
  std::vector<double> a_, times_, censored_;
};

TEST_F(CensoredCli, AreToldAndPredicted) {
  const Outcome outcome = fit("d.csv", weibull_);
  expect_done(outcome);
  const double total = std::accumulate(censored_.begin(), censored_.end(), 0.0);
  EXPECT_TRUE(
      outcome.says(std::to_string(static_cast<int>(total)) + " of 200 times are right censored"))
      << outcome.err;
  const Json run_json = json("out/run.json");
  EXPECT_EQ(run_json["config"]["censored"], "end");
  EXPECT_EQ(run_json["weibull"]["censored"], total);
  const CsvTable table = predicted("d.csv", {"--log-lik"});
  ASSERT_EQ(table.rows.size(), kTimes);
  for (std::size_t n = 0; n < kTimes; ++n) {
    std::vector<double> logs;
    for (const ChainDraws& chain : chains()) {
      for (std::size_t i = 0; i < chain.draws(); ++i) {
        const double shape = chain.column("shape")[i];
        const double mu = chain.column("alpha")[i] + chain.column("beta.1")[i] * a_[n];
        const double power = std::pow(times_[n] * std::exp(-mu), shape);
        logs.push_back((censored_[n] > 0.0 ? 0.0 : std::log(shape * power / times_[n])) - power);
      }
    }
    expect_close(table.rows[n][4], log_mean_of_exp(logs));
  }
}

TEST_F(CensoredCli, AreTheSameFromAFlyAndResumed) {
  expect_done(fit("d.csv", weibull_ + Words{"--draws", "60"}));
  const std::string chain = bytes("out/chain-1.csv");
  expect_done(run({"convert", "d.csv", "d.fly", "--response", "t", "--censored", "end"}));
  expect_done(
      fit("d.fly", {"--model", "weibull", "--censored", "end", "--draws", "60", "--overwrite"}));
  EXPECT_EQ(bytes("out/chain-1.csv"), chain);
  expect_done(fit("d.csv", weibull_ + Words{"--draws", "40", "--overwrite"}));
  expect_done(run({"fit", "--resume", "out", "--draws", "60"}));
  EXPECT_EQ(bytes("out/chain-1.csv"), chain);
}

TEST_F(CensoredCli, AreLeftOutOfResiduals) {
  for (const char* model : {"weibull", "exponential", "log-logistic"}) {
    expect_done(
        fit("d.csv", {"--model", model, "--response", "t", "--censored", "end", "--overwrite"}));
    expect_done(run({"report", "out", "--out", "page.html"}));
    const std::string page = bytes("page.html");
    EXPECT_NE(page.find("censored ones left out"), std::string::npos) << model;
    EXPECT_NE(page.find("--censored end"), std::string::npos) << model;
  }
}

TEST_F(CensoredCli, MistakesAreNamed) {
  const auto refused = [&](const Words& words, int code, const std::string& text) {
    expect_error(fit("d.csv", words), code, text);
    EXPECT_FALSE(exists("out"));
  };
  refused({"--model", "gamma", "--response", "t", "--censored", "end"}, 64,
          "--censored: only exponential, weibull, log-logistic take it");
  refused({"--model", "weibull", "--response", "t", "--trials", "end"}, 64,
          "--trials: only binomial takes it");
  refused({"--model", "weibull", "--response", "t", "--censored", "a"}, 65,
          "1 is a right censored time, 0 one that was seen");
  refused({"--model", "weibull", "--response", "t", "--censored", "q"}, 65, "no column 'q'");
  refused(weibull_ + Words{"--prior", "flat"}, 65, "a flat prior with censored times");
  write("all.csv", csv({{"a", a_}, {"t", times_}, {"end", constant(kTimes, 1.0)}}));
  expect_error(fit("all.csv", weibull_), 65, "every time in 't' is censored: nothing to learn");
}

}  // namespace
}  // namespace flymc::testing
