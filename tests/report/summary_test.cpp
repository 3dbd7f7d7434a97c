#include "flymc/diagnose/summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "diagnose/reference_series.hpp"
#include "report/checks.hpp"
#include "report/made_up_summary.hpp"
#include "report/numbers.hpp"
#include "report/summary_text.hpp"
#include "run/run_fixture.hpp"
#include "run/run_folder.hpp"

namespace flymc {
namespace {

class SummaryOfRun : public RunFolderTest {
 protected:
  // The two chains of the interface's reference vector, as a parameter.
  void write_chains() const {
    write_chain("chain-1.csv", series_a());
    write_chain("chain-2.csv", series_b());
  }

  void write_chain(const std::string& name, const std::vector<double>& alpha) const {
    std::ostringstream text;
    text.precision(17);
    text << "# flymc\nlp__,accept_stat__,bright__,queries__,alpha\n";
    for (std::size_t t = 0; t < alpha.size(); ++t) {
      text << -1.0 - alpha[t] * alpha[t] << ",0.8," << t % 7 << ",50," << alpha[t] << "\n";
    }
    write(name, text.str());
  }

  void write_record(const std::string& more) const {
    write("run.json", R"({"n": 1000, "d": 1, "model": "logistic", "engine": "fly", "exact": true,
                          "status": "complete")" +
                          more + "}");
  }
};

TEST_F(SummaryOfRun, MeetsTheReferenceVector) {
  write_chains();
  write_record(R"(, "parameters": [{"column": "alpha", "label": "the mean"
}])");
  const Summary summary = summarise(folder_);
  ASSERT_EQ(summary.parameters.size(), 1U);
  EXPECT_EQ(summary.parameters[0].label, "the mean");
  EXPECT_EQ(summary.chains, 2U);
  EXPECT_EQ(summary.draws, 1000U);
  const Estimate& e = summary.parameters[0].estimate;
  EXPECT_NEAR(e.rhat, 1.00164336215, 1e-10);
  EXPECT_NEAR(e.ess_bulk, 601.686363419, 1e-8);
  EXPECT_NEAR(e.ess_tail, 658.445829125, 1e-8);
  EXPECT_NEAR(e.ess_coda, 314.889599016, 1e-8);
  EXPECT_NEAR(e.mcse_mean, 0.0124081275446, 1e-12);
  EXPECT_GT(summary.log_density.estimate.ess_bulk, 100.0);
  EXPECT_TRUE(checks_pass(summary));
}

TEST_F(SummaryOfRun, TakesCostsFromTheRecord) {
  write_chains();
  write_record(R"(, "setup": {"seconds": 1.5, "passes": 12},
                  "sampling": {"seconds": 2.5, "iterations": 4000, "evaluations": 40000,
                               "queries_theta": 300000, "queries_z": 100000, "mean_bright": 3.5})");
  const SamplingCost cost = summarise(folder_).cost;
  EXPECT_EQ(cost.seconds_setup, 1.5);
  EXPECT_EQ(cost.passes_setup, 12.0);
  EXPECT_EQ(cost.seconds_sampling, 2.5);
  EXPECT_EQ(cost.queries_total, 400000.0);
  EXPECT_EQ(cost.queries_per_iteration, 100.0);
  EXPECT_EQ(cost.regular_queries_per_iteration, 10000.0);
  EXPECT_EQ(cost.mean_bright, 3.5);
  EXPECT_EQ(cost.max_bright, 6.0);
}

TEST_F(SummaryOfRun, ChargesDrawsTheWholeTimeByTheClock) {
  write_chains();
  write_record(R"(, "seconds": 20.0, "setup": {"seconds": 1.5, "passes": 12},
                  "sampling": {"seconds": 2.5, "iterations": 4000, "queries_theta": 300000,
                               "queries_z": 100000})");
  const Summary summary = summarise(folder_);
  EXPECT_EQ(summary.cost.seconds_total, 20.0);
  double fewest = summary.log_density.estimate.ess_bulk;
  for (const ParameterSummary& parameter : summary.parameters) {
    fewest = std::min(fewest, parameter.estimate.ess_bulk);
  }
  const std::string table = to_table(summary, field_wording());
  EXPECT_NE(table.find(approximate(fewest / 20.0) + " per second"), std::string::npos) << table;
  EXPECT_NE(table.find("; 20 s by the clock"), std::string::npos) << table;
  EXPECT_EQ(table.find("from mode to mean"), std::string::npos) << table;
  EXPECT_EQ(Json::parse(to_json(summary))["seconds"], 20.0);
}

