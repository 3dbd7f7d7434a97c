// Which columns `flymc predict` takes from new rows, and what it says where they do not fit.
#include "cli/predict_support.hpp"

namespace flymc::testing {
namespace {

class PredictColumns : public PredictCli {};

// y on x and a city of three, Oslo first in sort order.
std::string cities_csv(std::size_t rows) {
  const Simulated s = simulated(rows);
  const char* const cities[] = {"Paris", "Oslo", "Rome"};
  std::string text = "x,city,y\n";
  for (std::size_t n = 0; n < rows; ++n) {
    text += std::to_string(s.a[n]) + "," + cities[n % 3] + "," +
            (s.binary[n] > 0.0 ? "yes" : "no") + "\n";
  }
  return text;
}

TEST_F(PredictColumns, AreFoundByNameInAnyOrderAndExtraOnesIgnored) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  const std::string plain = predict(write("plain.csv", "a,b\n1,2\n-3,0.5\n")).out;
  EXPECT_EQ(lines_of(plain).size(), 3U);
  EXPECT_EQ(predict(write("other.csv", "note,b,a\nhi,2,1\n,0.5,-3\n")).out, plain);
}

TEST_F(PredictColumns, MissingOneIsNamed) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  expect_error(predict(write("new.csv", "a,B\n1,2\n")), 65, "no column 'b'");
  expect_error(predict(write("new.csv", "a,b\n1,2\n"), {"--log-lik"}), 65, "no column 'y'");
}

TEST_F(PredictColumns, ConstantAndDroppedOnesAreNotNeeded) {
  const Simulated s = simulated(100);
  write("train.csv",
        csv({{"id", s.eta}, {"one", constant(100, 1.0)}, {"a", s.a}, {"y", s.binary}}));
  expect_done(fit("train.csv", {"--response", "y", "--drop", "id"}));
  EXPECT_EQ(predicted(write("new.csv", "a\n0.5\n")).rows.size(), 1U);
}

TEST_F(PredictColumns, ModelOfTheInterceptAloneNeedsNone) {
  const Simulated s = simulated(100);
  write("train.csv", csv({{"one", constant(100, 1.0)}, {"y", s.binary}}));
  expect_done(fit("train.csv", {"--response", "y"}));
  const CsvTable table = predicted(write("new.csv", "name\nEve\nAda\n"));
  ASSERT_EQ(table.rows.size(), 2U);
  expect_summary(table.rows[0], of_each_draw(chains(), [](const Draw& at) {
                   return 1.0 / (1.0 + std::exp(-at("alpha")));
                 }));
}

TEST_F(PredictColumns, FlyMadeAsTheColumnsOfTheFitIsPredicted) {
  write("train.csv", cities_csv(90));
  for (const Words& columns : {Words{"--response", "y", "--categorical", "city"},
                               Words{"--formula", "y ~ exp(x)*city", "--categorical", "city"}}) {
    expect_done(fit("train.csv", columns + Words{"--overwrite"}));
    expect_done(run(Words{"convert", "train.csv", "new.fly", "--overwrite"} + columns));
    const Outcome found = predict("new.fly");
    EXPECT_EQ(found.out, predict("train.csv").out);
    EXPECT_TRUE(found.says("they are taken for 'Oslo'")) << found.err;
  }
}

TEST_F(PredictColumns, FlyOfOtherLevelsSaysWhichRowsItNeeds) {
  write("train.csv", cities_csv(90));
  expect_done(fit("train.csv", {"--response", "y", "--categorical", "city"}));
  const Words columns{"--response", "y", "--categorical", "city", "--overwrite"};
  write("fewer.csv", "x,city,y\n1,Oslo,yes\n2,Rome,no\n");
  expect_done(run(Words{"convert", "fewer.csv", "new.fly"} + columns));
  const Outcome fewer = predict("new.fly");
  expect_error(fewer, 65, "no column 'city=Paris', which the fit made of 'city'; give the rows");
  EXPECT_FALSE(fewer.says("convert")) << fewer.err;
  write("others.csv", "x,city,y\n1,Bonn,yes\n2,Oslo,no\n1,Paris,no\n2,Rome,no\n");
  expect_done(run(Words{"convert", "others.csv", "new.fly"} + columns));
  expect_error(predict("new.fly"), 65, "column 'city=Oslo' is not in the fit");
  expect_error(run({"effects", "out", "--data", "new.fly"}), 64, "'city' holds levels in the fit");
}

