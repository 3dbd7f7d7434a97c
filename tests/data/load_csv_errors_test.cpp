// What load() says of text that it refuses: to the letter, since the messages are an interface.
#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::Refusal;
using testing::TempDir;

class LoadCsvErrors : public ::testing::Test {
 protected:
  LoadSpec spec(const std::string& text) const {
    return {.path = dir_.write("train.csv", text), .response = "y", .threads = 2};
  }
  void expect(const LoadSpec& spec, ErrorKind kind, const std::string& message) const {
    const Refusal refused = testing::refusal(dir_, spec);
    EXPECT_EQ(refused.kind, kind) << refused.message;
    EXPECT_EQ(refused.message, message);
  }
  void expect_data_error(const std::string& text, const std::string& message) const {
    expect(spec(text), ErrorKind::kData, message);
  }
  TempDir dir_;
};

TEST_F(LoadCsvErrors, MissingValueSaysHowManyRowsHaveOne) {
  std::string text = "age,y\n";
  for (int i = 1; i <= 1000; ++i) {
    text += i % 27 == 0 ? ",1\n" : "30,1\n";
  }
  expect_data_error(text,
                    "train.csv:28: column 'age' is empty. 37 rows have missing values (3.7 %). "
                    "Use missing = drop or fill them first.");
}

TEST_F(LoadCsvErrors, MissingTokenIsNamed) {
  expect_data_error("age,y\n1,1\nNA,1\n",
                    "train.csv:3: column 'age' is missing ('NA'). 1 row has missing values "
                    "(50.0 %). Use missing = drop or fill them first.");
}

TEST_F(LoadCsvErrors, InfiniteValues) {
  expect_data_error("x3,y\n1,1\n1e999,1\n",
                    "train.csv:3: column 'x3' is inf after parsing '1e999'.");
  expect_data_error("x3,y\n-inf,1\n", "train.csv:2: column 'x3' is -inf after parsing '-inf'.");
  expect_data_error("x3,y\n1,1e400\n", "train.csv:2: column 'y' is inf after parsing '1e400'.");
}

TEST_F(LoadCsvErrors, TextInANumericColumn) {
  expect_data_error("city,y\n1,1\nParis,1\n",
                    "train.csv:3: column 'city' holds text ('Paris'); drop it (drop = city) or "
                    "encode it (categorical = city).");
  expect_data_error("home city,y\n1.2.3,1\n",
                    "train.csv:2: column 'home city' holds text ('1.2.3'); drop it "
                    "(drop = 'home city') or encode it (categorical = 'home city').");
}

TEST_F(LoadCsvErrors, RaggedRows) {
  expect_data_error("a,b,y\n1,2,3\n1,2\n", "train.csv:3: 2 fields, the header has 3.");
  expect_data_error("a,b,y\n1,2,3,4\n", "train.csv:2: 4 fields, the header has 3.");
  expect_data_error("a,b,y\nword\n", "train.csv:2: 1 field, the header has 3.");
}

TEST_F(LoadCsvErrors, UnknownColumns) {
  auto s = spec("y,age\n1,2\n");
  s.response = "Y";
  expect(s, ErrorKind::kData, "no column 'Y'; columns are y, age; did you mean 'y'?");
  s.response = "price";
  expect(s, ErrorKind::kData, "no column 'price'; columns are y, age.");
  s = spec("a,b,c,d,e,f,g,h,i,y\n");
  s.drop = {"why"};
  expect(s, ErrorKind::kData, "no column 'why'; columns are a, b, c, d, e, f, g, h, ....");
}

TEST_F(LoadCsvErrors, ColumnsWithTwoParts) {
  auto s = spec("a,b,y\n1,2,3\n");
  s.weights = "y";
  expect(s, ErrorKind::kUsage,
         "column 'y' is asked for twice: as the response and as the weights.");
  s.weights = "";
  s.features = {"a", "a"};
  expect(s, ErrorKind::kUsage, "column 'a' is asked for twice: as a feature and as a feature.");
  s.features = {"a"};
  s.categorical = {"y"};
  expect(s, ErrorKind::kUsage, "categorical = y: the column is not a feature.");
  s.categorical = {"b"};  // has no part: nothing to encode
  EXPECT_EQ(load(s).table.columns, std::vector<std::string>{"a"});
}

TEST_F(LoadCsvErrors, Headers) {
  expect_data_error("a,y,a\n1,2,3\n",
                    "train.csv:1: column 'a' appears twice, as fields 1 and 3; rename one.");
  expect_data_error("a,\"y\n1,2\n",
                    "train.csv:1: field 2 of the header has a quote that is not closed or not "
                    "doubled inside quotes.");
}

TEST_F(LoadCsvErrors, FilesWithoutRows) {
  expect_data_error("", "train.csv: the file is empty.");
  expect_data_error("\xEF\xBB\xBF\r\n\n", "train.csv: the file is empty.");
  expect_data_error("a,y", "train.csv: there are no rows.");
  expect_data_error("a,y\n\n\n", "train.csv: there are no rows.");
  auto s = spec("a,y\n,1\n2,\n");
  s.missing = Missing::kDrop;
  expect(s, ErrorKind::kData,
         "train.csv: no rows are left of 2; dropped 2 rows with missing values.");
}

