#include "run/run_folder.hpp"

#include <cmath>

#include "run/run_fixture.hpp"

namespace flymc {
namespace {

class RunFolder : public RunFolderTest {
 protected:
  [[nodiscard]] std::string record_error() const {
    return error_of([this] { (void)read_run_record(folder_); });
  }
  [[nodiscard]] std::string chains_error() const {
    return error_of([this] { (void)read_run_chains(folder_); });
  }
};

std::string rows(std::size_t count) {
  std::string text = "lp__,alpha\n";
  for (std::size_t i = 0; i < count; ++i) {
    text += "-1," + std::to_string(i) + "\n";
  }
  return text;
}

TEST_F(RunFolder, ReadsWhatReportsNeed) {
  write("run.json",
        R"({"n": 5, "d": 2, "model": "logistic", "engine": "fly", "status": "complete",
            "exact": true, "parameters": [{"column": "alpha", "label": "the mean"}],
            "config": {"thin": 2, "warmup": 50}, "setup": {"seconds": 1.5, "passes": 3},
            "sampling": {"seconds": 2, "iterations": 8, "evaluations": 80, "queries_theta": 30,
                         "queries_z": 10, "mean_bright": 1.25}, "later": [1, 2]})");
  const RunRecord run = read_run_record(folder_);
  EXPECT_EQ(run.n, 5U);
  EXPECT_EQ(run.d, 2U);
  EXPECT_EQ(run.model + run.engine + run.status, "logisticflycomplete");
  EXPECT_TRUE(run.exact);
  ASSERT_EQ(run.parameters.size(), 1U);
  EXPECT_EQ(run.parameters[0].column, "alpha");
  EXPECT_EQ(run.parameters[0].label, "the mean");
  EXPECT_EQ(run.thin, 2.0);
  EXPECT_EQ(run.warmup, 50.0);
  EXPECT_EQ(run.setup_seconds, 1.5);
  EXPECT_EQ(run.evaluations, 80.0);
  EXPECT_EQ(run.queries_theta, 30.0);
  EXPECT_EQ(run.queries_z, 10.0);
  EXPECT_EQ(run.mean_bright, 1.25);
}

TEST_F(RunFolder, LeavesUnknownWhatIsNotRecordedYet) {
  write("run.json", R"({"n": 5, "d": 2, "model": "m", "engine": "fly", "status": "running",
                        "setup": null})");
  const RunRecord run = read_run_record(folder_);
  EXPECT_FALSE(run.exact);
  EXPECT_TRUE(run.parameters.empty());
  EXPECT_TRUE(std::isnan(run.iterations));
  EXPECT_TRUE(std::isnan(run.setup_seconds));
}

TEST_F(RunFolder, SaysInOneLineWhatIsWrongWithTheRecord) {
  EXPECT_EQ(record_error(),
            "66 RUN/ holds no run.json, so it is not a run folder; give the folder named by out "
            "when fitting.");
  const std::string remedy = "; restore the file, or fit again with another out.";
  write("run.json", "{\"n\": 5,\n\x1b}");
  EXPECT_EQ(record_error(), "65 RUN/run.json: not valid JSON at byte 10" + remedy);
  write("run.json", "{\"n\": 1e999}");
  EXPECT_EQ(record_error(), "65 RUN/run.json: not valid JSON" + remedy);
  write("run.json", "");
  EXPECT_EQ(record_error(), "65 RUN/run.json: not valid JSON at byte 1" + remedy);
  write("run.json", "[]");
  EXPECT_EQ(record_error(), "65 RUN/run.json: the content is not an object" + remedy);
  write("run.json", "{}");
  EXPECT_EQ(record_error(), "65 RUN/run.json: 'n' is not a count" + remedy);
  write("run.json", R"({"sampling": 3})");
  EXPECT_EQ(record_error(), "65 RUN/run.json: 'sampling' is not an object" + remedy);
  write("run.json", R"({"parameters": [{"column": "a", "label": "b"}, {"column": 1}]})");
  EXPECT_EQ(record_error(), "65 RUN/run.json: 'parameters[1].column' is not text" + remedy);
  write("run.json", R"({"n": 1, "d": 1, "model": "m", "engine": "e", "status": "s",
                        "sampling": {"seconds": "1"}})");
  EXPECT_EQ(record_error(), "65 RUN/run.json: 'sampling.seconds' is not a number" + remedy);
  write("run.json", "{\"n\": \"\xff\"}");
  EXPECT_EQ(record_error().substr(0, 33), "65 RUN/run.json: not valid JSON a");
}

TEST_F(RunFolder, SaysWhenThereIsNoFolder) {
  std::filesystem::remove_all(folder_);
  EXPECT_EQ(record_error(), "66 no run folder 'RUN/'; make one with flymc fit DATA (out = RUN/)");
}

TEST_F(RunFolder, ShowsAPathWithOneSlashAndNoControlBytes) {
  EXPECT_EQ(shown_folder("run"), "run/");
  EXPECT_EQ(shown_folder("run/"), "run/");
  EXPECT_EQ(shown_folder("r\x1bn"), "r\\x1bn/");
}

TEST_F(RunFolder, ReadsChainsInTheOrderOfTheirNumbers) {
  for (const int k : {10, 2, 1}) {
    write("chain-" + std::to_string(k) + ".csv", "lp__\n" + std::to_string(k) + "\n");
  }
  for (const char* other : {"warmup-1.csv", "chain-x.csv", "chain-.csv", "chain-1.ckpt"}) {
    write(other, "nonsense");
  }
  const auto run = read_run_chains(folder_);
  ASSERT_EQ(run.chains.size(), 3U);
  EXPECT_EQ(run.chains[0].column("lp__")[0], 1.0);
  EXPECT_EQ(run.chains[1].column("lp__")[0], 2.0);
  EXPECT_EQ(run.chains[2].column("lp__")[0], 10.0);
  EXPECT_TRUE(run.notes.empty());
}

TEST_F(RunFolder, EvensOutTheChainsOfAKilledRunAndSaysSo) {
  write("chain-1.csv", rows(10) + "-1,9");
  write("chain-2.csv", rows(8));
  write("chain-3.csv", rows(1));
  write("chain-4.csv", "# just opened");
  const auto run = read_run_chains(folder_);
  ASSERT_EQ(run.chains.size(), 2U);
  EXPECT_EQ(run.chains[0].draws(), 8U);
  EXPECT_EQ(run.chains[1].draws(), 8U);
  EXPECT_EQ(run.notes,
            (std::vector<std::string>{"Chain 3 is left out: it has 1 draw, the longest 10.",
                                      "Chain 4 is left out: it has 0 draws, the longest 10.",
                                      "Chains are cut to the shortest, 8 draws of 10."}));
}

TEST_F(RunFolder, SaysWhenThereIsNothingToRead) {
  constexpr const char* kNoDraws =
      "66 RUN/ holds no draws yet; wait, go on with resume where it was stopped, or repeat the fit "
      "with overwrite.";
  EXPECT_EQ(chains_error(), kNoDraws);
  write("chain-1.csv", "lp__,alpha\n");
  EXPECT_EQ(chains_error(), kNoDraws);
}

TEST_F(RunFolder, RefusesChainsOfDifferentRuns) {
  write("chain-1.csv", rows(4));
  write("chain-2.csv", "lp__,beta\n1,2\n1,2\n");
  EXPECT_EQ(chains_error(),
            "65 RUN/chain-2.csv: its columns differ from those of chain-1.csv; they are not chains "
            "of one run.");
}

}  // namespace
}  // namespace flymc
