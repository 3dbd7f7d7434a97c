// What run.json keeps of the options comes back as it was.
#include "run/run_config.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "data/load_support.hpp"
#include "fit/settings.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

StoredRun stored(const Json& run) {
  const flymc::testing::TempDir folder;
  folder.write("run.json", run.dump());
  return read_stored_run(folder / "");
}

Json run_of(const RunOptions& options) {
  return {{"status", "interrupted"},
          {"data", {{"path", "/data/train.csv"}, {"checksum", "crc32:00000001"}}},
          {"config", describe_config(options)},
          {"parameters", {{{"column", "beta.1"}, {"label", "age"}}}},
          {"classes", {"no", "yes"}}};
}

// No setting has its default here, so that one left out of the list shows.
RunOptions unusual() {
  RunOptions o;
  o.data.response = "y";
  o.data.formula = "y ~ a";
  o.data.formulas = {{"sigma", "sigma ~ b"}};
  o.data.header = HeaderLine::kNo;
  o.data.features = {"a", "b"};
  o.data.drop = {"id"};
  o.data.categorical = {"b"};
  o.data.dates = {"when"};
  o.data.reference = {"b=2"};
  o.data.weights = "w";
  o.data.offset = "o";
  o.data.trials = "m";
  o.data.censored = "c";
  o.data.missing = Missing::kDrop;
  o.data.missing_in = {"e"};
  o.data.format = Format::kTsv;
  o.family = "binomial";
  o.likelihood = "y*mu - exp(mu)";
  o.predictors = {"mu"};
  o.data_columns = {"y", "m"};
  o.order = {"low", "mid", "high"};
  o.prior = parse_prior("laplace:0.1", "prior");
  o.prior_intercept = parse_prior("normal:3", "prior_intercept");
  o.prior_aux = {{"sigma", "half_t(3, 2)"}};
  o.prior_sd = {{"g", "half_normal(1)"}};
  o.select_prior = true;
  o.own = {{"nu", 7.25},   {"scale", 0.3}, {"size", 2.5}, {"sigma", 0.7},
           {"shape", 1.5}, {"phi", 3.0},   {"zi", 0.2}};
  o.engine = EngineKind::kFly;
  o.bound = BoundKind::kUntuned;
  o.xi = 1.75;
  o.z = ZKind::kExplicit;
  o.q = 0.125;
  o.q_bright_to_dark = 0.5;
  o.z_fraction = 0.2;
  o.z_order = ZOrder::kShuffled;
  o.kernel = KernelKind::kSlice;
  o.frame = FrameKind::kPlain;
  o.init = InitKind::kMap;
  o.anchor = AnchorSearch::kSgd;
  o.schedule = {.warmup = 11, .draws = 12, .thin = 13};
  o.ess = 450.0;
  o.levels = LevelDraws::kSummary;
  o.chains = 3;
  o.seed = 18446744073709551615ULL;
  o.save_warmup = true;
  o.holdout = 0.125;
  return o;
}

TEST(RunConfig, ComesBackAsItWas) {
  const StoredRun back = stored(run_of(unusual()));
  EXPECT_EQ(describe_config(back.options), describe_config(unusual()));
  EXPECT_EQ(back.options.data.path, "/data/train.csv");
  EXPECT_EQ(back.status, "interrupted");
  EXPECT_EQ(back.data_checksum, "crc32:00000001");
  EXPECT_EQ(back.labels, std::vector<std::string>{"age"});
  EXPECT_EQ(back.classes, (std::vector<std::string>{"no", "yes"}));
}

TEST(RunConfig, DefaultsComeBackAsDefaults) {
  EXPECT_EQ(describe_config(stored(run_of({})).options), describe_config({}));
  EXPECT_FALSE(stored(run_of({})).options.own.contains("scale"));
}

// By hand: what a configuration says of a scale, null for one that is not there.
Settings own_of(const char* family, const Json& scale, const Json& nu = 4.0) {
  RunOptions options;
  options.family = family;
  Json run = run_of(options);
  run["config"]["nu"] = nu;
  run["config"]["scale"] = scale;
  if (scale.is_null()) {
    run["config"].erase("scale");
  }
  return stored(run).options.own;
}

TEST(RunConfig, AScaleThatWasChosenStaysSo) {
  EXPECT_EQ(own_of("student-t", "auto").at("scale"), kChoose);
  EXPECT_EQ(own_of("student-t", {}).at("scale"), kChoose);
  EXPECT_EQ(own_of("student-t", 2.0).at("scale"), 2.0);
  EXPECT_TRUE(std::isnan(own_of("student-t", "infer").at("scale")));
  EXPECT_FALSE(own_of("student-t", "auto", "infer").contains("scale"));  // sampled with nu
  EXPECT_FALSE(own_of("logistic", "auto").contains("scale"));
}

TEST(RunConfig, WordsForSettingsComeBack) {
  for (const double word : {kInfer, kChoose}) {
    RunOptions options;
    options.family = "student-t";
    options.own = {{"scale", word}};
    const Json config = describe_config(options);
    EXPECT_EQ(config["scale"], std::isnan(word) ? "infer" : "auto");
    EXPECT_EQ(describe_config(stored(run_of(options)).options), config);
  }
  RunOptions sized;
  sized.family = "negative-binomial";
  sized.own = {{"size", kInfer}};
  EXPECT_EQ(describe_config(stored(run_of(sized)).options), describe_config(sized));
}

TEST(RunConfig, NoSettingIsWrittenAsItsDefaultByChance) {
  const Json config = describe_config(unusual());
  const Json defaults = describe_config({});
  for (const auto& [key, value] : config.items()) {
    if (key != "no-intercept") {  // contradicts an intercept's prior
      EXPECT_NE(value, defaults.at(key)) << key;
    }
  }
}

TEST(RunConfig, ModelWithoutInterceptHasNoPriorForIt) {
  RunOptions options;
  options.intercept = false;
  options.prior = parse_prior("normal:2", "prior");
  const RunOptions back = stored(run_of(options)).options;
  EXPECT_FALSE(back.intercept);
  EXPECT_FALSE(back.prior_intercept.has_value());
}

TEST(RunConfig, SettingOfTheWrongKindIsNamed) {
  Json run = run_of({});
  run["config"]["kernel"] = "nuts";
  try {
    std::ignore = stored(run);
    FAIL() << "took a kernel that does not exist";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_NE(std::string(error.what()).find("kernel nuts"), std::string::npos) << error.what();
  }
  for (const Json& chains : {Json(-1), Json(2.5), Json(1e300), Json(1ULL << 33U), Json(true)}) {
    run = run_of({});
    run["config"]["chains"] = chains;
    EXPECT_THROW(std::ignore = stored(run), Error) << chains;
  }
  run["config"] = 3;
  EXPECT_THROW(std::ignore = stored(run), Error);
}

}  // namespace
}  // namespace flymc
