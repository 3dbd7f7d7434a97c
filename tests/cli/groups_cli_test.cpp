// Group terms end to end: from a table and a formula to a posterior near the truth, a run that goes
// on where it stopped, predictions of known and new levels.
#include <fmt/format.h>

#include <cmath>

#include "cli/cli_data.hpp"
#include "cli/group_runs.hpp"
#include "flymc/random.hpp"

namespace flymc::testing {
namespace {

constexpr int kLevels = 40;

class Groups : public GroupRuns {
 protected:
  Groups() { write("visits.csv", table(4000)); }

  // bought ~ price + (1 + price | shop), logistic; sd 0.8 and 0.4.
  static std::string table(int rows) {
    Stream stream(31, 0, Purpose::kTest, 0);
    std::vector<double> intercepts, slopes;
    for (int level = 0; level < kLevels; ++level) {
      intercepts.push_back(0.8 * stream.normal());
      slopes.push_back(0.4 * stream.normal());
    }
    std::string text = "bought,shop,price\n";
    for (int row = 0; row < rows; ++row) {
      const auto shop = static_cast<std::size_t>(stream.below(kLevels));
      const double price = stream.normal();
      const double eta = 0.3 + intercepts[shop] + (slopes[shop] - 0.5) * price;
      const bool bought = stream.uniform() < 1.0 / (1.0 + std::exp(-eta));
      text += fmt::format("{},\"shop, {}\",{:.6f}\n", bought ? "yes" : "no", shop, price);
    }
    return text;
  }

