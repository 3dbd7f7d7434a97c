// The run folder and the summary, as scripts depend on them: keys, columns, bytes, exit codes.
#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

class RunFolder : public Cli {
 protected:
  void SetUp() override { write("d.csv", binary_csv()); }
  Outcome fit_here(const Words& options) const {
    return fit("d.csv", Words{"--response", "y"} + options);
  }
  [[nodiscard]] std::string chains() const {
    return bytes("out/chain-1.csv") + bytes("out/chain-2.csv");
  }
  [[nodiscard]] Words files() const {
    Words names;
    for (const auto& entry : std::filesystem::directory_iterator(path("out"))) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }
};

TEST_F(RunFolder, HoldsRunJsonAndOneFileAChain) {
  expect_done(fit_here({}));
  EXPECT_EQ(files(),
            (Words{"chain-1.ckpt", "chain-1.csv", "chain-2.ckpt", "chain-2.csv", "run.json"}));
  expect_done(fit_here({"--overwrite", "--save-warmup", "--warmup", "60"}));
  EXPECT_EQ(files(), (Words{"chain-1.ckpt", "chain-1.csv", "chain-2.ckpt", "chain-2.csv",
                            "run.json", "warmup-1.csv", "warmup-2.csv"}));
  EXPECT_EQ(draws("out/warmup-1.csv").draws(), 60U);
  EXPECT_EQ(draws("out/chain-1.csv").draws(), 100U);
}

TEST_F(RunFolder, RunJsonHasTheKeysOfTheContract) {
  expect_done(fit_here({"--seed", "5", "--thin", "2"}));
  const Json run = json("out/run.json");
  for (const char* key : {"version", "model", "n", "d", "config", "data", "parameters", "prior",
                          "engine", "setup", "sampling", "exact", "status"}) {
    EXPECT_TRUE(run.contains(key)) << key;
  }
  EXPECT_EQ(run["model"], "logistic");
  EXPECT_EQ(run["n"], 200);
  EXPECT_EQ(run["d"], 2);
  EXPECT_EQ(run["exact"], true);
  EXPECT_EQ(run["status"], "complete");
  EXPECT_EQ(run["engine"], "fly");
  EXPECT_EQ(run["parameters"][0], (Json{{"column", "alpha"}, {"label", "(intercept)"}}));
  EXPECT_EQ(run["parameters"][2], (Json{{"column", "beta.2"}, {"label", "b"}}));
  EXPECT_EQ(run["prior"]["slopes"], "normal(0, 2.5)");
  for (const char* key : {"seconds", "passes", "queries", "newton_decrement"}) {
    EXPECT_TRUE(run["setup"][key].is_number()) << key;
  }
  for (const char* key : {"seconds", "iterations", "queries_theta", "queries_z", "mean_bright"}) {
    EXPECT_TRUE(run["sampling"][key].is_number()) << key;
  }
  EXPECT_EQ(run["sampling"]["iterations"], 2 * 100 * 2);
  // By the clock: no chain can have sampled before set-up, nor after the end.
  EXPECT_GE(run["seconds"].get<double>(),
            run["setup"]["seconds"].get<double>() + run["sampling"]["seconds"].get<double>());
  EXPECT_TRUE(std::filesystem::equivalent(run["data"]["path"].get<std::string>(), path("d.csv")));
  EXPECT_TRUE(std::filesystem::path(run["data"]["path"].get<std::string>()).is_absolute());
  EXPECT_TRUE(run["data"]["checksum"].get<std::string>().starts_with("xxh64:"));
}

TEST_F(RunFolder, ConfigReproducesTheRun) {
  expect_done(fit_here({"--seed", "5", "--thin", "2", "--prior", "laplace:1", "--kernel", "mala"}));
  const Json config = json("out/run.json")["config"];
  const std::string before = chains();
  Words words{"fit", "d.csv", "--out", "out", "--overwrite"};
  for (const auto& [key, value] : config.items()) {
    EXPECT_FALSE(value.is_object()) << key << ": config is flat";
    const bool plain = value.is_number() || (value.is_string() && value != "");
    const bool implicit = (key == "xi" || key == "q") && value == "auto";
    if (plain && !implicit) {
      words =
          words + Words{"--" + key, value.is_string() ? value.get<std::string>() : value.dump()};
    }
  }
  expect_done(run(words));
  EXPECT_EQ(chains(), before);
}

TEST_F(RunFolder, ChainFilesHoldTheColumnsOfTheContract) {
  expect_done(fit_here({}));
  const ChainDraws chain = draws("out/chain-1.csv");
  EXPECT_EQ(chain.columns,
            (Words{"lp__", "accept_stat__", "bright__", "queries__", "alpha", "beta.1", "beta.2"}));
  for (const double value : chain.column("accept_stat__")) {
    EXPECT_TRUE(value >= 0.0 && value <= 1.0);
  }
  for (const double value : chain.column("bright__")) {
    EXPECT_TRUE(value >= 0.0 && value <= 200.0);
  }
  std::size_t digits = 0;  // 17 where the last ones are not zeros
  for (const double value : chain.column("alpha")) {
    char shortest[32];
    std::snprintf(shortest, sizeof shortest, "%.17g", value);
    EXPECT_NE(bytes("out/chain-1.csv").find(shortest), std::string::npos);
    digits = std::max(digits, std::string(shortest).size());
  }
  EXPECT_GE(digits, 18U);
}