TEST_F(PredictColumns, FunctionsWithoutANumberAreAReasonForNoPrediction) {
  write("train.csv", "x,y\n1,0\n2,1\n3,0\n4,1\n5,1\n0,1\n");
  expect_done(fit("train.csv", {"--formula", "y ~ log(x)", "--missing", "drop"}));
  EXPECT_EQ(json("out/run.json")["n"], 5);
  const std::string why = ", or a function of the formula has no number.";
  EXPECT_TRUE(predict("train.csv").says("a level was not in the fit" + why));
  EXPECT_TRUE(predict("train.csv", {"--missing", "drop"}).says("without a number of a function"));
}

TEST_F(PredictColumns, LevelsAreThoseOfTheFit) {
  expect_done(
      fit(write("train.csv", cities_csv(90)), {"--response", "y", "--categorical", "city"}));
  EXPECT_EQ(json("out/run.json")["levels"], (Json{{"city", {"Oslo", "Paris", "Rome"}}}));
  // One level only, and not the first: by itself it would have no indicator.
  const CsvTable table = predicted(write("new.csv", "city,x\nRome,0.5\nRome,1\n"));
  ASSERT_EQ(table.rows.size(), 2U);
  expect_summary(table.rows[0], of_each_draw(chains(), [](const Draw& at) {
                   const double eta = at("alpha") + 0.5 * at("beta.1") + at("beta.3");
                   return 1.0 / (1.0 + std::exp(-eta));
                 }));
}

TEST_F(PredictColumns, ProductsOfAFormulaAreMadeAgain) {
  const Simulated s = simulated(120);
  std::vector<double> product(120);
  for (std::size_t n = 0; n < product.size(); ++n) {
    product[n] = s.a[n] * s.b[n];
  }
  write("train.csv", csv({{"a", s.a}, {"b", s.b}, {"ab", product}, {"y", s.binary}}));
  expect_done(fit("train.csv", {"--response", "y"}));
  const std::string with_column = predict(write("n.csv", "a,b,ab\n2,3,6\n-1,0.5,-0.5\n")).out;
  for (const char* formula : {"y ~ a + b + a:b", "y ~ . - ab + b:a"}) {
    expect_done(fit("train.csv", {"--formula", formula, "--overwrite"}));
    EXPECT_EQ(predict(write("new.csv", "b,a\n3,2\n0.5,-1\n")).out, with_column) << formula;
  }
}

TEST_F(PredictColumns, ProductsWithLevelsAreMadeAgain) {
  expect_done(fit(write("train.csv", cities_csv(90)),
                  {"--formula", "y ~ x + city + x:city", "--categorical", "city"}));
  const CsvTable table = predicted(write("new.csv", "city,x\nRome,0.5\nOslo,2\n"));
  ASSERT_EQ(table.rows.size(), 2U);
  expect_summary(table.rows[0], of_each_draw(chains(), [](const Draw& at) {
                   const double eta =
                       at("alpha") + 0.5 * at("beta.1") + at("beta.3") + 0.5 * at("beta.5");
                   return 1.0 / (1.0 + std::exp(-eta));
                 }));
  expect_summary(table.rows[1], of_each_draw(chains(), [](const Draw& at) {
                   return 1.0 / (1.0 + std::exp(-at("alpha") - 2.0 * at("beta.1")));
                 }));
}

