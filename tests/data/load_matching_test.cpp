// A table that must match an earlier one: its levels, its columns, and nothing that was not asked.
#include <gtest/gtest.h>

#include "data/load_support.hpp"

namespace flymc::testing {
namespace {

TEST(LoadMatching, LevelsOfATableAreKeptInSortOrder) {
  const TempDir dir;
  const LoadSpec spec{.path = dir.write("a.csv", "x,city\n1,Rome\n2,Oslo\n3,Paris\n"),
                      .categorical = {"city"}};
  const Table table = load(spec).table;
  EXPECT_EQ(table.levels, (Levels{{"city", {"Oslo", "Paris", "Rome"}}}));
}

TEST(LoadMatching, FixedLevelsDecideTheIndicators) {
  const TempDir dir;
  const LoadSpec spec{.path = dir.write("a.csv", "city\nRome\n\"Ro\"\"me\"\nRome\n"),
                      .categorical = {"city"},
                      .levels = {{"city", {"Oslo", "Ro\"me", "Rome"}}},
                      .chunk_bytes = 4};
  const Table table = load(spec).table;
  EXPECT_EQ(table.columns, (std::vector<std::string>{"city=Ro\"me", "city=Rome"}));
  EXPECT_EQ(table.x, (Buffer<double>{0, 1, 1, 0, 0, 1}));
}

TEST(LoadMatching, UnknownLevelIsNamedWithItsPlace) {
  const TempDir dir;
  const LoadSpec spec{.path = dir.write("a.csv", "city\nRome\n\nBonn\n"),
                      .categorical = {"city"},
                      .levels = {{"city", {"Oslo", "Rome"}}}};
  EXPECT_EQ(refusal(dir, spec).message,
            "a.csv:4: column 'city' is 'Bonn', a level that was not there before; its levels are "
            "Oslo, Rome.");
}

TEST(LoadMatching, IndicatorWithTheNameOfAnotherColumnIsRefused) {
  const TempDir dir;
  const LoadSpec spec{.path = dir.write("a.csv", "city=B,city\n1,A\n2,B\n"),
                      .categorical = {"city"}};
  EXPECT_EQ(refusal(dir, spec).kind, ErrorKind::kData);
  EXPECT_NE(refusal(dir, spec).message.find("'city=B'"), std::string::npos);
}

TEST(LoadMatching, NoFeaturesMeansNoneWhereTheListIsWhole) {
  const TempDir dir;
  const LoadSpec spec{.path = dir.write("a.csv", "name\nAda\nEve\n"), .matches_earlier = true};
  const Table table = load(spec).table;
  EXPECT_EQ(table.rows, 2U);
  EXPECT_TRUE(table.columns.empty());
}

TEST(LoadMatching, LibsvmColumnsThatDoNotOccurAreZero) {
  const TempDir dir;
  LoadSpec spec{.path = dir.write("a.svm", "1 2:5 9:1\n0 1:4\n"),
                .features = {"x0", "x2", "x12"},
                .matches_earlier = true};
  const Loaded loaded = load(spec);
  EXPECT_EQ(loaded.table.x, (Buffer<double>{0, 5, 0, 0, 0, 0}));
  EXPECT_TRUE(loaded.warnings.empty());
  spec.matches_earlier = false;
  EXPECT_NE(refusal(dir, spec).message.find("no column 'x0'"), std::string::npos);
}

TEST(LoadMatching, LibsvmLineThatLeavesACategoryOutNeedsTheLevelZero) {
  const TempDir dir;
  LoadSpec spec{.path = dir.write("a.svm", "1 1:3 2:1\n0 2:4\n"),
                .features = {"x1", "x2"},
                .categorical = {"x1"},
                .matches_earlier = true,
                .levels = {{"x1", {"0", "3"}}}};
  EXPECT_EQ(load(spec).table.x, (Buffer<double>{1, 1, 0, 4}));
  spec.levels = {{"x1", {"3", "5"}}};
  EXPECT_NE(refusal(dir, spec).message.find("a.svm:2: column 'x1' is '0'"), std::string::npos)
      << refusal(dir, spec).message;
}

TEST(LoadMatching, ResponseOfAnArchiveIsReadOnlyWhereNamed) {
  const TempDir dir;
  const std::string bad = npy_f8("(2,)", {1.0, std::numeric_limits<double>::quiet_NaN()});
  LoadSpec spec{
      .path = dir.write("a.npz", npz({{"X", npy_f8("(2, 1)", {1, 2})}, {"y", bad}}, true)),
      .features = {"x1"},
      .matches_earlier = true};
  EXPECT_TRUE(load(spec).table.response.values.empty());
  spec.response = "y";
  EXPECT_EQ(refusal(dir, spec).kind, ErrorKind::kData);
}

}  // namespace
}  // namespace flymc::testing