TEST_F(RunFolder, ChainHeadHasNoTimePathOrCommand) {
  expect_done(fit_here({}));
  const std::string first = bytes("out/chain-1.csv");
  EXPECT_EQ(first.find("d.csv"), std::string::npos);
  EXPECT_EQ(first.find(path("").string()), std::string::npos);
  EXPECT_TRUE(first.starts_with("# "));
}

TEST_F(RunFolder, QueriesAccumulateOverThinnedIterations) {
  expect_done(fit_here({"--thin", "5"}));
  const Json sampling = json("out/run.json")["sampling"];
  EXPECT_EQ(sampling["iterations"], 2 * 100 * 5);
  const double total =
      sampling["queries_theta"].get<double>() + sampling["queries_z"].get<double>();
  EXPECT_DOUBLE_EQ(mean("queries__") * 200.0, total);
}

TEST_F(RunFolder, RegularPaysEveryRowForEveryEvaluation) {
  expect_done(fit_here({"--regular", "--kernel", "rwmh", "--thin", "3"}));
  const ChainDraws chain = draws("out/chain-2.csv");
  for (const double queries : chain.column("queries__")) {
    EXPECT_EQ(queries, 3.0 * 200.0);
  }
  for (const double bright : chain.column("bright__")) {
    EXPECT_EQ(bright, 0.0);
  }
  for (const char* kernel : {"hmc", "mala", "slice", "independence"}) {
    expect_done(fit_here({"--engine", "regular", "--kernel", kernel, "--overwrite"}));
    const Json sampling = json("out/run.json")["sampling"];
    EXPECT_EQ(sampling["queries_theta"], 200 * sampling["evaluations"].get<int>()) << kernel;
    EXPECT_EQ(sampling["queries_z"], 0);
  }
}

TEST_F(RunFolder, SameSeedSameBytesForAnyNumberOfThreads) {
  for (const Words& engine : {Words{}, Words{"--regular"}, Words{"--anchor", "sgd"}}) {
    std::string first;
    for (const char* threads : {"1", "2", "4"}) {
      expect_done(fit_here(engine + Words{"--threads", threads, "--overwrite"}));
      first = first.empty() ? chains() : first;
      EXPECT_EQ(chains(), first) << threads;
    }
    EXPECT_NE(bytes("out/chain-1.csv"), bytes("out/chain-2.csv"));
    expect_done(fit_here(engine + Words{"--seed", "2", "--overwrite"}));
    EXPECT_NE(chains(), first);
  }
}

TEST_F(RunFolder, OptionsOfDisplayDoNotChangeTheBytes) {
  expect_done(fit_here({}));
  const std::string first = chains();
  for (const Words& words : {Words{"--quiet"}, Words{"--progress", "none"},
                             Words{"--progress", "plain"}, Words{"--save-warmup"}}) {
    expect_done(fit_here(words + Words{"--overwrite"}));
    EXPECT_EQ(chains(), first) << words.front();
  }
}

TEST_F(RunFolder, AnExistingRunIsKeptUnlessOverwritten) {
  expect_done(fit_here({"--chains", "3"}));
  const std::string before = chains();
  expect_error(fit_here({"--seed", "2"}), 73,
               "out/ already holds a finished run; use --resume, --overwrite or another --out.");
  EXPECT_EQ(chains(), before);
  write("out/notes.txt", "mine");
  write("out/chain-x.csv", "mine");
  expect_error(fit_here({"--overwrite", "--response", "absent"}), 64, "--response");
  expect_error(fit("absent.csv", {"--overwrite", "--response", "y"}), 66, "absent.csv");
  EXPECT_EQ(chains(), before);
  expect_done(fit_here({"--overwrite"}));
  EXPECT_EQ(files(), (Words{"chain-1.ckpt", "chain-1.csv", "chain-2.ckpt", "chain-2.csv",
                            "chain-x.csv", "notes.txt", "run.json"}));
  EXPECT_EQ(bytes("out/notes.txt"), "mine");
}

TEST_F(RunFolder, FilesThatOnlyLookLikeARunAreSafe) {
  std::filesystem::create_directory(path("out"));
  write("out/chain-1.csv", binary_csv());
  expect_error(fit_here({}), 73, "out/ already holds files of a run");
  expect_error(fit("out/chain-1.csv", {"--response", "y", "--overwrite"}), 73,
               "would be overwritten by the run");
  EXPECT_EQ(bytes("out/chain-1.csv"), binary_csv());
}

TEST_F(RunFolder, FoldersAreMadeAndUnmadeWithTheirParents) {
  const Words words{"fit",           "d.csv",   "--response", "y",        "--out",
                    "new/deep/run/", "--draws", "20",         "--warmup", "20"};
  expect_error(run(words + Words{"--prior", "flat", "--init", "prior"}), 64, "flat");
  EXPECT_FALSE(exists("new"));
  expect_done(run(words));
  EXPECT_TRUE(exists("new/deep/run/run.json"));
}

}  // namespace
}  // namespace flymc::testing