TEST_F(PredictColumns, FunctionsOfAFormulaHaveTheConstantsOfTheFit) {
  const Simulated s = simulated(120);
  write("train.csv", csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}}));
  expect_done(
      fit("train.csv", {"--formula", "y ~ scale(a)*b + poly(b, 3) + bs(a, 5) + exp(a) + a^2"}));
  const std::string all = predict("train.csv").out;
  // Alone, a row would have no spread at all.
  const std::vector<std::string> rows = lines_of(all);
  for (const std::size_t n : {0UL, 7UL, 119UL}) {
    const std::string row = write("one.csv", fmt::format("b,a\n{},{}\n", s.b[n], s.a[n]));
    EXPECT_EQ(lines_of(predict(row).out)[1], rows[n + 1]) << n;
  }
  EXPECT_EQ(json("out/run.json")["constants"]["scale(a)"].size(), 2U);
  EXPECT_EQ(json("out/run.json")["constants"]["bs(a, 5)"].size(), 4U);
}

// As R's predict does, with a warning, wherever the row stands.
TEST_F(PredictColumns, SplinesGoOnOutsideOfTheirKnots) {
  std::string text = "a,y\n";
  for (int n = 0; n < 60; ++n) {
    text += fmt::format("{},{}\n", n % 31, (n * n) % 7 < 3 ? 1 : 0);
  }
  expect_done(fit(write("train.csv", text), {"--formula", "y ~ bs(a, 3)"}));
  EXPECT_EQ(json("out/run.json")["constants"]["bs(a, 3)"], (Json{0.0, 30.0}));
  const Outcome inside = predict(write("in.csv", "a\n0\n15\n30\n"));
  expect_done(inside);
  EXPECT_FALSE(inside.says("outside")) << inside.err;
  const Outcome outside = predict(write("out.csv", "a\n15\n36\n"));
  expect_done(outside);
  EXPECT_TRUE(
      outside.says("warning: 'bs(a, 3)': some values lie outside of those of the fit, 0 to "
                   "30; the curve goes on there as its outer cubic pieces do."))
      << outside.err;
  EXPECT_EQ(lines_of(outside.out)[1], lines_of(inside.out)[2]);
  // Without inner knots the splines are Bernstein's polynomials of a / 30 = 1.2.
  expect_summary(predicted("out.csv").rows[1], of_each_draw(chains(), [](const Draw& at) {
                   const double eta = at("alpha") + 3 * 1.2 * 0.04 * at("beta.1") -
                                      3 * 1.44 * 0.2 * at("beta.2") + 1.728 * at("beta.3");
                   return 1.0 / (1.0 + std::exp(-eta));
                 }));
}

TEST_F(PredictColumns, EveryLevelHasItsSlopeAgain) {
  expect_done(
      fit(write("train.csv", cities_csv(90)),
          {"--formula", "y ~ city + x:city", "--categorical", "city", "--reference", "city=Rome"}));
  EXPECT_EQ(json("out/run.json")["levels"], (Json{{"city", {"Rome", "Oslo", "Paris"}}}));
  EXPECT_EQ(json("out/run.json")["config"]["reference"], Json{"city=Rome"});
  const CsvTable table = predicted(write("new.csv", "city,x\nRome,0.5\nParis,2\n"));
  ASSERT_EQ(table.rows.size(), 2U);
  // beta: city=Oslo, city=Paris, then the slopes of Rome, Oslo, Paris
  expect_summary(table.rows[0], of_each_draw(chains(), [](const Draw& at) {
                   return 1.0 / (1.0 + std::exp(-at("alpha") - 0.5 * at("beta.3")));
                 }));
  expect_summary(table.rows[1], of_each_draw(chains(), [](const Draw& at) {
                   return 1.0 / (1.0 + std::exp(-at("alpha") - at("beta.2") - 2.0 * at("beta.5")));
                 }));
}

TEST_F(PredictColumns, NumbersCanBeACategory) {
  const Simulated s = simulated(90);
  std::string text = "k,a,y\n";
  for (std::size_t n = 0; n < 90; ++n) {
    text += fmt::format("{},{},{}\n", n % 3, s.a[n], s.binary[n] > 0.0 ? 1 : 0);
  }
  expect_done(fit(write("train.csv", text), {"--formula", "y ~ . + factor(k) - 1"}));
  const CsvTable table = predicted(write("new.csv", "k,a\n2,0.5\n"));
  ASSERT_EQ(table.rows.size(), 1U);
  expect_summary(table.rows[0], of_each_draw(chains(), [](const Draw& at) {
                   return 1.0 / (1.0 + std::exp(-at("beta.3") - 0.5 * at("beta.4")));
                 }));
}