TEST_F(LoadCsvErrors, FilesThatAreNotText) {
  expect_data_error(std::string("a,y\n1,\0\n", 8),
                    "train.csv: not a text file (byte 7 is zero); is it another format?");
  expect_data_error(std::string("\xFF\xFE"
                                "a\0,\0",
                                6),
                    "train.csv: the text is UTF-16; save it as UTF-8.");
}

TEST_F(LoadCsvErrors, Weights) {
  auto s = spec("w,a,y\n1,2,3\n-0.5,2,3\n");
  s.weights = "w";
  expect(s, ErrorKind::kData, "train.csv:3: column 'w' is -0.5; weights must be >= 0.");
  s = spec("w,a,y\nheavy,2,3\n");
  s.weights = "w";
  expect(s, ErrorKind::kData,
         "train.csv:2: column 'w' holds text ('heavy'); weights must be numbers.");
  s = spec("w,a,y\n0,2,3\n");
  s.weights = "w";
  expect(s, ErrorKind::kData, "train.csv: no rows are left of 1; dropped 1 row of weight 0.");
}

TEST_F(LoadCsvErrors, StrayQuotes) {
  const std::string tail = " has a quote that is not closed or not doubled inside quotes.";
  expect_data_error("a,y\n1,2\n5\" pipe,3\n", "train.csv:3: column 'a'" + tail);
  expect_data_error("a,y\n\"1\"2,3\n", "train.csv:2: column 'a'" + tail);
  expect_data_error("a,y\n1,2\n\"3,4\n5,6\n", "train.csv:3: column 'a'" + tail);
  expect_data_error("a,y\n1,2,3,\"4\n", "train.csv:2: field 4" + tail);
}

TEST_F(LoadCsvErrors, RowsBehindAStrayQuoteAreNotCountedForAnyChunks) {
  LoadSpec broken = spec("a,y\n,1\n2,1\n3\"3,1\n4\"4,1\n,1\n6,text\n");
  for (const std::size_t chunk_bytes : {4U, 16U, 4096U}) {
    broken.chunk_bytes = chunk_bytes;
    expect(broken, ErrorKind::kData,
           "train.csv:2: column 'a' is empty. 1 row has missing values (33.3 %). Use missing = "
           "drop or fill them first.");
  }
}

TEST_F(LoadCsvErrors, LinesAreThoseOfTheFile) {
  auto s = spec("\n\"a\n\",note,y\n1,\"three\nlines\nlong\",2\n\nx,n,2\n");
  s.drop = {"note"};
  expect(s, ErrorKind::kData,
         "train.csv:8: column 'a\\n' holds text ('x'); drop it (drop = a\\n) or encode it "
         "(categorical = a\\n).");
}

TEST_F(LoadCsvErrors, UntrustedTextIsEscaped) {
  expect_data_error("a\x1b[31m,y\n\xFFoo\r\a,1\n",
                    "train.csv:2: column 'a\\x1b[31m' holds text ('\\xffoo\\r\\x07'); drop it "
                    "(drop = a\\x1b[31m) or encode it (categorical = a\\x1b[31m).");
}

TEST_F(LoadCsvErrors, TooManyLevels) {
  std::string text = "id,y\n";
  for (int i = 0; i < 10'001; ++i) {
    text += "k" + std::to_string(i) + ",1\n";
  }
  auto s = spec(text);
  s.categorical = {"id"};
  expect(s, ErrorKind::kData,
         "column 'id' has 10,001 levels, more than the 10,000 that can be encoded; drop it.");
}

TEST_F(LoadCsvErrors, TheFirstInFileOrderIsReportedForAnyThreadsAndChunks) {
  std::string text = "a,b,y\n";
  for (int i = 2; i < 5000; ++i) {
    const char* const row = i == 3000   ? "1,,2\n"
                            : i == 4000 ? "1,2\n"
                            : i == 3001 ? "x,\"3\",2\n"
                            : i > 4500  ? "1,NA,4\n"
                                        : "1,2,\"3\"\n";
    text += row;
  }
  auto s = spec(text);
  for (const unsigned threads : {1U, 2U, 4U}) {
    for (const std::size_t chunk : {64U, 1000U, 1U << 22U}) {
      s.threads = threads;
      s.chunk_bytes = chunk;
      expect(s, ErrorKind::kData,
             "train.csv:3000: column 'b' is empty. 500 rows have missing values (10.0 %). "
             "Use missing = drop or fill them first.");
    }
  }
  s.missing = Missing::kDrop;
  s.chunk_bytes = 64;
  expect(s, ErrorKind::kData,
         "train.csv:3001: column 'a' holds text ('x'); drop it (drop = a) or encode it "
         "(categorical = a).");
}

}  // namespace
}  // namespace flymc
