// Group terms end to end: from a table and a formula to a posterior near the truth, a run that goes
// on where it stopped, predictions of known and new levels, and one clear line for what cannot be.
#include <fmt/format.h>

#include <cmath>

#include "cli/cli_data.hpp"
#include "flymc/random.hpp"

namespace flymc::testing {
namespace {

constexpr int kLevels = 40;

class Groups : public Cli {
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
  [[nodiscard]] Json parameters(const std::string& folder) const {
    return Json::parse(run({"summary", folder, "--json"}).out)["parameters"];
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

TEST_F(Groups, LevelsAreNamedSoThatChainFilesStayReadable) {
  expect_done(fit_formula("bought ~ (1 | shop)", "out"));
  const auto columns = read_chain_csv(path("out/chain-1.csv")).columns;
  EXPECT_NE(std::ranges::find(columns, "u.shop[shop%2C 7]"), columns.end());
  const Json found = parameters("out");
  EXPECT_EQ(found.at(2)["label"], "u.shop[shop, 0]");
}

TEST_F(Groups, DrawsAreTheSameForAnyNumberOfThreadsAndAfterAStop) {
  expect_done(fit_formula(kSlopes, "one", {"--threads", "1"}));
  expect_done(fit_formula(kSlopes, "two", {"--threads", "2"}));
  expect_done(fit_formula(kSlopes, "cut", {}, "123"));
  expect_done(run({"fit", "--resume", "cut", "--draws", "500", "--quiet"}));
  for (int chain = 1; chain <= 4; ++chain) {
    const std::string name = fmt::format("/chain-{}.csv", chain);
    EXPECT_TRUE(bytes("one" + name) == bytes("two" + name)) << chain;
    EXPECT_TRUE(bytes("one" + name) == bytes("cut" + name)) << chain;
  }
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

TEST_F(Groups, ReportAndExportTakeThem) {
  expect_done(fit_formula(kSlopes, "out"));
  expect_done(run({"report", "out", "--out", "page.html"}));
  expect_done(run({"export", "out", "--to", "npz", "--out", "draws.npz"}));
}

TEST_F(Groups, LevelsMayBeLeftOut) {
  expect_done(fit_formula(kSlopes, "out", {"--levels", "summary"}));
  EXPECT_EQ(parameters("out").size(), 2U + 3U);
  expect_done(run({"fit", "--resume", "out", "--draws", "600", "--quiet"}));
  expect_error(run({"predict", "out", "visits.csv"}), 64, "--levels all");
}

TEST_F(Groups, WhatCannotBeIsSaidInOneLine) {
  const auto refused = [&](const std::string& formula, const Words& more, int code,
                           const std::string& says) {
    SCOPED_TRACE(formula);
    expect_error(fit_formula(formula, "out", more), code, says);
    EXPECT_FALSE(exists("out"));
  };
  refused("bought ~ price + (1 | shpo)", {}, 65, "no column 'shpo'");
  refused("bought ~ price + (1 | shop", {}, 64, "not closed");
  refused("bought ~ price + (0 | shop)", {}, 64, "nothing varies");
  refused("bought ~ price + (1 | shop/price)", {}, 64, "at character 27");
  refused("bought ~ price + (1 | shop) + (1 | price)", {}, 64, "one group term");
  refused("bought ~ 1 + (price | shop)", {}, 64, "no column of the model");
  refused(kSlopes, {"--prior", "laplace:1"}, 64, "normal or flat");
  refused(kSlopes, {"--kernel", "hmc"}, 64, "not with group terms");
  refused(kSlopes, {"--model", "softmax"}, 64, "no group terms yet");
  write("visits.csv", "bought,shop,price\nyes,a,1\nno,a,2\nyes,a,3\n");
  refused("bought ~ price + (1 | shop)", {}, 65, "one level");
}

}  // namespace
}  // namespace flymc::testing
