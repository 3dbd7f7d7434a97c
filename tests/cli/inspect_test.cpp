// `flymc inspect` and `fit` on LIBSVM text, as a user runs them.
#include <fmt/format.h>

#include "cli/cli_data.hpp"

namespace flymc::testing {
namespace {

class Inspect : public Cli {
 protected:
  [[nodiscard]] Outcome inspect(const Words& words) const { return run(Words{"inspect"} + words); }
  [[nodiscard]] Json inspected(const Words& words) const {
    const Outcome outcome = inspect(words + Words{"--json"});
    expect_done(outcome);
    return Json::parse(outcome.out);
  }
  // The suggestion for a csv of these responses.
  [[nodiscard]] std::string model_for(const std::vector<double>& response) const {
    write("m.csv", csv({{"a", simulated(response.size()).a}, {"y", response}}));
    return inspected({"m.csv", "--response", "y"})["model"];
  }
};

TEST_F(Inspect, ShowsWhatTheTableHolds) {
  write("d.csv",
        "id,flag,city,c,twice,y\n1,0,Rome,7,2,no\n2,1,Oslo,7,4,yes\n3,1,Rome,7,6,no\n"
        "4,0,Oslo,7,8,yes\n2,1,Oslo,7,4,yes\n5,0,,7,10,no\n");
  const Outcome outcome =
      inspect({"d.csv", "--response", "y", "--categorical", "city", "--missing", "drop"});
  expect_done(outcome);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            "read d.csv: csv, 5 rows x 5 features, response 'y' (2 labels); dropped 1 row with "
            "missing values\n"
            "\n"
            "response 'y': text, 2 distinct\n"
            "class  rows  share\n"
            "no        2   40 %\n"
            "yes       3   60 %\n"
            "\n"
            "column     type         distinct  min  mean      sd  max\n"
            "id         number              4    1   2.4    1.14    4\n"
            "flag       0/1                 2    0   0.6  0.5477    1\n"
            "city=Rome  categorical         2    0   0.4  0.5477    1\n"
            "c          constant            1    7     7       0    7\n"
            "twice      number              4    2   4.8    2.28    8\n"
            "\n"
            "constant   c; fit leaves them out\n"
            "dependent  no more distinct rows than columns: some columns explain others\n"
            "equal rows 1 of 5 equal others; fit makes them weights\n"
            "missing    1 row dropped: city 1\n"
            "memory     about 0.47 kB for fit with 4 chains\n"
            "time       less than 0.1s to set up a fit, measured on a sample of the rows; fit "
            "forecasts the sampling\n"
            "model      logistic (two classes)\n"
            "try next   flymc fit d.csv --response y --categorical city --missing drop --model "
            "logistic --out run/\n");
}

TEST_F(Inspect, JsonSaysTheSame) {
  const Simulated s = simulated(100);
  std::vector<double> sum;
  for (std::size_t n = 0; n < 100; ++n) {
    sum.push_back(s.a[n] + s.b[n]);
  }
  write("d.csv", csv({{"a", s.a},
                      {"b", s.b},
                      {"sum", sum},
                      {"again", s.a},
                      {"one", constant(100, 1)},
                      {"y", s.numbers}}));
  const Json found = inspected({"d.csv", "--response", "y"});
  EXPECT_EQ(found["format"], "csv");
  EXPECT_EQ(found["rows"], 100);
  EXPECT_EQ(found["features"], 5);
  EXPECT_EQ(found["constant"], Json({"one"}));
  EXPECT_EQ(found["dependent"],
            Json::parse(R"([{"name":"sum","equals":""},{"name":"again","equals":"a"}])"));
  EXPECT_EQ(found["equal_rows"], 0);
  EXPECT_EQ(found["memory_bytes"], 100 * (5 * 8 + 38 + 4 * 4));
  EXPECT_EQ(found["model"], "student-t");
  EXPECT_EQ(found["columns"][0]["type"], "number");
  EXPECT_TRUE(found["columns"][0]["distinct"].is_null());
  EXPECT_EQ(found["columns"][4]["type"], "constant");
  EXPECT_EQ(found["columns"][4]["distinct"], 1);
  auto sorted = s.numbers;
  std::ranges::sort(sorted);
  EXPECT_DOUBLE_EQ(found["response"]["median"].get<double>(), 0.5 * (sorted[49] + sorted[50]));
  EXPECT_EQ(found["response"]["min"].get<double>(), sorted.front());
  EXPECT_EQ(found["response"]["max"].get<double>(), sorted.back());
  EXPECT_TRUE(found["response"]["classes"].empty());
}

TEST_F(Inspect, SuggestsAModelForTheResponse) {
  const Simulated s = simulated(200);
  EXPECT_EQ(model_for(s.binary), "logistic");
  EXPECT_EQ(model_for(s.classes), "softmax");
  EXPECT_EQ(model_for(s.numbers), "student-t");
  EXPECT_EQ(model_for(constant(10, 3.0)), "");
  std::vector<double> few_counts;   // 0 to 7, thinning out
  std::vector<double> many_counts;  // 0, 2, ..., 398
  for (std::size_t n = 0; n < 200; ++n) {
    few_counts.push_back(n < 2 ? 7.0 : static_cast<double>(n * n / 5800));
    many_counts.push_back(static_cast<double>(2 * n));
  }
  EXPECT_EQ(model_for(few_counts), "poisson");
  EXPECT_EQ(model_for(many_counts), "poisson");
  EXPECT_EQ(model_for(scaled(many_counts, -1.0)), "student-t");
  std::vector<double> shares;
  for (std::size_t n = 1; n <= 200; ++n) {
    shares.push_back(static_cast<double>(n) / 201.0);
  }
  EXPECT_EQ(model_for(shares), "beta");
  expect_done(fit("m.csv", {"--response", "y", "--model", "beta"}));
  shares.back() = 1.0;  // which no beta has
  EXPECT_EQ(model_for(shares), "student-t");
  write("b.csv", "x,k,m\n1,1,4\n2,3,5\n");
  EXPECT_EQ(inspected({"b.csv", "--response", "k", "--trials", "m"})["model"], "binomial");
}

TEST_F(Inspect, RatingsMayBeInAnOrder) {
  const auto says = [&](const std::string& labels) {
    std::string text = "x,y\n";
    for (std::size_t n = 0; n < 60; ++n) {
      text += std::to_string(n) + "," + labels[n % labels.size()] + "\n";
    }
    write("r.csv", text);
    return inspect({"r.csv", "--response", "y"}).out.find("if they are in an order, ordinal") !=
           std::string::npos;
  };
  EXPECT_TRUE(says("12345"));
  EXPECT_FALSE(says("12456"));  // a gap
  EXPECT_FALSE(says("012"));    // counts and codes begin so
  EXPECT_FALSE(says("12"));
}

TEST_F(Inspect, TheCommandItSuggestsRuns) {
  const Simulated s = simulated(50);
  write("my data.csv", csv({{"the a", s.a}, {"it's", s.b}, {"y", s.binary}}));
  const Json found = inspected({"my data.csv", "--response", "y", "--drop", "it's"});
  EXPECT_EQ(found["command"],
            "flymc fit 'my data.csv' --response y --drop 'it'\\''s' --model "
            "logistic --out run/");
  expect_done(fit("my data.csv", {"--response", "y", "--drop", "it's", "--model", "logistic"}));
}

TEST_F(Inspect, GuessesAResponseAndSaysHowToNameAnother) {
  write("d.csv", binary_csv(20));
  const Outcome outcome = inspect({"d.csv"});
  expect_done(outcome);
  EXPECT_TRUE(outcome.shows("response 'y', a guess (--response names another): "));
  EXPECT_TRUE(outcome.shows("try next   flymc fit d.csv --response y --model logistic"));
  write("n.csv", "a,sold,price\n1,0,2.5\n2,1,3.5\n3,1,1\n4,0,8\n");  // no such name: two values
  EXPECT_EQ(inspected({"n.csv"})["response"]["name"], "sold");
}

// Everything that used to be refused, one after the other: text, dates, identifiers, missing
// values.
TEST_F(Inspect, ARawTableIsNotRefusedAndItsFitLineRuns) {
  std::string text = "customer_id,signup,city,age,note,shop,churned\n";
  for (int n = 0; n < 600; ++n) {
    text += "C" + std::to_string(n) + ",2024-01-" + std::to_string(1 + n % 31) + "," +
            (n % 3 == 0   ? "Oslo"
             : n % 3 == 1 ? "K\xC3\xB6ln"
                          : "Rome") +
            "," + (n % 40 == 0 ? "" : std::to_string(20 + n % 53)) + ",,s" +
            std::to_string(n % 200) + "," + (n * n % 7 < 3 ? "yes" : "no") + "\n";
  }
  write("raw.csv", text);
  const Outcome outcome = inspect({"raw.csv"});
  expect_done(outcome);
  for (const char* line :
       {"customer_id  identifier               600  C0         left out: differs in every row, so "
        "nothing is learned from it\n",
        "signup       date                      31  2024-01-1  left out: a date; write it as "
        "2024-01-31, and --date counts the days\n",
        "city         category                   3  Oslo       encoded\n",
        "age          count          2.5 %      53  21         feature\n",
        "note         empty          100 %       0             left out: has no values\n",
        "shop         many levels              200  s0         left out: too many levels for "
        "indicators; (1 | shop) in a formula makes it a group effect\n",
        "churned      category                   2  yes        response\n"}) {
    EXPECT_TRUE(outcome.shows(line)) << line << "\n" << outcome.out;
  }
  const Json found = inspected({"raw.csv"});
  EXPECT_EQ(found["command"],
            "flymc fit raw.csv --response churned --drop customer_id,signup,note,shop "
            "--categorical city --missing drop --model logistic --out run/");
  EXPECT_EQ(found["file"][3]["missing"], 15);
  EXPECT_EQ(found["file"][0]["use"], "left out");
  const Words decided = {"--response", "churned", "--drop",  "customer_id,signup,note,shop",
                         "--missing",  "drop",    "--model", "logistic"};
  expect_done(fit("raw.csv", decided + Words{"--categorical", "city"}));
  const auto named = draws("out/chain-1.csv").values;
  expect_done(fit("raw.csv", decided + Words{"--categorical", "auto", "--overwrite"}));
  EXPECT_EQ(draws("out/chain-1.csv").values, named);
}

// Twenty rows and fewer, too, have names that tell them apart; years count up and are no names.
TEST_F(Inspect, SmallTablesHaveIdentifiersToo) {
  for (const int rows : {3, 10, 20}) {
    std::string text = "id,name,year,city,y\n";
    for (int n = 0; n < rows; ++n) {
      text += fmt::format("{},person {},{},{},{}\n", 1000 + n, n, 2001 + n,
                          n % 2 == 0 ? "oslo" : "rome", n % 3 == 0 ? 1 : 0);
    }
    write("t.csv", text);
    const Json file =
        Json::parse(run({"inspect", "t.csv", "--response", "y", "--json"}).out)["file"];
    EXPECT_EQ(file[0]["seems"], "identifier") << rows;
    EXPECT_EQ(file[1]["seems"], "identifier") << rows;
    EXPECT_EQ(file[2]["seems"], "count") << rows;
    EXPECT_EQ(file[3]["seems"], "category") << rows;
    const Outcome outcome = run({"inspect", "t.csv", "--response", "y"});
    EXPECT_TRUE(outcome.shows("--drop id,name ")) << outcome.out;
  }
}

TEST_F(Inspect, ProposesToCountDatesAndToFillWhatIsMissingOften) {
  std::string text = "signup,age,churned\n";
  for (int n = 0; n < 600; ++n) {
    text +=
        fmt::format("2024-{:02}-{:02},{},{}\n", 1 + n % 5, 1 + n % 28,
                    n % 10 == 0 ? "" : std::to_string(20 + n % 53), n * n % 7 < 3 ? "yes" : "no");
  }
  write("raw.csv", text);
  const Outcome outcome = inspect({"raw.csv"});
  expect_done(outcome);
  EXPECT_TRUE(outcome.shows("2024-01-01  days\n")) << outcome.out;
  EXPECT_TRUE(outcome.shows("missing    filled in: age 60\n")) << outcome.out;
  EXPECT_EQ(inspected({"raw.csv"})["command"],
            "flymc fit raw.csv --response churned --date signup --missing indicator --model "
            "logistic --out run/");
  expect_done(fit("raw.csv", {"--response", "churned", "--date", "signup", "--missing", "indicator",
                              "--model", "logistic"}));
}

TEST_F(Inspect, WhatIsAskedForIsNotDecidedOtherwise) {
  std::string text = "id,shop,x,y\n";
  for (int n = 0; n < 300; ++n) {
    text += std::to_string(n) + ",s" + std::to_string(n % 150) + "," + std::to_string(n % 11) +
            "," + std::to_string(n % 2) + "\n";
  }
  write("d.csv", text);
  EXPECT_EQ(inspected({"d.csv", "--response", "y", "--features", "id,x"})["command"],
            "flymc fit d.csv --response y --features id,x --model logistic --out run/");
  EXPECT_EQ(inspected({"d.csv", "--formula", "y ~ x + (1 | shop/id)"})["command"],
            "flymc fit d.csv --formula 'y ~ x + (1 | shop/id)' --model logistic --out run/");
  EXPECT_EQ(inspected({"d.csv", "--formula", "y ~ x + (1 | shop)"})["command"],
            "flymc fit d.csv --formula 'y ~ x + (1 | shop)' --model logistic --out run/");
}

TEST_F(Inspect, AColumnThatSaysTheResponseIsALikelyLeak) {
  const Simulated s = simulated(200);
  std::vector<double> after = s.binary;
  after[0] = 1.0 - after[0];  // all but one
  write("d.csv", csv({{"a", s.a}, {"refund", after}, {"y", s.binary}}));
  const Outcome outcome = inspect({"d.csv", "--response", "y"});
  EXPECT_TRUE(outcome.shows("leaks      refund (correlation 0.99"));
  const Json found = inspected({"d.csv", "--response", "y"});
  ASSERT_EQ(found["leaks"].size(), 1U);
  EXPECT_EQ(found["leaks"][0]["name"], "refund");
  EXPECT_FALSE(inspect({"d.csv", "--response", "y", "--drop", "refund"}).shows("leaks"));
}

TEST_F(Inspect, LongTablesAreCutUnlessAllIsAsked) {
  std::vector<Column> columns;
  for (int j = 0; j < 30; ++j) {
    columns.push_back({"c" + std::to_string(j), simulated(40, 100 + static_cast<unsigned>(j)).a});
  }
  write("d.csv", csv(columns));
  EXPECT_TRUE(inspect({"d.csv"}).shows("... and 10 more: --all\n"));
  EXPECT_FALSE(inspect({"d.csv"}).shows("\nc29 "));
  EXPECT_TRUE(inspect({"d.csv", "--all"}).shows("\nc29 "));
}

TEST_F(Inspect, NamesAreEscaped) {
  write("d.csv", "\"a\x1b[2J\",b\xff,y\n1,2,\"x\x07\"\n2,2,z\n4,4,z\n3,1,z\n");
  const Outcome outcome = inspect({"d.csv", "--response", "y"});
  expect_done(outcome);
  EXPECT_TRUE(outcome.shows("a\\x1b[2J"));
  const Json found = inspected({"d.csv", "--response", "y"});
  EXPECT_EQ(found["columns"][0]["name"], "a\x1b[2J");
}

TEST_F(Inspect, ThreadsChangeNothing) {
  write("d.csv", numbers_csv(500));
  const auto with_threads = [&](const char* threads) {
    Json found = inspected({"d.csv", "--response", "y", "--threads", threads});
    found.erase("pass_seconds");  // measured
    found.erase("setup_seconds");
    return found;
  };
  EXPECT_EQ(with_threads("2"), with_threads("1"));
  EXPECT_EQ(with_threads("4"), with_threads("1"));
}

TEST_F(Inspect, TimeGrowsWithTheRows) {
  const auto setup_s = [&](std::size_t rows) {
    write("d.csv", numbers_csv(rows));
    const Json found = inspected({"d.csv", "--response", "y", "--threads", "1"});
    EXPECT_GT(found["pass_seconds"], 0.0);
    EXPECT_GT(found["setup_seconds"], found["pass_seconds"]);
    return found["setup_seconds"].get<double>();
  };
  EXPECT_GT(setup_s(100'000), 3.0 * setup_s(100));
}

TEST_F(Inspect, InputThatCannotBeUsedEndsAsFitDoes) {
  expect_error(inspect({}), 64, "DATA is required. See flymc inspect --help.");
  expect_error(inspect({"absent.csv"}), 66, "flymc: absent.csv: no such file.");
  write("d.csv", "x,y\n1,0\n,1\n");
  expect_error(inspect({"d.csv", "--response", "Y"}), 65,
               "no column 'Y'; columns are x, y; did you mean 'y'?");
  write("ragged.csv", "x,y\n1,0\n2\n");
  expect_error(inspect({"ragged.csv"}), 65, "ragged.csv:3: 1 field, the header has 2.");
  expect_error(inspect({"d.csv", "--format", "arff"}), 64,
               "--format arff: must be one of auto, csv, fly, libsvm, npy, npz, parquet, tsv.");
  expect_error(inspect({"d.csv", "--draws", "5"}), 64, "no option '--draws'");
  expect_error(inspect({"d.csv", "--threads", "x"}), 64, "--threads x: must be a whole number.");
}

class Libsvm : public Inspect {
 protected:
  // binary_csv() in the other format.
  static std::string text(std::size_t rows = 200) {
    const Simulated s = simulated(rows);
    std::string out;
    for (std::size_t n = 0; n < rows; ++n) {
      char line[96];
      std::snprintf(line, sizeof line, "%s 1:%.17g 2:%.17g\n", s.binary[n] > 0 ? "+1" : "-1",
                    s.a[n], s.b[n]);
      out += line;
    }
    return out;
  }
};

TEST_F(Libsvm, FitsAsTheSameTableInCsvDoes) {
  write("d.csv", binary_csv());
  write("d.libsvm.gz", gzip(text()));
  expect_done(fit("d.csv", {"--response", "y"}));
  const std::string chain = bytes("out/chain-1.csv");
  const Outcome outcome = fit("d.libsvm.gz", {"--overwrite"});
  expect_done(outcome);
  EXPECT_TRUE(outcome.says("read d.libsvm.gz: libsvm (gzip), 200 rows x 2 features, response 'y'"));
  EXPECT_EQ(bytes("out/chain-1.csv"), chain);
}

TEST_F(Libsvm, IsToldByContentAndNeedsNoResponse) {
  write("train", text(50));
  expect_done(fit("train", {}));
  const Json found = inspected({"train"});
  EXPECT_EQ(found["format"], "libsvm");
  EXPECT_EQ(found["command"], "flymc fit train --model logistic --out run/");
  EXPECT_EQ(found["response"]["classes"][0]["label"], "-1");
}

TEST_F(Libsvm, MistakesAreOneLineWithTheCodeOfTheContract) {
  const auto refused = [&](const std::string& data, int code, const std::string& says) {
    write("train.libsvm", data);
    expect_error(fit("train.libsvm", {}), code, says);
    expect_error(inspect({"train.libsvm"}), code, says);
    EXPECT_FALSE(exists("out"));
  };
  refused("1 1:1\n0 2:1 1:1\n", 65,
          "flymc: train.libsvm:2: index 1 stands behind index 2; sort the pairs of a line by "
          "index.");
  refused("1 1:1\n0 1:x\x1b\n", 65, "flymc: train.libsvm:2: column 'x1' holds text ('x\\x1b');");
  refused("1 4000000000000000:1\n0 1:1\n", 71, "flymc: train.libsvm:1: index 4000000000000000");
  write("train.libsvm", text(20));
  expect_error(fit("train.libsvm", {"--response", "y"}), 64,
               "flymc: --response y: a LIBSVM file has its response, the label in front of each "
               "line; leave --response out.");
  write("table", "a,b\n1,2\n");
  expect_error(fit("table", {}), 64, "--response is missing: name the column to explain");
}

}  // namespace
}  // namespace flymc::testing
