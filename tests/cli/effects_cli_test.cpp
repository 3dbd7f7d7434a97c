// `flymc effects` end to end: against the program's own predictions on tables that were changed by
// hand, the contract of its JSON, its words, and one clear line for what cannot be had.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/predict_support.hpp"

namespace flymc::testing {
namespace {

using ::testing::HasSubstr;

class EffectsCli : public PredictCli {
 protected:
  // g is one of three cities, flag 0 or 1.
  struct Table {
    std::vector<double> a, b, flag, y, weight;
    Words g;

    [[nodiscard]] std::string text() const {
      std::string all = "a,b,flag,g,w,y\n";
      for (std::size_t n = 0; n < a.size(); ++n) {
        all += fmt::format("{},{},{},{},{},{}\n", a[n], b[n], flag[n], g[n], weight[n], y[n]);
      }
      return all;
    }
  };
  EffectsCli() {
    const Simulated s = simulated(150);
    table_ = {s.a, s.b, {}, s.binary, {}, {}};
    for (std::size_t n = 0; n < 150; ++n) {
      table_.flag.push_back(n % 4 == 0 ? 1.0 : 0.0);
      table_.weight.push_back(1.0 + static_cast<double>(n % 3));
      table_.g.push_back(Words{"Bonn", "Oslo", "Rom"}[n % 5 % 3]);
    }
    write("t.csv", table_.text());
  }

  void fit_formula(const std::string& formula, const Words& more = {}) const {
    expect_done(fit("t.csv", Words{"--formula", formula, "--categorical", "g", "--quiet",
                                   "--chains", "2", "--warmup", "200", "--draws", "60"} +
                                 more));
  }
  [[nodiscard]] Json effects(const Words& more = {}) const {
    const Outcome outcome = run(Words{"effects", "out", "--json"} + more);
    expect_done(outcome);
    return outcome.code == 0 ? Json::parse(outcome.out) : Json{};
  }
  // The mean over rows of the predicted means of a table.
  [[nodiscard]] double average(const Table& table) const {
    write("changed.csv", table.text());
    std::vector<double> means;
    for (const std::vector<double>& row : predicted("changed.csv").rows) {
      means.push_back(row[0]);
    }
    return flymc::mean(means);
  }
  [[nodiscard]] double slope(std::vector<double> Table::*column) const {
    constexpr double kStep = 1e-4;
    Table low = table_;
    Table high = table_;
    for (std::size_t n = 0; n < table_.a.size(); ++n) {
      (low.*column)[n] -= kStep;
      (high.*column)[n] += kStep;
    }
    return (average(high) - average(low)) / (2.0 * kStep);
  }
  [[nodiscard]] static Json find(const Json& found, const std::string& column,
                                 const std::string& level = "") {
    for (const Json& effect : found["effects"]) {
      if (effect["column"] == column && (level.empty() || effect["level"] == level)) {
        return effect;
      }
    }
    return nullptr;
  }