TEST_F(SummaryOfRun, SaysWhatMovesOfTheAnchorTookWhereThereWereSome) {
  write_chains();
  write_record(R"(, "seconds": 20.0, "setup": {"seconds": 1.5, "passes": 12, "reanchor_seconds": 4},
                  "sampling": {"seconds": 2.5, "iterations": 4000, "queries_theta": 300000,
                               "queries_z": 100000})");
  const Summary summary = summarise(folder_);
  const std::string table = to_table(summary, field_wording());
  EXPECT_NE(table.find("set-up 1.5 s (12 passes over the data), moves from mode to mean 4 s; 20 s"),
            std::string::npos)
      << table;
  EXPECT_EQ(Json::parse(to_json(summary))["seconds_reanchor"], 4.0);
}

TEST_F(SummaryOfRun, ChargesRegularMcmcOnePassAnIterationIfEvaluationsAreNotRecorded) {
  write_chains();
  write_record(R"(, "sampling": {"iterations": 4000, "queries_theta": 1, "queries_z": 1})");
  EXPECT_EQ(summarise(folder_).cost.regular_queries_per_iteration, 1000.0);
}

TEST_F(SummaryOfRun, WorksOutFromTheDrawsWhatAKilledRunDidNotRecord) {
  write_chains();
  write("run.json", R"({"n": 1000, "d": 1, "model": "logistic", "engine": "fly",
                        "status": "running", "config": {"thin": 2}})");
  const Summary summary = summarise(folder_);
  EXPECT_EQ(summary.cost.queries_per_iteration, 25.0);
  EXPECT_NEAR(summary.cost.mean_bright, 3.0, 0.01);
  ASSERT_EQ(summary.parameters.size(), 1U);
  EXPECT_EQ(summary.parameters[0].label, "alpha");
  const auto json = nlohmann::json::parse(to_json(summary));
  EXPECT_TRUE(json.at("seconds_sampling").is_null());
}

TEST_F(SummaryOfRun, RefusesDrawsOfAnotherRun) {
  write_chains();
  write_record(R"(, "parameters": [{"column": "beta.1", "label": "age"}])");
  EXPECT_EQ(error_of([this] { (void)summarise(folder_); }),
            "65 RUN/: the chain files have no column 'beta.1'; they belong to another run than "
            "run.json.");
}

TEST(SummaryJson, HasTheKeysOfTheContractInItsOrder) {
  Summary summary = made_up_summary();
  summary.parameters.resize(1);
  summary.parameters[0].label = "caf\u00e9 \"\x1b\n";
  summary.parameters[0].estimate.rhat = std::nan("");
  summary.parameters[0].estimate.ess_tail = INFINITY;
  EXPECT_EQ(to_json(summary), R"({
  "n": 1000000,
  "d": 2,
  "exact": true,
  "engine": "fly",
  "seconds_setup": 3.21,
  "seconds_sampling": 8.0,
  "queries_per_iteration": 1575.0,
  "mean_bright": 1834.2,
  "parameters": [
    {
      "column": "alpha",
      "label": "café \"\u001b\n",
      "mean": 1.20345,
      "sd": 0.2561,
      "mcse_mean": 0.0041,
      "q5": 0.7812,
      "q50": 1.2,
      "q95": 1.6251,
      "ess_bulk": 3902.4,
      "ess_tail": null,
      "ess_coda": 4011.6,
      "rhat": null
    }
  ],
  "lp__": {
    "column": "lp__",
    "label": "log density",
    "mean": -0.0512,
    "sd": 0.0314,
    "mcse_mean": 0.00062,
    "q5": -0.1029,
    "q50": -0.0513,
    "q95": 0.00021,
    "ess_bulk": 1260.0,
    "ess_tail": 2800.0,
    "ess_coda": 2600.0,
    "rhat": 1.003
  }
}
)");
}

TEST(SummaryJson, StaysValidWhateverTheLabelHolds) {
  Summary summary = made_up_summary();
  summary.parameters[0].label = std::string("\xff\xfe\0</script>", 12);
  const auto json = nlohmann::json::parse(to_json(summary));
  EXPECT_EQ(json.at("parameters").size(), 2U);
}

}  // namespace
}  // namespace flymc