TEST_F(PredictColumns, RowsOfAMappedFileAreReadWhereTheyLie) {
  expect_done(fit(write("train.csv", binary_csv()), {"--response", "y"}));
  const std::string plain = predict("train.csv", {"--log-lik"}).out;
  for (const Words& rounding : {Words{}, Words{"--float32"}}) {
    expect_done(
        run(Words{"convert", "train.csv", "new.fly", "--response", "y", "--overwrite"} + rounding));
    const Outcome mapped = predict("new.fly", {"--log-lik"});
    expect_done(mapped);
    EXPECT_EQ(lines_of(mapped.out).size(), lines_of(plain).size());
    EXPECT_EQ(mapped.out == plain, rounding.empty());
  }
}

TEST_F(PredictColumns, UnknownLevelIsRefusedWithItsPlace) {
  expect_done(
      fit(write("train.csv", cities_csv(90)), {"--response", "y", "--categorical", "city"}));
  const Outcome outcome =
      predict(write("new.csv", "city,x\nRome,1\n\"Bad\x01\",2\n"), {"--missing", "error"});
  expect_error(outcome, 65, "new.csv:3: column 'city' is 'Bad\\x01'");
  EXPECT_TRUE(outcome.says("Oslo, Paris, Rome"));
}

TEST_F(PredictColumns, RowsThatCannotBePredictedKeepTheirPlace) {
  expect_done(fit(write("train.csv", cities_csv(90)),
                  {"--formula", "y ~ sqrt(x + 10)*city", "--categorical", "city"}));
  const std::string good = predict(write("good.csv", "city,x\nRome,1\nOslo,2\n")).out;
  const Outcome outcome =
      predict(write("new.csv", "city,x\nRome,1\nBergen,1\nRome,\n,3\nParis,-11\nOslo,2\n"));
  expect_done(outcome);
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[1], lines_of(good)[1]);
  for (const std::size_t row : {2UL, 3UL, 4UL, 5UL}) {
    EXPECT_EQ(lines[row], "NA,NA,NA,NA") << row;
  }
  EXPECT_EQ(lines[6], lines_of(good)[2]);
  EXPECT_TRUE(outcome.says("warning: 4 of 6 rows cannot be predicted and are NA")) << outcome.err;
  expect_error(predict("new.csv", {"--missing", "error"}), 65, "'city' is 'Bergen', a level");
  EXPECT_EQ(
      lines_of(
          predict(write("gap.csv", "city,x\nRome,1\nRome,\nOslo,2\n"), {"--missing", "drop"}).out)
          .size(),
      3U);
  const Outcome dropped = predict("new.csv", {"--missing", "drop"});
  expect_done(dropped);
  EXPECT_EQ(dropped.out, good);
  EXPECT_TRUE(
      dropped.says("dropped 4 rows with missing values or levels that were not in the fit, or "
                   "without a number of a function."))
      << dropped.err;
  EXPECT_TRUE(dropped.says("predicted 2 rows from")) << dropped.err;
  expect_error(predict(write("none.csv", "city,x\nBergen,1\n"),
                       {"--missing", "drop", "--out", "none-out.csv"}),
               65, "none.csv: no rows are left of 1");
  EXPECT_FALSE(exists("none-out.csv"));
  // A response that is missing has no density, and is no reason for NA.
  expect_error(predict(write("r.csv", "city,x,y\nRome,1,\n"), {"--log-lik"}), 65, "'y' is empty");
  const Outcome scored = predict(write("s.csv", "city,x,y\nRome,1,no\nRome,,yes\n"), {"--log-lik"});
  expect_done(scored);
  EXPECT_EQ(lines_of(scored.out)[2], "NA,NA,NA,NA,NA");
}

