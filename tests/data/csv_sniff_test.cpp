// Separators, headers, quotes and line ends of text as people have it.
#include "data/csv/csv_sniff.hpp"

#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::features;
using testing::refusal;
using testing::TempDir;

Loaded loaded_from(const std::string& text, LoadSpec spec = {}) {
  const TempDir dir;
  spec.path = dir.write("t.csv", text);
  return load(spec);
}

TEST(Sniff, SeparatorIsTheOneThatCutsBothLinesAlike) {
  EXPECT_EQ(csv::sniff_separator("a,b,c\n1,2,3\n"), ',');
  EXPECT_EQ(csv::sniff_separator("a\tb\n1\t2\n"), '\t');
  EXPECT_EQ(csv::sniff_separator("a;b\n1,5;2,5\n"), ';');
  EXPECT_EQ(csv::sniff_separator("a|b|c\r\n1|2|3\r\n"), '|');
  EXPECT_EQ(csv::sniff_separator("x|1|2,y\n3,4\n"), ',');
  EXPECT_EQ(csv::sniff_separator("\"a;b;c\",y\n1,2\n"), ',');
  EXPECT_EQ(csv::sniff_separator("a,b;c\n1,2;3\n"), ',');  // a tie
  EXPECT_EQ(csv::sniff_separator("alone\n1\n"), ',');
  EXPECT_EQ(csv::sniff_separator(""), ',');
}

TEST(Sniff, EverySeparatorIsRead) {
  for (const std::string separator : {",", "\t", ";", "|"}) {
    const Loaded loaded = loaded_from(
        "a" + separator + "b" + separator + "y\n1" + separator + "\"2\"" + separator + "3\n",
        {.response = "y"});
    EXPECT_EQ(features(loaded), (std::vector<double>{1, 2})) << separator;
  }
  EXPECT_NE(loaded_from("a;y\n1;2\n", {.response = "y"}).note.find(": csv (semicolon), 1 row"),
            std::string::npos);
}

TEST(Sniff, DecimalCommasAreNamed) {
  const TempDir dir;
  EXPECT_EQ(refusal(dir, {.path = dir.write("t.csv", "a;y\n1,5;2\n"), .response = "y"}).message,
            "t.csv:2: column 'a' holds text ('1,5'); write decimals with a point (1.5).");
}

TEST(Header, LineOfNumbersIsAnErrorWithARemedy) {
  const TempDir dir;
  const std::string path = dir.write("t.csv", "1,2.5,0\n3,4,1\n");
  const auto refused = refusal(dir, {.path = path, .response = "y"});
  EXPECT_EQ(refused.kind, ErrorKind::kData);
  EXPECT_EQ(refused.message,
            "t.csv:1: the first line holds numbers only (1, 2.5, 0), so the header is missing; add "
            "a line of column names, or use header = no (columns x1 to x3); header = yes if these "
            "are names.");
}

TEST(Header, NoHeaderNamesColumnsAndKeepsTheFirstRow) {
  const std::string text = "1,2.5,0\n3,4,1\n";
  const Loaded loaded = loaded_from(text, {.response = "x3", .header = HeaderLine::kNo});
  EXPECT_EQ(loaded.table.columns, (std::vector<std::string>{"x1", "x2"}));
  EXPECT_EQ(features(loaded), (std::vector<double>{1, 2.5, 3, 4}));
}

TEST(Header, NumbersCanBeNames) {
  const Loaded loaded =
      loaded_from("0,1,2\n3,4,1\n", {.response = "2", .header = HeaderLine::kYes});
  EXPECT_EQ(loaded.table.columns, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(loaded.table.rows, 1U);
  EXPECT_EQ(loaded_from("0,1,y\n3,4,1\n", {.response = "y"}).table.rows, 1U);
}

TEST(Header, PartsWithoutHeaderMustHaveTheSameWidth) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "d");
  dir.write("d/1.csv", "1,2\n3,4\n");
  dir.write("d/2.csv", "5,6,7\n");
  LoadSpec spec{.path = dir / "d", .response = "x2", .header = HeaderLine::kNo};
  EXPECT_EQ(refusal(dir, spec).message,
            "d/2.csv: column 3 is 'x3', but absent in d/1.csv; parts must have the same columns in "
            "the same order.");
  dir.write("d/2.csv", "5,6\n");
  EXPECT_EQ(features(load(spec)), (std::vector<double>{1, 3, 5}));
}

TEST(Sniff, ByteOrderMarkCrlfQuotesAndLineEndsInsideThem) {
  const Loaded loaded = loaded_from(
      "\xEF\xBB\xBF\"the, name\",city,y\r\n1,\"Paris, \"\"the\ncity\"\"\",0\r\n2,Rome,1\r\n",
      {.response = "y", .categorical = {"city"}});
  EXPECT_EQ(loaded.table.columns, (std::vector<std::string>{"the, name", "city=Rome"}));
  EXPECT_EQ(features(loaded), (std::vector<double>{1, 0, 2, 1}));
}

}  // namespace
}  // namespace flymc
