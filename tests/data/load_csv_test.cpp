// What load() makes of well-formed text.
#include <gmock/gmock.h>

#include <cmath>

#include "data/load_support.hpp"

namespace flymc {
namespace {

using ::testing::ElementsAre;
using testing::gzip;
using ::testing::IsEmpty;
using testing::TempDir;

class LoadCsv : public ::testing::Test {
 protected:
  LoadSpec spec(const std::string& text, const std::string& name = "t.csv") const {
    return {.path = dir_.write(name, text), .response = "y", .threads = 2};
  }
  TempDir dir_;
};

TEST_F(LoadCsv, ReadsNumbersRowMajor) {
  const Loaded loaded = load(spec("a,y,b\n1,0,2.5\n-3e2,1,.5\n"));
  EXPECT_EQ(loaded.table.rows, 2U);
  EXPECT_THAT(loaded.table.columns, ElementsAre("a", "b"));
  EXPECT_THAT(loaded.table.x, ElementsAre(1, 2.5, -300, 0.5));
  EXPECT_EQ(loaded.table.response.name, "y");
  EXPECT_THAT(loaded.table.response.values, ElementsAre(0, 1));
  EXPECT_THAT(loaded.table.response.labels, IsEmpty());
  EXPECT_EQ(loaded.note, "read " + (dir_ / "t.csv") + ": csv, 2 rows x 2 features, response 'y'");
  EXPECT_THAT(loaded.warnings, IsEmpty());
}

TEST_F(LoadCsv, ReadsEveryDigit) {
  const Loaded loaded = load(spec("a,y\n0.1,1\n+1.7976931348623157e308,2\n1e-999,3\n5e-324,4\n"));
  EXPECT_THAT(loaded.table.x, ElementsAre(0.1, 1.7976931348623157e308, 0.0, 5e-324));
}

TEST_F(LoadCsv, AcceptsCrLfByteOrderMarkBlankLinesAndNoFinalNewline) {
  const Loaded loaded = load(spec("\xEF\xBB\xBF\r\na,y\r\n1,2\r\n\r\n3,4\r\n\n 5 ,\t6"));
  EXPECT_THAT(loaded.table.columns, ElementsAre("a"));
  EXPECT_THAT(loaded.table.x, ElementsAre(1, 3, 5));
  EXPECT_THAT(loaded.table.response.values, ElementsAre(2, 4, 6));
}

TEST_F(LoadCsv, ReadsQuotedFieldsWithSeparatorsNewlinesAndQuotes) {
  auto s = spec(
      "\"a \"\"b\"\"\",\"y\",t\n\"1\",\"no, never\",\"two\nlines\"\n2, \"say \"\"yes\"\"\" ,u\n");
  s.drop = {"t"};
  const Loaded loaded = load(s);
  EXPECT_THAT(loaded.table.columns, ElementsAre("a \"b\""));
  EXPECT_THAT(loaded.table.x, ElementsAre(1, 2));
  EXPECT_THAT(loaded.table.response.labels, ElementsAre("no, never", "say \"yes\""));
}

TEST_F(LoadCsv, ReadsTsvByNameAndByContent) {
  const std::string text = "a b\ty\n1\t2\n";
  EXPECT_THAT(load(spec(text, "t.tsv")).table.columns, ElementsAre("a b"));
  const Loaded unnamed = load(spec(text, "table"));
  EXPECT_THAT(unnamed.table.x, ElementsAre(1));
  EXPECT_THAT(unnamed.note, ::testing::HasSubstr("table: tsv, 1 row x 1 feature,"));
}

TEST_F(LoadCsv, ReadsGzipWhateverItsName) {
  const std::string text = "a,y\n1,2\n3,4\n";
  EXPECT_THAT(load(spec(gzip(text), "t.csv.gz")).table.x, ElementsAre(1, 3));
  EXPECT_THAT(load(spec(gzip(text), "t.csv")).table.x, ElementsAre(1, 3));
  const Loaded members = load(spec(gzip(text) + gzip("5,6\n"), "m.csv.gz"));
  EXPECT_THAT(members.table.x, ElementsAre(1, 3, 5));
  EXPECT_THAT(members.note, ::testing::HasSubstr("csv (gzip), 3 rows"));
}

TEST_F(LoadCsv, TakesFeaturesInTheOrderAsked) {
  auto s = spec("a,b,c,y\n1,2,3,0\n");
  s.features = {"c", "a"};
  const Loaded loaded = load(s);
  EXPECT_THAT(loaded.table.columns, ElementsAre("c", "a"));
  EXPECT_THAT(loaded.table.x, ElementsAre(3, 1));
}

TEST_F(LoadCsv, LooksAtNothingInDroppedColumns) {
  auto s = spec("id,a,y\nNA,1,0\n\"x,y\",2,1\n,3,1\n");
  s.drop = {"id"};
  EXPECT_THAT(load(s).table.x, ElementsAre(1, 2, 3));
}

TEST_F(LoadCsv, AllowsNoResponseAndNoFeatures) {
  auto s = spec("a,y\n1,2\n");
  s.response = "";
  EXPECT_THAT(load(s).table.columns, ElementsAre("a", "y"));
  s.response = "y";
  s.drop = {"a"};
  const Loaded loaded = load(s);
  EXPECT_THAT(loaded.table.columns, IsEmpty());
  EXPECT_EQ(loaded.table.rows, 1U);
}

TEST_F(LoadCsv, TurnsATextResponseIntoSortedLabels) {
  const Loaded loaded = load(spec("a,y\n1,true\n2,false\n3,true\n"));
  EXPECT_THAT(loaded.table.response.labels, ElementsAre("false", "true"));
  EXPECT_THAT(loaded.table.response.values, ElementsAre(1, 0, 1));
  EXPECT_THAT(loaded.note, ::testing::HasSubstr("response 'y' (2 labels)"));
}

TEST_F(LoadCsv, OneTextMakesTheWholeResponseText) {
  const Loaded loaded = load(spec("a,y\n1,2\n2,10\n3,inf\n4,b\n"));
  EXPECT_THAT(loaded.table.response.labels, ElementsAre("10", "2", "b", "inf"));
  EXPECT_THAT(loaded.table.response.values, ElementsAre(1, 0, 3, 2));
}

TEST_F(LoadCsv, EncodesCategoriesInPlace) {
  auto s = spec("a,city,y\n1,Rome,0\n2,Paris,1\n3,Berlin,0\n4,Paris,1\n");
  s.categorical = {"city"};
  s.features = {"city", "a"};
  const Loaded loaded = load(s);
  EXPECT_THAT(loaded.table.columns, ElementsAre("city=Paris", "city=Rome", "a"));
  EXPECT_THAT(loaded.table.x, ElementsAre(0, 1, 1, 1, 0, 2, 0, 0, 3, 1, 0, 4));
}

TEST_F(LoadCsv, WarnsOfACategoryWithOneLevelAndOfColumnsWithoutAName) {
  auto s = spec(",city,a,y\n1,Rome,5,0\n2,Rome,6,1\n");
  s.categorical = {"city"};
  const Loaded loaded = load(s);
  EXPECT_THAT(loaded.table.columns, ElementsAre("a"));
  EXPECT_THAT(loaded.table.x, ElementsAre(5, 6));
  EXPECT_THAT(
      loaded.warnings,
      ElementsAre((dir_ / "t.csv") + ": field 1 of the header has no name; the column is left out.",
                  "column 'city' is always 'Rome': it adds no feature."));
}

TEST_F(LoadCsv, DropsRowsWithMissingValuesWhenAsked) {
  auto s = spec("a,c,y\n1,u,1\n,u,0\n2,NA,1\n3,v,null\n4,N/A,x\n5,v,0\nNaN,w,1\n6,u,NULL\n");
  s.categorical = {"c"};
  s.missing = Missing::kDrop;
  const Loaded loaded = load(s);
  EXPECT_THAT(loaded.table.columns, ElementsAre("a", "c=v"));  // w was in dropped rows only
  EXPECT_THAT(loaded.table.x, ElementsAre(1, 0, 5, 1));
  EXPECT_THAT(loaded.table.response.labels, ElementsAre("0", "1"));
  EXPECT_THAT(loaded.note, ::testing::EndsWith("; dropped 6 rows with missing values"));
  EXPECT_EQ(loaded.table.gaps.number_of(0), 0U);
  EXPECT_EQ(loaded.table.gaps.number_of(1), 5U);
}

TEST_F(LoadCsv, KeepsWeightsAndOffsetOutOfTheFeatures) {
  auto s = spec("w,a,o,y\n2,1,0.5,0\n0,2,0.5,1\n0.25,3,-1,1\n");
  s.weights = "w";
  s.offset = "o";
  const Loaded loaded = load(s);
  EXPECT_THAT(loaded.table.columns, ElementsAre("a"));
  EXPECT_THAT(loaded.table.x, ElementsAre(1, 3));
  EXPECT_THAT(loaded.table.weights, ElementsAre(2, 0.25));
  EXPECT_THAT(loaded.table.offset, ElementsAre(0.5, -1));
  EXPECT_THAT(loaded.note, ::testing::EndsWith("; dropped 1 row of weight 0"));
}

// Long enough for many chunks, with all that makes chunks hard to cut.
std::string awkward_text() {
  std::string text = "a,note,city,y,w\r\n";
  for (int i = 0; i < 3000; ++i) {
    const std::string n = std::to_string(i);
    text += i % 13 == 0 ? "" : n + ".25";
    text += i % 7 == 0 ? ",\"line one\nline, \"\"two\"\"\n\"" : ",plain";
    text += i % 3 == 0 ? ",\"Saint \"\"X\"\"\"," : ",c" + std::to_string(i % 17) + ",";
    text += i % 2 == 0 ? "yes," : "no,";
    text += i % 11 == 0 ? "0" : "1";
    text += i % 5 == 0 ? "\n\n" : "\r\n";
  }
  return text;
}

TEST_F(LoadCsv, GivesTheSameTableForAnyThreadsAndChunks) {
  auto s = spec(awkward_text());
  s.drop = {"note"};
  s.categorical = {"city"};
  s.weights = "w";
  s.missing = Missing::kDrop;
  s.threads = 1;
  const Loaded reference = load(s);
  EXPECT_EQ(reference.table.columns.size(), 1U + 17U);
  EXPECT_GT(reference.table.rows, 2000U);
  for (const unsigned threads : {1U, 2U, 4U}) {
    for (const std::size_t chunk : {7U, 100U, 4096U}) {
      s.threads = threads;
      s.chunk_bytes = chunk;
      const Loaded loaded = load(s);
      EXPECT_EQ(loaded.table.x, reference.table.x) << threads << " threads, chunks of " << chunk;
      EXPECT_EQ(loaded.table.columns, reference.table.columns);
      EXPECT_EQ(loaded.table.gaps, reference.table.gaps);
      EXPECT_EQ(loaded.table.response.values, reference.table.response.values);
      EXPECT_EQ(loaded.table.response.labels, reference.table.response.labels);
      EXPECT_EQ(loaded.table.weights, reference.table.weights);
      EXPECT_EQ(loaded.note, reference.note);
    }
  }
}

}  // namespace
}  // namespace flymc