TEST_F(PredictColumns, AnIdStandsBeforeEachLine) {
  expect_done(fit(write("train.csv", cities_csv(90)), {"--response", "y", "--features", "x"}));
  const std::string plain = predict(write("new.csv", "key,x\n\"a,1\",1\n,2\nb,\nb,4\n")).out;
  const std::vector<std::string> with = lines_of(predict("new.csv", {"--id", "key"}).out);
  ASSERT_EQ(with.size(), 5U);
  EXPECT_EQ(with[0], "key,mean,sd,q5,q95");
  const char* const ids[] = {"\"a,1\",", "\"\",", "b,", "b,"};
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(with[n + 1], ids[n] + lines_of(plain)[n + 1]);
  }
  expect_error(predict("new.csv", {"--id", "kez"}), 65, "no column 'kez'");
  const Outcome dropped = predict("new.csv", {"--id", "key", "--missing", "drop"});
  expect_done(dropped);
  EXPECT_EQ(lines_of(dropped.out), (Words{with[0], with[1], with[2], with[4]}));
  expect_error(predict("new.csv", {"--prob", "1"}), 64, "--prob 1: must be between 0 and 1.");
  expect_error(predict("new.csv", {"--missing", "mean"}), 64, "--missing mean: must be one of");
}

TEST_F(PredictColumns, AnIdStandsBeforeEachLineThatIsScored) {
  write("train.csv", cities_csv(90));
  expect_done(fit("train.csv", {"--formula", "y ~ city + log(x + 9)", "--categorical", "city"}));
  const std::string good = "a,Rome,1,no\nb,Oslo,2,yes\nc,Rome,3,no\n";
  const Words scored = lines_of(
      predict(write("good.csv", "key,city,x,y\n" + good), {"--id", "key", "--log-lik"}).out);
  ASSERT_EQ(scored.size(), 4U);
  // No response, no number, another level, no logarithm.
  write("new.csv",
        "key,city,x,y\n-,Rome,1,\na,Rome,1,no\n-,Rome,,no\n-,Rome,7,NA\n-,Bergen,1,yes\n"
        "b,Oslo,2,yes\n-,Oslo,-10,no\nc,Rome,3,no\n-,Oslo,1,\n");
  const Outcome outcome =
      predict("new.csv", {"--id", "key", "--log-lik", "--missing", "drop", "--out", "-"});
  expect_done(outcome);
  EXPECT_EQ(lines_of(outcome.out), scored);
  EXPECT_TRUE(outcome.says("dropped 3 rows with missing values\n")) << outcome.err;
  EXPECT_TRUE(
      outcome.says("dropped 3 rows with missing values or levels that were not in the fit, or "
                   "without a number of a function."))
      << outcome.err;
  EXPECT_TRUE(outcome.says("predicted 3 rows from")) << outcome.err;
  // Also where the id is what is explained, and in the files of draws.
  const Words of_response =
      lines_of(predict("new.csv", {"--id", "y", "--log-lik", "--missing", "drop"}).out);
  ASSERT_EQ(of_response.size(), 4U);
  for (std::size_t n = 1; n < 4; ++n) {
    const char* const ids[] = {"", "no", "yes", "no"};
    EXPECT_EQ(of_response[n], ids[n] + scored[n].substr(1));
  }
  // Without `drop` a response that is missing is an error, as ever.
  expect_error(predict("new.csv", {"--id", "key", "--log-lik"}), 65, "'y' is empty");
}

TEST_F(PredictColumns, TextWhereTheFitHadNumbersHasARemedyThatThereIs) {
  expect_done(fit(write("train.csv", cities_csv(90)), {"--response", "y", "--features", "x"}));
  const Outcome outcome = predict(write("new.csv", "x\n1\nmany\n"));
  expect_error(outcome, 65,
               "new.csv:3: column 'x' holds text ('many'); the fit had numbers there: write a "
               "number, or leave it empty.");
  EXPECT_FALSE(outcome.says("--categorical"));
}

TEST_F(PredictColumns, UnknownClassIsRefused) {
  expect_done(fit(write("train.csv", cities_csv(90)), {"--response", "y", "--features", "x"}));
  expect_error(predict(write("new.csv", "x,y\n1,maybe\n"), {"--log-lik"}), 65,
               "response 'y' is 'maybe', a class that the fit did not see; its classes are no, "
               "yes.");
}