  [[nodiscard]] Outcome fit_formula(const std::string& formula, const std::string& out,
                                    const Words& more = {},
                                    const std::string& draws = "500") const {
    return run(Words{"fit", "visits.csv", "--formula", formula, "--out", out, "--warmup", "200",
                     "--draws", draws} +
               more);
  }
};

const std::string kSlopes = "bought ~ price + (1 + price | shop)";

TEST_F(Groups, FindTheTruthWithEitherEngine) {
  for (const char* engine : {"fly", "regular"}) {
    SCOPED_TRACE(engine);
    expect_done(fit_formula(kSlopes, engine, {"--engine", engine}));
    EXPECT_EQ(json(std::string(engine) + "/run.json")["engine"], engine);
    const Json found = parameters(engine);
    ASSERT_EQ(found.size(), 2 + 3 + 2 * kLevels);
    const std::pair<std::string, double> expected[] = {
        {"beta.1", -0.5}, {"sd.shop", 0.8}, {"sd.shop.price", 0.4}, {"cor.shop.1.2", 0.0}};
    for (const auto& [column, truth] : expected) {
      const auto at = std::find_if(found.begin(), found.end(),
                                   [&](const Json& p) { return p["column"] == column; });
      ASSERT_NE(at, found.end()) << column;
      EXPECT_NEAR((*at)["mean"].get<double>(), truth, 4.0 * (*at)["sd"].get<double>()) << column;
      EXPECT_LT((*at)["rhat"].get<double>(), 1.05);
    }
  }
}

// `year + (1 | year)`: a trend, and how years differ from it. Numbers as if of a copy of the
// column.
TEST_F(Groups, AFactorMayBeAFeatureToo) {
  Stream stream(32, 0, Purpose::kTest, 0);
  std::string text = "y,year,copy,town\n";
  std::string moved = text;  // years of no fit, and none
  for (int row = 0; row < 600; ++row) {
    const auto year = 2000 + stream.below(20);
    const bool y = stream.uniform() < 0.2 + 0.03 * static_cast<double>(year - 2000);
    text += fmt::format("{},{},{},{}\n", y ? 1 : 0, year, year, year % 2 == 0 ? "a" : "b");
  }
  moved += "1,2004,2004,a\n0,2031,2031,b\n1,,,a\n";
  write("years.csv", text);
  write("moved.csv", moved);
  const auto fit = [&](const std::string& data, const std::string& formula, const std::string& out,
                       const Words& more = {}) {
    return run(Words{"fit", data, "--formula", formula, "--out", out, "--warmup", "200", "--draws",
                     "300"} +
               more);
  };
  expect_done(fit("years.csv", "y ~ year + s(year) + (1 | year)", "both"));
  expect_done(fit("years.csv", "y ~ copy + s(copy) + (1 | year)", "copied"));
  const auto draws = [&](const std::string& file) {
    const std::string all = bytes(file);
    return all.substr(all.find('\n', all.find("lp__")));  // without names
  };
  EXPECT_TRUE(draws("both/chain-1.csv") == draws("copied/chain-1.csv"));
  const std::string predicted = run({"predict", "both", "moved.csv"}).out;
  EXPECT_EQ(predicted, run({"predict", "copied", "moved.csv"}).out);
  EXPECT_EQ(lines_of(predicted).back().substr(0, 3), "NA,");
  expect_done(run({"effects", "both", "--of", "year"}));
  expect_done(run({"convert", "years.csv", "years.fly", "--response", "y", "--drop", "town"}));
  expect_done(fit("years.fly", "y ~ year + s(year) + (1 | year)", "stored"));
  EXPECT_TRUE(draws("both/chain-1.csv") == draws("stored/chain-1.csv"));
  expect_error(fit("years.csv", "y ~ town + (1 | town)", "none"), 64,
               "'town' is a feature and a factor of a group term, but 'a' is no number");
  expect_error(fit("years.csv", "y ~ factor(year) + (1 | year)", "none"), 64, "--categorical year");
  expect_error(fit("years.csv", "y ~ year + (1 | year)", "none", {"--missing", "indicator"}), 64,
               "--missing indicator: column 'year' is a feature and a factor");
}

TEST_F(Groups, LevelsAreNamedSoThatChainFilesStayReadable) {
  expect_done(fit_formula("bought ~ (1 | shop)", "out"));
  const auto columns = read_chain_csv(path("out/chain-1.csv")).columns;
  EXPECT_NE(std::ranges::find(columns, "u.shop[shop%2C 7]"), columns.end());
  const Json found = parameters("out");
  EXPECT_EQ(found.at(2)["label"], "u.shop[shop, 0]");
}

TEST_F(Groups, DrawsAreTheSameForAnyNumberOfThreadsAndAfterAStop) {
  expect_same_draws([&](const std::string& out, const Words& more, const std::string& draws) {
    return fit_formula(kSlopes, out, more, draws);
  });
}

TEST_F(Groups, PredictKnowsItsLevelsAndWidensForNewOnes) {
  expect_done(fit_formula(kSlopes, "out"));
  write("new.csv", "shop,price\n\"shop, 3\",0.5\nnowhere,0.5\n\"shop, 3\",0.5\nnowhere,0.5\n");
  const Outcome predicted = run({"predict", "out", "new.csv"});
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_TRUE(predicted.says("1 level of 'shop' that the fit did not see")) << predicted.err;
  const Words lines = lines_of(predicted.out);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[1], lines[3]);
  EXPECT_EQ(lines[2], lines[4]);
  const auto sd = [](const std::string& line) {
    return std::stod(line.substr(line.find(',') + 1));
  };
  EXPECT_GT(sd(lines[2]), 2.0 * sd(lines[1]));
  expect_error(run({"predict", "out", "new.csv", "--new-levels", "error"}), 65, "nowhere");
}

TEST_F(Groups, SimulatedOnesHaveASpreadOnlyWhereThereAreSome) {
  const Words some = {"simulate", "--model", "logistic", "-n", "50", "-d", "2", "--group-sd", "2"};
  expect_error(run(some + Words{"--out", "sim"}), 64,
               "--group-sd: there are no groups; name their levels with --groups 300.");
  EXPECT_FALSE(std::filesystem::exists(path("sim")));
  expect_done(run(some + Words{"--groups", "5", "--out", "sim"}));
  EXPECT_EQ(json("sim/truth.json")["sd.g1"], 2.0);
}

TEST_F(Groups, ReportAndExportTakeThem) {
  expect_done(fit_formula(kSlopes, "out"));
  expect_done(run({"report", "out", "--out", "page.html"}));
  expect_done(run({"export", "out", "--to", "npz", "--out", "draws.npz"}));
}

// The same draws, kept or summed up on the way; quantiles of 4 x 500 up to 0.01 in probability.
TEST_F(Groups, LevelsMayBeSummedUpWithoutTheirDraws) {
  expect_done(fit_formula(kSlopes, "all"));
  expect_done(fit_formula(kSlopes, "out", {"--levels", "summary"}));
  EXPECT_EQ(read_chain_csv(path("out/chain-1.csv")).columns.size(), 4U + 2U + 3U);
  const Json kept = parameters("all");
  const Json streamed = parameters("out");
  ASSERT_EQ(streamed.size(), kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const double sd = kept[i]["sd"].get<double>();
    EXPECT_EQ(streamed[i]["label"], kept[i]["label"]);
    EXPECT_EQ(streamed[i]["column"], kept[i]["column"]);
    for (const auto& [key, tolerance] :
         {std::pair{"mean", 1e-9}, {"sd", 1e-9}, {"q5", 0.15}, {"q50", 0.05}, {"q95", 0.15}}) {
      EXPECT_NEAR(streamed[i][key].get<double>(), kept[i][key].get<double>(), tolerance * sd)
          << kept[i]["label"] << " " << key;
    }
    EXPECT_NEAR(streamed[i]["upper"].get<double>(), kept[i]["upper"].get<double>(), 0.2 * sd);
  }
  expect_error(run({"predict", "out", "visits.csv"}), 64, "--levels all");
  const Words contrast = {"--contrast", "u.shop[shop, 1] - u.shop[shop, 2]"};
  expect_done(run(Words{"summary", "all"} + contrast));
  expect_error(run(Words{"summary", "out"} + contrast), 64,
               "the run kept no draws of levels, such as 'u.shop[shop,'; fit again with --levels "
               "all.");
  expect_error(run({"summary", "out", "--contrast", "u.town[a]"}), 64, "no coefficient");
}

TEST_F(Groups, SumsOfLevelsAreTheSameAfterAStopAndAreReadByReportAndExport) {
  const Words summary = {"--levels", "summary"};
  expect_done(fit_formula(kSlopes, "out", summary));
  expect_done(fit_formula(kSlopes, "cut", summary, "123"));
  expect_done(run({"fit", "--resume", "cut", "--draws", "500", "--quiet"}));
  EXPECT_TRUE(bytes("out/levels.csv") == bytes("cut/levels.csv"));
  EXPECT_EQ(lines_of(bytes("out/levels.csv")).size(), 1U + 2U * kLevels);
  expect_done(run({"report", "out", "--out", "page.html"}));
  EXPECT_NE(bytes("page.html").find("\"shop, 17\""), std::string::npos);
  expect_done(run({"export", "out", "--to", "npz", "--out", "draws.npz"}));
  EXPECT_NE(bytes("draws.npz").find("level_values.npy"), std::string::npos);
  const Outcome zarr = run({"export", "out", "--to", "zarr", "--out", "draws.zarr"});
  expect_done(zarr);
  EXPECT_TRUE(
      zarr.says(fmt::format("a zarr has draws alone: {} levels without them are in "
                            "levels.csv; --to npz has them, too.",
                            2 * kLevels)))
      << zarr.err;
  EXPECT_TRUE(zarr.says("4 chains of 500 draws, 5 parameters")) << zarr.err;
  // a run with draws of its levels takes the place of one without, file and all
  expect_done(fit_formula(kSlopes, "out", {"--overwrite"}));
  EXPECT_FALSE(std::filesystem::exists(path("out/levels.csv")));
  write("out/levels.csv", "not of the run");
  expect_done(run({"summary", "out"}));
  expect_error(fit_formula(kSlopes, "out", {"--overwrite"}), 73, "levels.csv is not of a run");
  expect_done(run({"fit", "--resume", "out", "--draws", "510", "--quiet"}));
  EXPECT_EQ(bytes("out/levels.csv"), "not of the run");
  const Outcome kept = run({"export", "out", "--to", "zarr", "--out", "kept.zarr"});
  EXPECT_TRUE(kept.says(fmt::format("{} parameters", 5 + 2 * kLevels))) << kept.err;
  EXPECT_FALSE(kept.says("without")) << kept.err;
}

// A law that leaves no room holds its standard deviation down, and no other.
TEST_F(Groups, StandardDeviationsTakeAPriorOfTheirOwn) {
  const Words tight = {"--prior-sd", "shop.price ~ half_normal(0.01)"};
  const Outcome done = fit_formula(kSlopes, "out", tight);
  expect_done(done);
  EXPECT_TRUE(done.says("sd of 'price' by 'shop' half_normal(0.01)")) << done.err;
  EXPECT_TRUE(done.says("sd of 'shop' half_t(3, 2.5)")) << done.err;
  EXPECT_EQ(json("out/run.json")["config"]["prior-sd"],
            Json::array({"shop.price ~ half_normal(0.01)"}));
  const Json found = parameters("out");
  EXPECT_GT(found.at(2)["mean"].get<double>(), 0.4);   // sd.shop
  EXPECT_LT(found.at(3)["mean"].get<double>(), 0.03);  // sd.shop.price
  const std::string first = bytes("out/chain-1.csv");
  expect_done(fit_formula(kSlopes, "cut", tight, "123"));
  expect_done(run({"fit", "--resume", "cut", "--draws", "500", "--quiet"}));
  EXPECT_TRUE(bytes("cut/chain-1.csv") == first);
}

// Players a and b of a match, who of them won, at one of few places on one of many days.
class CrossedGroups : public GroupRuns {
 protected:
  static constexpr std::size_t kPlayers = 60, kDays = 70, kPlaces = 5;

