// Missing values that are filled in: the mean and a column beside it, a level of their own; and the
// same for later rows, by the numbers of the first.
#include "data/table/fill_missing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "data/load/row_blocks.hpp"
#include "data/load_support.hpp"

namespace flymc::testing {
namespace {

LoadSpec indicator(std::string path) {
  LoadSpec spec{.path = std::move(path), .response = "y"};
  spec.missing = Missing::kIndicator;
  return spec;
}

constexpr const char* kAges = "age,x,y\n10,1,0\n,2,1\nNA,3,0\n40,4,1\n";

TEST(FillMissing, ANumberIsTheMeanOfTheOthersAndSaysSo) {
  const TempDir dir;
  const Loaded loaded = load(indicator(dir.write("a.csv", kAges)));
  EXPECT_EQ(loaded.table.columns, (std::vector<std::string>{"age", "age_missing", "x"}));
  EXPECT_EQ(features(loaded), (std::vector<double>{10, 0, 1, 25, 1, 2, 25, 1, 3, 40, 0, 4}));
  EXPECT_EQ(loaded.table.constants, (Constants{{"age_missing", {25}}}));
  EXPECT_NE(loaded.note.find("4 rows x 3 features"), std::string::npos) << loaded.note;
  EXPECT_NE(loaded.note.find("; missing values of age filled in"), std::string::npos)
      << loaded.note;
}

TEST(FillMissing, IsTheSameForAnyChunks) {
  const TempDir dir;
  std::string text = "a,b,y\n";
  for (int n = 0; n < 500; ++n) {
    text += (n % 7 == 3 ? "" : std::to_string(n * n % 101)) + "," +
            (n % 5 == 0 ? "NA" : std::to_string(n)) + ",1\n";
  }
  LoadSpec spec = indicator(dir.write("a.csv", text));
  const Loaded whole = load(spec);
  spec.chunk_bytes = 64;
  spec.threads = 3;
  const Loaded pieces = load(spec);
  EXPECT_EQ(features(whole), features(pieces));
  EXPECT_EQ(whole.table.constants, pieces.table.constants);
}

TEST(FillMissing, OnlyColumnsThatMissAValueInARowThatIsLeftGetAColumn) {
  const TempDir dir;
  const Loaded loaded = load(indicator(dir.write("a.csv", "a,b,y\n1,2,0\n,3,\n2,,1\n3,4,0\n")));
  EXPECT_EQ(loaded.table.columns, (std::vector<std::string>{"a", "b", "b_missing"}));
  EXPECT_EQ(features(loaded), (std::vector<double>{1, 2, 0, 2, 3, 1, 3, 4, 0}));
  EXPECT_EQ(loaded.counts.missing, 1U);  // the row without a response
  EXPECT_NE(loaded.note.find("dropped 1 row with missing values"), std::string::npos);
}

TEST(FillMissing, AWeightOrAnOffsetIsNotFilled) {
  const TempDir dir;
  LoadSpec spec =
      indicator(dir.write("a.csv", "a,w,o,y\n1,1,0,0\n2,,0,1\n,2,0,1\n4,1,,0\n5,1,1,1\n"));
  spec.weights = "w";
  spec.offset = "o";
  const Table table = load(spec).table;
  EXPECT_EQ(table.rows, 3U);
  EXPECT_EQ(table.x, (Buffer<double>{1, 0, 3, 1, 5, 0}));
}

TEST(FillMissing, OfACategoryIsALevelOfItsOwnBehindTheOthers) {
  const TempDir dir;
  LoadSpec spec = indicator(dir.write("a.csv", "city,y\nrome,0\n,1\noslo,0\nNA,1\n"));
  spec.categorical = {"city"};
  const Table table = load(spec).table;
  EXPECT_EQ(table.levels, (Levels{{"city", {"oslo", "rome", "NA"}}}));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"city=rome", "city=NA"}));
  EXPECT_EQ(table.x, (Buffer<double>{1, 0, 0, 1, 0, 0, 0, 1}));
  spec.reference = {"city=NA"};
  EXPECT_EQ(load(spec).table.columns, (std::vector<std::string>{"city=oslo", "city=rome"}));
}