TEST_F(PredictColumns, OneClassOfTwoIsEnoughForADensity) {
  expect_done(fit(write("train.csv", cities_csv(90)), {"--response", "y", "--features", "x"}));
  const CsvTable table = predicted(write("new.csv", "x,y\n1,no\n"), {"--log-lik"});
  ASSERT_EQ(table.rows.size(), 1U);
  expect_close(std::exp(table.rows[0][4]), 1.0 - table.rows[0][0]);
}

TEST_F(PredictColumns, OffsetOfTheFitIsUsed) {
  const Simulated s = simulated(100);
  write("train.csv", csv({{"a", s.a}, {"o", s.b}, {"y", s.binary}}));
  expect_done(fit("train.csv", {"--response", "y", "--offset", "o"}));
  expect_error(predict(write("new.csv", "a\n1\n")), 65, "no column 'o'");
  const CsvTable table = predicted(write("new.csv", "a,o\n1,0.75\n"));
  ASSERT_EQ(table.rows.size(), 1U);
  expect_summary(table.rows[0], of_each_draw(chains(), [](const Draw& at) {
                   return 1.0 / (1.0 + std::exp(-(at("alpha") + at("beta.1") + 0.75)));
                 }));
}

TEST_F(PredictColumns, WeightsOfTheFitPlayNoPart) {
  const Simulated s = simulated(100);
  write("train.csv", csv({{"a", s.a}, {"w", constant(100, 2.0)}, {"y", s.binary}}));
  expect_done(fit("train.csv", {"--response", "y", "--weights", "w"}));
  EXPECT_EQ(predicted(write("new.csv", "a\n1\n")).rows.size(), 1U);
}

TEST_F(PredictColumns, LibsvmRowsHaveTheDimensionOfTheFit) {
  const Simulated s = simulated(100);
  std::string text;
  for (std::size_t n = 0; n < 100; ++n) {
    text += std::string(s.binary[n] > 0.0 ? "+1" : "-1") + " 1:" + std::to_string(s.a[n]) +
            " 3:" + std::to_string(s.b[n]) + "\n";
  }
  expect_done(fit(write("train.svm", text), {}));  // x2 is always 0 and dropped
  const CsvTable short_rows = predicted(write("new.svm", "1 1:0.5\n-1 1:1\n"), {"--log-lik"});
  ASSERT_EQ(short_rows.rows.size(), 2U);
  const auto probs = of_each_draw(chains(), [](const Draw& at) {
    return 1.0 / (1.0 + std::exp(-(at("alpha") + 0.5 * at("beta.1"))));
  });
  expect_summary(short_rows.rows[0], probs);
  expect_close(short_rows.rows[0][4], std::log(flymc::mean(probs)));
  EXPECT_EQ(predicted(write("long.svm", "0 1:0.5 9:7\n")).rows[0][0], short_rows.rows[0][0]);
}

TEST_F(PredictColumns, ArraysWorkAndTheirResponseNeedNotBeThere) {
  const Simulated s = simulated(50);
  std::vector<double> x;
  for (std::size_t n = 0; n < 50; ++n) {
    x.insert(x.end(), {s.a[n], s.b[n]});
  }
  write("X.npy", npy_f8("(50, 2)", x));
  write("y.npy", npy_f8("(50,)", s.binary));
  expect_done(fit("X.npy", {"--response", "y.npy"}));
  const Outcome plain = predict("X.npy");
  EXPECT_EQ(plain.code, 0) << plain.err;
  write("new.npz", npz({{"X", npy_f8("(50, 2)", x)}}, true));
  EXPECT_EQ(predict("new.npz").out, plain.out);
  expect_error(predict("X.npy", {"--log-lik"}), 64, "name it with --response");
  EXPECT_EQ(predicted("X.npy", {"--log-lik", "--response", "y.npy"}).rows.size(), 50U);
}

}  // namespace
}  // namespace flymc::testing