  CrossedGroups() {
    Stream stream(32, 0, Purpose::kTest, 0);
    const auto normals = [&](std::size_t count, double sd) {
      std::vector<double> values(count);
      for (double& value : values) {
        value = sd * stream.normal();
      }
      return values;
    };
    const auto players = normals(kPlayers, 0.8), days = normals(kDays, 0.6);
    std::string text = "won,a,b,day,place,x\n";
    for (int row = 0; row < 6000; ++row) {
      const std::size_t a = stream.below(kPlayers), b = stream.below(kPlayers);
      const std::size_t day = stream.below(kDays);
      const double x = stream.normal();
      const double eta = players[a] - players[b] + days[day] + 0.5 * x;
      const bool won = stream.uniform() < 1.0 / (1.0 + std::exp(-eta));
      text += fmt::format("{},p{},p{},{},\"place {}\",{:.5f}\n", won ? 1 : 0, a, b, day,
                          day % kPlaces, x);
    }
    write("matches.csv", text);
  }

  [[nodiscard]] Outcome fit_formula(const std::string& formula, const std::string& out,
                                    const Words& more = {},
                                    const std::string& draws = "500") const {
    return run(Words{"fit", "matches.csv", "--formula", formula, "--out", out, "--warmup", "200",
                     "--draws", draws} +
               more);
  }
};

const std::string kMatches = "won ~ x + (1 | a - b) + (1 | day)";

TEST_F(CrossedGroups, FindTheTruthWithEitherEngine) {
  for (const char* engine : {"fly", "regular"}) {
    SCOPED_TRACE(engine);
    expect_done(fit_formula(kMatches, engine, {"--engine", engine}, "250"));
    EXPECT_EQ(json(std::string(engine) + "/run.json")["engine"], engine);
    const Json found = parameters(engine);
    ASSERT_EQ(found.size(), 2 + 2 + kPlayers + kDays);
    const std::pair<std::string, double> expected[] = {
        {"alpha", 0.0}, {"beta.1", 0.5}, {"sd.a-b", 0.8}, {"sd.day", 0.6}};
    for (const auto& [column, truth] : expected) {
      const Json parameter = named(found, column);
      EXPECT_NEAR(parameter["mean"].get<double>(), truth, 4.0 * parameter["sd"].get<double>())
          << column;
      EXPECT_LT(parameter["rhat"].get<double>(), 1.05);
    }
    EXPECT_LT(named(found, "u.a-b[p7]")["rhat"].get<double>(), 1.05);
  }
}

TEST_F(CrossedGroups, NestedFactorsAreTwoTerms) {
  expect_done(fit_formula("won ~ x + (1 | place/day)", "out"));
  const Json found = parameters("out");
  ASSERT_EQ(found.size(), 2 + 2 + kPlaces + kDays);
  EXPECT_EQ(found.at(2)["column"], "sd.place");
  EXPECT_EQ(found.at(3)["column"], "sd.place:day");
  EXPECT_EQ(found.at(4)["label"], "u.place[place 0]");
  EXPECT_EQ(found.at(4 + kPlaces)["label"], "u.place:day[place 0:0]");
  EXPECT_NEAR(named(found, "sd.place:day")["mean"].get<double>(), 0.6, 0.3);
}

TEST_F(CrossedGroups, CoefficientsWithoutCorrelationsAreTermsOfTheirOwn) {
  expect_done(fit_formula("won ~ x + (x || a - b) + (1 | place:day)", "out"));
  const Json found = parameters("out");
  ASSERT_EQ(found.size(), 2 + 3 + 2 * kPlayers + kDays);
  EXPECT_EQ(found.at(3)["column"], "sd.a-b.x");
}

TEST_F(CrossedGroups, CorrelatedCoefficientsStandBesideOtherFactors) {
  const std::string formula = "won ~ x + (1 + x | a - b) + (1 + x | day)";
  expect_done(fit_formula(formula, "out"));
  const Json found = parameters("out");
  ASSERT_EQ(found.size(), 2 + 4 + 2 + 2 * kPlayers + 2 * kDays);
  EXPECT_EQ(found.at(2)["column"], "sd.a-b");
  EXPECT_EQ(found.at(3)["column"], "sd.a-b.x");
  EXPECT_EQ(found.at(6)["column"], "cor.a-b.1.2");
  EXPECT_EQ(found.at(7)["column"], "cor.day.1.2");
  EXPECT_NEAR(named(found, "sd.a-b")["mean"].get<double>(), 0.8, 0.35);
  EXPECT_NEAR(named(found, "sd.day")["mean"].get<double>(), 0.6, 0.3);
  EXPECT_LT(named(found, "sd.day.x")["mean"].get<double>(), 0.3);  // there is none
  EXPECT_LT(named(found, "u.a-b[p7]")["rhat"].get<double>(), 1.05);
  expect_done(fit_formula(formula, "cut", {}, "123"));
  expect_done(run({"fit", "--resume", "cut", "--draws", "500", "--quiet"}));
  EXPECT_TRUE(bytes("out/chain-1.csv") == bytes("cut/chain-1.csv"));
  const Outcome predicted = run({"predict", "out", "matches.csv"});
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_EQ(lines_of(predicted.out).size(), 6001U);
  expect_done(run({"report", "out", "--out", "page.html"}));
}

TEST_F(CrossedGroups, DrawsAreTheSameForAnyNumberOfThreadsAndAfterAStop) {
  for (const std::string model : {"logistic", "poisson"}) {  // global bounds, and regions
    SCOPED_TRACE(model);
    expect_same_draws([&](const std::string& out, const Words& more, const std::string& draws) {
      return fit_formula(kMatches, out, Words{"--model", model, "--engine", "fly"} + more, draws);
    });
  }
}

TEST_F(CrossedGroups, PredictKnowsItsLevelsAndWidensForNewOnes) {
  expect_done(fit_formula(kMatches, "out"));
  write("new.csv", "a,b,day,x\np1,p2,3,0\np2,p1,3,0\nnew,p1,3,0\np1,p1,3,0\np2,p2,3,0\n");
  const Outcome predicted = run({"predict", "out", "new.csv"});
  EXPECT_EQ(predicted.code, 0) << predicted.err;
  EXPECT_TRUE(predicted.says("1 level of 'a-b' that the fit did not see")) << predicted.err;
  const Words lines = lines_of(predicted.out);
  ASSERT_EQ(lines.size(), 6U);
  // nobody is better than themselves: all the same, but for rounding
  EXPECT_NEAR(std::stod(lines[4]), std::stod(lines[5]), 1e-12);
  const auto sd = [](const std::string& line) {
    return std::stod(line.substr(line.find(',') + 1));
  };
  EXPECT_GT(sd(lines[3]), 1.5 * sd(lines[1]));
  expect_error(run({"predict", "out", "new.csv", "--new-levels", "error"}), 65, "new");
  expect_done(run({"report", "out", "--out", "page.html"}));
  expect_done(run({"export", "out", "--to", "npz", "--out", "draws.npz"}));
  expect_done(fit_formula(kMatches, "short", {"--levels", "summary"}));
  EXPECT_EQ(parameters("short").size(), 2U + 2U + kPlayers + kDays);
  expect_error(run({"predict", "short", "new.csv"}), 64, "--levels all");
}

}  // namespace
}  // namespace flymc::testing