TEST(FillMissing, AFormulaHasTheColumnOnceForAllThatIsMadeOfIt) {
  const TempDir dir;
  LoadSpec spec{.path = dir.write("a.csv", kAges), .formula = "y ~ log(age) + age:x"};
  spec.missing = Missing::kIndicator;
  const Loaded loaded = load(spec);
  EXPECT_EQ(loaded.table.columns, (std::vector<std::string>{"log(age)", "age_missing", "age:x"}));
  EXPECT_DOUBLE_EQ(loaded.table.x[3], std::log(25.0));
  EXPECT_EQ(loaded.table.x[4], 1.0);
  EXPECT_EQ(loaded.table.x[5], 50.0);
  spec.formula = "y ~ x";
  EXPECT_EQ(load(spec).table.columns, (std::vector<std::string>{"x"}));
  spec.formula = "y ~ .";
  EXPECT_EQ(load(spec).table.columns, (std::vector<std::string>{"age", "age_missing", "x"}));
}

TEST(FillMissing, OfAFactorIsALevelOfItsOwn) {
  const TempDir dir;
  LoadSpec spec{.path = dir.write("a.csv", "g,x,y\nb,1,0\n,2,1\na,3,0\n"),
                .formula = "y ~ x + (1 | g)"};
  spec.missing = Missing::kIndicator;
  const Table table = load(spec).table;
  ASSERT_EQ(table.factors.size(), 1U);
  EXPECT_EQ(table.factors[0].labels, (std::vector<std::string>{"a", "b", "NA"}));
  EXPECT_EQ(table.factors[0].codes, (std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(FillMissing, OfArraysIsTheSame) {
  const TempDir dir;
  dir.write("X.npy", npy_f8("(3, 2)", {1, 2, NAN, 4, 5, 6}));
  dir.write("y.npy", npy_f8("(3,)", {0, 1, 0}));
  LoadSpec spec{.path = dir / "X.npy", .response = dir / "y.npy"};
  spec.missing = Missing::kIndicator;
  const Loaded loaded = load(spec);
  EXPECT_EQ(loaded.table.columns, (std::vector<std::string>{"x1", "x1_missing", "x2"}));
  EXPECT_EQ(features(loaded), (std::vector<double>{1, 0, 2, 3, 1, 4, 5, 0, 6}));
}

TEST(FillMissing, LaterRowsGetTheMeanOfTheFirstOnes) {
  const TempDir dir;
  LoadSpec spec{.path = dir.write("new.csv", "age,x,city\n7,1,oslo\n,2,\n3,,oslo\n"),
                .features = {"age", "x", "city"},
                .categorical = {"city"}};
  spec.matches_earlier = true;
  spec.missing = Missing::kKeep;
  spec.levels = {{"city", {"oslo", "rome", "NA"}}};
  spec.constants = {{"age_missing", {25}}, {"city_missing", {}}};
  RowBlocks blocks(spec, {.rows = 1});  // a block has a column even where it misses nothing
  std::vector<double> x;
  while (const std::optional<Table> rows = blocks.next()) {
    EXPECT_EQ(rows->columns,
              (std::vector<std::string>{"age", "age_missing", "x", "city=rome", "city=NA"}));
    x.insert(x.end(), rows->x.begin(), rows->x.end());
  }
  ASSERT_EQ(x.size(), 15U);
  EXPECT_EQ(std::vector<double>(x.begin(), x.begin() + 12),
            (std::vector<double>{7, 0, 1, 0, 0, 25, 1, 2, 0, 1, 3, 0}));
  EXPECT_TRUE(std::isnan(x[12]));  // x missed nothing before: there is nothing to fill it with
}

TEST(FillMissing, WhatCannotBeFilledIsRefused) {
  const TempDir dir;
  const Refusal empty = refusal(dir, indicator(dir.write("a.csv", "a,b,y\n1,,0\n2,NA,1\n")));
  EXPECT_EQ(empty.kind, ErrorKind::kData);
  EXPECT_EQ(empty.message.substr(0, 25), "column 'b' has no values;") << empty.message;
  const Refusal twice = refusal(dir, indicator(dir.write("b.csv", "a,a_missing,y\n1,1,0\n,2,1\n")));
  EXPECT_EQ(twice.kind, ErrorKind::kData);
  EXPECT_NE(twice.message.find("'a_missing' is in the file"), std::string::npos) << twice.message;
}

}  // namespace
}  // namespace flymc::testing