  Table table_;
};

TEST_F(EffectsCli, AreWhatPredictionsOfChangedTablesSay) {
  fit_formula("y ~ poly(a, 2) + a:b + b*g + flag");
  const Json found = effects();
  EXPECT_EQ(found["rows"], 150);
  EXPECT_EQ(found["draws"], 120);
  EXPECT_NEAR(find(found, "a")["mean"].get<double>(), slope(&Table::a), 1e-7);
  EXPECT_NEAR(find(found, "b")["mean"].get<double>(), slope(&Table::b), 1e-7);
  Table base = table_;
  base.g.assign(150, "Bonn");
  for (const std::string level : {"Oslo", "Rom"}) {
    Table changed = table_;
    changed.g.assign(150, level);
    const Json effect = find(found, "g", level);
    EXPECT_EQ(effect["reference"], "Bonn");
    EXPECT_NEAR(effect["mean"].get<double>(), average(changed) - average(base), 1e-11);
  }
  Table on = table_;
  Table off = table_;
  on.flag.assign(150, 1.0);
  off.flag.assign(150, 0.0);
  EXPECT_NEAR(find(found, "flag", "1")["mean"].get<double>(), average(on) - average(off), 1e-11);
}

TEST_F(EffectsCli, CurvesAreAveragePredictionsAtAValue) {
  fit_formula("y ~ poly(a, 2) + g");
  const Json found = effects({"--of", "a,g", "--points", "4"});
  ASSERT_EQ(found["curves"].size(), 2U);
  ASSERT_EQ(found["curves"][0]["points"].size(), 4U);
  EXPECT_NEAR(found["curves"][0]["points"][0]["at"].get<double>(), quantile(table_.a, 0.01), 1e-12);
  for (const Json& point : found["curves"][0]["points"]) {
    Table changed = table_;
    changed.a.assign(150, point["at"].get<double>());
    EXPECT_NEAR(point["mean"].get<double>(), average(changed), 1e-10);
    EXPECT_LT(point["lower"], point["mean"]);
    EXPECT_GT(point["upper"], point["mean"]);
  }
  EXPECT_EQ(found["curves"][1]["points"][2]["level"], "Rom");
}

TEST_F(EffectsCli, CurvesOfSplinesAreThoseOfTheirColumn) {
  fit_formula("y ~ bs(a, 5) + g");
  const Json found = effects({"--of", "a", "--points", "3"});
  for (const Json& point : found["curves"][0]["points"]) {
    Table changed = table_;
    changed.a.assign(150, point["at"].get<double>());
    EXPECT_NEAR(point["mean"].get<double>(), average(changed), 1e-10);
  }
  EXPECT_NE(find(found, "a"), nullptr);
}

// The rows of the fit count with their weights; those of another file are as they come.
TEST_F(EffectsCli, WeighRowsAsTheFitDid) {
  expect_done(fit("t.csv", {"--formula", "y ~ a", "--weights", "w", "--quiet"}));
  const auto draws = of_each_draw(chains(), [&](const Draw& draw) {
    double sum = 0.0;
    double weight = 0.0;
    for (std::size_t n = 0; n < table_.a.size(); ++n) {
      const double p = 1.0 / (1.0 + std::exp(-(draw("alpha") + draw("beta.1") * table_.a[n])));
      sum += table_.weight[n] * p * (1.0 - p) * draw("beta.1");
      weight += table_.weight[n];
    }
    return sum / weight;
  });
  const Json effect = find(effects({"--prob", "0.9"}), "a");
  EXPECT_NEAR(effect["mean"].get<double>(), flymc::mean(draws), 1e-8);
  EXPECT_NEAR(effect["lower"].get<double>(), quantile(draws, 0.05), 1e-8);
  EXPECT_NEAR(effect["upper"].get<double>(), quantile(draws, 0.95), 1e-8);
  EXPECT_NEAR(effect["sd"].get<double>(), standard_deviation(draws), 1e-8);
  EXPECT_GT(
      std::abs(find(effects({"--data", "t.csv"}), "a")["mean"].get<double>() - flymc::mean(draws)),
      1e-6);
}

TEST_F(EffectsCli, SayAloudWhatTheyAre) {
  fit_formula("y ~ a + g");
  const Outcome table = run({"effects", "out"});
  expect_done(table);
  EXPECT_TRUE(table.shows("average effects on the probability of y = 1")) << table.out;
  EXPECT_TRUE(table.shows("over 150 rows and 120 draws")) << table.out;
  EXPECT_TRUE(table.shows("a: one more")) << table.out;
  EXPECT_TRUE(table.shows("g: Oslo, not Bonn")) << table.out;
  EXPECT_TRUE(table.shows("in words: one more of a: +0.")) << table.out;
  const Outcome some = run({"effects", "out", "--rows", "50", "--draws", "100", "--of", "a"});
  EXPECT_TRUE(
      some.shows("over 50 of 150 rows, taken at random (the intervals know it), and 100 draws"))
      << some.out;
  EXPECT_TRUE(some.shows("using 100 of 120 draws, evenly spaced.")) << some.out;
  EXPECT_TRUE(some.shows("were a the same in every row")) << some.out;
  EXPECT_FALSE(some.shows("Oslo")) << some.out;
  EXPECT_EQ(run({"effects", "out", "--rows", "all", "--threads", "1"}).out, table.out);
}

// A column of 1e-9 and one of 1e4: what one more does nobody can read, nor find in the data.
TEST_F(EffectsCli, TakeAStepThatRowsAreApart) {
  std::string text = "tiny,large,y\n";
  for (std::size_t n = 0; n < table_.a.size(); ++n) {
    text += fmt::format("{},{},{}\n", 1e-9 * table_.a[n], 2e4 * table_.b[n], table_.y[n]);
  }
  write("units.csv", text);
  expect_done(fit("units.csv", {"--response", "y", "--quiet"}));
  const Outcome table = run({"effects", "out"});
  EXPECT_TRUE(table.shows("tiny: 1e-09 more")) << table.out;
  EXPECT_TRUE(table.shows("large: 10,000 more")) << table.out;
  EXPECT_TRUE(table.shows("in words: 1e-09 more of tiny: +0.1")) << table.out;
  const Json tiny = find(effects(), "tiny");
  EXPECT_NEAR(tiny["step"].get<double>(), 1e-9, 1e-15);
  EXPECT_GT(tiny["mean"].get<double>(), 1e7);  // of one more, as ever
}

TEST_F(EffectsCli, OfClassesNameEach) {
  write("c.csv", classes_csv());
  expect_done(fit("c.csv", {"--response", "y", "--model", "softmax", "--quiet"}));
  const Json found = effects();
  ASSERT_EQ(found["effects"].size(), 6U);
  double sum = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(found["effects"][k]["outcome"], fmt::format("the probability of y = {}", k));
    sum += found["effects"][k]["mean"].get<double>();
  }
  EXPECT_NEAR(sum, 0.0, 1e-10);
}

// Of group terms every row keeps its level, as in predictions.
TEST_F(EffectsCli, OfGroupsKeepTheLevelOfEveryRow) {
  expect_done(fit("t.csv", {"--formula", "y ~ a + (1 + a | g)", "--quiet", "--chains", "2",
                            "--warmup", "200", "--draws", "60"}));
  const Json found = effects();
  ASSERT_EQ(found["effects"].size(), 1U);
  EXPECT_NEAR(find(found, "a")["mean"].get<double>(), slope(&Table::a), 1e-7);
  expect_error(
      run({"effects", "out", "--of", "g"}), 64,
      "--of g: the column is a factor of (1 + a | g), whose levels rows keep; flymc summary "
      "--all has what each of them adds.");
}

TEST_F(EffectsCli, RefuseInOneLine) {
  fit_formula("y ~ a + g");
  expect_error(run({"effects", "out", "--of", "c"}), 64,
               "--of c: the model has no such column; its columns are a, g.");
  expect_error(run({"effects", "out", "--prob", "1"}), 64, "--prob 1: must be between 0 and 1");
  expect_error(run({"effects", "out", "--points", "1"}), 64, "--points 1: must be 2 or more.");
  expect_error(run({"effects", "out", "--rows", "some"}), 64, "--rows");
  expect_error(run({"effects", "out", "--rows", "0"}), 64, "--rows");
  expect_error(run({"effects", "nowhere"}), 66, "no run folder");
  expect_error(run({"effects", "out", "--data", "none.csv"}), 66, "none.csv");
  write("short.csv", "a,y\n1,0\n");
  expect_error(run({"effects", "out", "--data", "short.csv"}), 65, "no column 'g'");
  write("t.csv", table_.text() + "1,1,1,Bonn,1,1\n");
  expect_error(run({"effects", "out"}), 65, "t.csv has changed since the run; name other rows");
  std::filesystem::remove(path("t.csv"));
  expect_error(run({"effects", "out"}), 66, "t.csv");
  write("new.csv", table_.text());
  expect_done(run({"effects", "out", "--data", "new.csv"}));
}

TEST_F(EffectsCli, LeaveOutRowsThatTheFitLeftOut) {
  Table holes = table_;
  std::string text = holes.text() + "NA,1,0,Bonn,1,1\n2,1,0,Rom,1,\n";
  write("t.csv", text);
  fit_formula("y ~ a + g", {"--missing", "drop"});
  EXPECT_EQ(effects()["rows_of"], 150);
  const Outcome other = run({"effects", "out", "--data", "t.csv"});
  expect_done(other);
  EXPECT_TRUE(other.shows("dropped 1 row")) << other.out;
}

// Columns without names, and rows that stay in a file of another format.
TEST_F(EffectsCli, ReadTheRowsOfTheFitAsItDid) {
  const Simulated s = simulated(100);
  const std::string named = csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}});
  write("bare.csv", named.substr(named.find('\n') + 1));
  write("named.csv", named);
  expect_done(run({"convert", "named.csv", "named.fly", "--response", "y"}));
  std::vector<Json> found;
  for (const Words& data : {Words{"bare.csv", "--header", "no", "--response", "x3"},
                            Words{"named.csv", "--response", "y"}, Words{"named.fly"}}) {
    expect_done(run(Words{"fit"} + data + Words{"--out", "out", "--overwrite", "--quiet"}));
    found.push_back(effects()["effects"]);
  }
  ASSERT_EQ(found[0].size(), 2U);
  EXPECT_EQ(found[0][0]["column"], "x1");
  EXPECT_EQ(found[0][0]["mean"], found[1][0]["mean"]);
  EXPECT_EQ(found[2][1]["upper"], found[1][1]["upper"]);
}

TEST_F(EffectsCli, AreASectionOfTheReport) {
  fit_formula("y ~ a + b + g");
  expect_done(run({"report", "out"}));
  const std::string text = bytes("out/report.html");
  const std::string open = "id=\"data\">";
  const std::size_t begin = text.find(open) + open.size();
  const Json page = Json::parse(text.substr(begin, text.find("</script>", begin) - begin));
  const Json section = page["effects"];
  ASSERT_EQ(section["effects"].size(), 4U);
  EXPECT_EQ(section["effects"][0][0], "a: one more");
  ASSERT_EQ(section["curves"].size(), 3U);
  EXPECT_EQ(section["curves"][0]["at"].size(), section["curves"][0]["outcomes"][0]["mean"].size());
  EXPECT_THAT(section["words"].get<std::string>(), HasSubstr("the probability of y = 1"));
}

}  // namespace
}  // namespace flymc::testing
