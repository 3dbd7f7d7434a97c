// LIBSVM text through load(): what it means, what is refused, and that threads change nothing.
#include <gmock/gmock.h>

#include "data/load_support.hpp"

namespace flymc {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TempDir;

class LoadLibsvm : public ::testing::Test {
 protected:
  LoadSpec spec(const std::string& text, const std::string& name = "t.libsvm") const {
    return {.path = dir_.write(name, text), .threads = 2};
  }
  Loaded read(const std::string& text) const { return load(spec(text)); }
  void refused(const LoadSpec& asked, ErrorKind kind, const std::string& message) const {
    const auto found = testing::refusal(dir_, asked);
    EXPECT_EQ(found.kind, kind) << found.message;
    EXPECT_EQ(found.message, message);
  }
  void refused(const std::string& text, const std::string& message) const {
    refused(spec(text), ErrorKind::kData, message);
  }
  TempDir dir_;
};

TEST_F(LoadLibsvm, PairsThatAreAbsentAreZero) {
  const Loaded loaded = read("+1 1:0.5 3:-2e1\n-1 2:.25\n");
  EXPECT_EQ(loaded.format, Format::kLibsvm);
  EXPECT_EQ(loaded.table.rows, 2U);
  EXPECT_THAT(loaded.table.columns, ElementsAre("x1", "x2", "x3"));
  EXPECT_THAT(loaded.table.x, ElementsAre(0.5, 0, -20, 0, 0.25, 0));
  EXPECT_EQ(loaded.table.response.name, "y");
  EXPECT_THAT(loaded.table.response.values, ElementsAre(1, -1));
  EXPECT_THAT(loaded.table.response.labels, IsEmpty());
  EXPECT_THAT(loaded.warnings, IsEmpty());
  EXPECT_THAT(loaded.note, EndsWith("t.libsvm: libsvm, 2 rows x 3 features, response 'y'"));
}

TEST_F(LoadLibsvm, CommentsBlankLinesAndLineEndsDoNotCount) {
  const Loaded loaded =
      read("\xEF\xBB\xBF# head 7:1\r\n\r\n  2.5\t1:1  # it's \"odd\" 9:9\r\n \n0\n3 2:4");
  EXPECT_THAT(loaded.table.response.values, ElementsAre(2.5, 0, 3));
  EXPECT_THAT(loaded.table.x, ElementsAre(1, 0, 0, 0, 0, 4));
}

TEST_F(LoadLibsvm, AnIndexZeroMakesAllCountFromZero) {
  const Loaded loaded = read("1 1:5\n2 0:4 2:6\n");
  EXPECT_THAT(loaded.table.columns, ElementsAre("x0", "x1", "x2"));
  EXPECT_THAT(loaded.table.x, ElementsAre(0, 5, 0, 4, 0, 6));
  EXPECT_THAT(loaded.warnings,
              ElementsAre(HasSubstr("index 0 occurs, so columns are x0, x1, ...")));
}

TEST_F(LoadLibsvm, QueriesAreIgnoredWithAWarning) {
  const Loaded loaded = read("1 qid:1 1:5\n2 qid:1 2:6\n0 qid:2\n");
  EXPECT_THAT(loaded.table.columns, ElementsAre("x1", "x2"));
  EXPECT_EQ(loaded.table.rows, 3U);
  EXPECT_THAT(loaded.warnings, ElementsAre(HasSubstr("qid is ignored")));
}

TEST_F(LoadLibsvm, ColumnsPlayTheirPartsByName) {
  LoadSpec asked = spec("1 1:2 2:5 4:7\n0 1:0 2:6\n1 1:3 3:8 4:1.5\n");
  asked.weights = "x1";
  asked.offset = "x2";
  asked.drop = {"x3"};
  const Loaded loaded = load(asked);
  EXPECT_THAT(loaded.table.columns, ElementsAre("x4"));
  EXPECT_THAT(loaded.table.x, ElementsAre(7, 1.5));
  EXPECT_THAT(loaded.table.weights, ElementsAre(2, 3));
  EXPECT_THAT(loaded.table.offset, ElementsAre(5, 0));
  EXPECT_THAT(loaded.note, EndsWith("; dropped 1 row of weight 0"));
  asked.weights = "";
  asked.offset = "";
  asked.drop = {};
  asked.features = {"x4", "x1"};
  asked.categorical = {"x4"};
  const Loaded coded = load(asked);
  EXPECT_THAT(coded.table.columns, ElementsAre("x4=1.5", "x4=7", "x1"));
  EXPECT_THAT(coded.table.x, ElementsAre(0, 1, 2, 0, 0, 0, 1, 0, 3));
}

TEST_F(LoadLibsvm, MissingValuesAreRefusedOrDropped) {
  LoadSpec asked = spec("1 1:1\n0 1:nan 2:1\nNaN 2:3\n1 2:\n0 2:2\n");
  refused(asked, ErrorKind::kData,
          "t.libsvm:2: column 'x1' is missing ('nan'). 3 rows have missing values (60.0 %). Use "
          "missing = drop or fill them first.");
  asked.missing = Missing::kDrop;
  const Loaded loaded = load(asked);
  EXPECT_THAT(loaded.table.response.values, ElementsAre(1, 0));
  EXPECT_THAT(loaded.table.x, ElementsAre(1, 0, 0, 2));
  ASSERT_EQ(loaded.counts.missing_in.size(), 3U);
  EXPECT_EQ(loaded.counts.missing_in[2].column, "y");
  EXPECT_EQ(loaded.counts.missing_in[2].rows, 1U);
}

TEST_F(LoadLibsvm, IsKnownByNameThenByContent) {
  const std::string text = "# c\n1 1:0.5\n0 2:1\n";
  for (const char* name : {"a.libsvm", "a.svm", "a.svmlight", "a.txt", "a"}) {
    EXPECT_EQ(load(spec(text, name)).format, Format::kLibsvm) << name;
    EXPECT_EQ(load(spec(testing::gzip(text), std::string(name) + ".gz")).format, Format::kLibsvm);
  }
  for (const char* other : {"a,y\n1,2\n", "a\n1\n", "1 2\n3\n", "x 1:2\n3\n", "1 a:b\n2\n"}) {
    EXPECT_EQ(load(spec(other, "a")).format, Format::kCsv) << other;
  }
  LoadSpec told = spec("0\n1 1:1\n", "a.txt");
  told.format = Format::kLibsvm;
  EXPECT_EQ(load(told).table.rows, 2U);
}

TEST_F(LoadLibsvm, LinesThatAreNotPairsAreNamed) {
  refused("1 1:1\ncat 1:2\n",
          "t.libsvm:2: label 'cat' is not a number; a line is: label index:value index:value ...");
  refused("1:1 2:2\n",
          "t.libsvm:1: label '1:1' is not a number; a line is: label index:value index:value ...");
  refused("1 1:1\n\n1 2:1 5\n", "t.libsvm:3: '5' is not index:value with a whole index >= 0.");
  refused("1 -1:1\n", "t.libsvm:1: '-1:1' is not index:value with a whole index >= 0.");
  refused("1 1.5:1\n", "t.libsvm:1: '1.5:1' is not index:value with a whole index >= 0.");
  refused("1 1:1 qid:3\n", "t.libsvm:1: 'qid:3' is not index:value with a whole index >= 0.");
  refused("1 18446744073709551615:1\n",
          "t.libsvm:1: '18446744073709551615:1' is not index:value with a whole index >= 0.");
  refused("1 1:1:1\n",
          "t.libsvm:1: column 'x1' holds text ('1:1'); drop it (drop = x1) or encode "
          "it (categorical = x1).");
}

TEST_F(LoadLibsvm, NumbersThatCannotBeUsedAreNamed) {
  refused("1 1:1\n0 1:abc\n",
          "t.libsvm:2: column 'x1' holds text ('abc'); drop it (drop = x1) or "
          "encode it (categorical = x1).");
  refused("1 2:1e999\n", "t.libsvm:1: column 'x2' is inf after parsing '1e999'.");
  refused("1 2:-inf\n", "t.libsvm:1: column 'x2' is -inf after parsing '-inf'.");
  refused("inf 2:1\n", "t.libsvm:1: column 'y' is inf after parsing 'inf'.");
  EXPECT_EQ(read("1 1:1e-999 2:+3\n").table.x[0], 0.0);
}

TEST_F(LoadLibsvm, IndicesMustAscend) {
  refused("1 1:1\n0 5:1 3:2\n",
          "t.libsvm:2: index 3 stands behind index 5; sort the pairs of a line by index.");
  refused("1 3:1 3:2\n", "t.libsvm:1: index 3 occurs twice; keep one.");
  refused("1 3:1 0:2 5:1\n",
          "t.libsvm:1: index 0 stands behind index 3; sort the pairs of a line by index.");
  refused("1 1:1 99999999:2 3:1\n",
          "t.libsvm:1: index 3 stands behind index 99999999; sort the pairs of a line by index.");
}

TEST_F(LoadLibsvm, AnIndexTooLargeForMemoryIsNamedBeforeItIsAllocated) {
  refused(spec("1 1:1\n1 2:1 4000000000000000:1\n0 1:1\n"), ErrorKind::kMemory,
          "t.libsvm:2: index 4000000000000000 makes a dense table of 3 rows x "
          "4,000,000,000,000,000 columns, 9.6e+07 GB, more than this machine holds; check the "
          "index, or name the columns to use (features).");
  refused(spec("1 18446744073709551614:1\n"), ErrorKind::kMemory,
          "t.libsvm:1: index 18446744073709551614 makes a dense table of 1 row x "
          "18,446,744,073,709,551,614 columns, 1.48e+11 GB, more than this machine holds; check "
          "the index, or name the columns to use (features).");
}

TEST_F(LoadLibsvm, ALoneFarIndexDoesNotMakeAMillionColumns) {
  refused("1 1:1\n1 100000000:1\n",
          "t.libsvm:2: index 100000000 makes more than 1,048,576 columns; check the index, or "
          "number the columns that occur anew.");
}

TEST_F(LoadLibsvm, TheResponseIsItsOwn) {
  LoadSpec asked = spec("1 1:1\n0 1:2\n");
  asked.response = "y";
  refused(asked, ErrorKind::kUsage,
          "response = y: a LIBSVM file has its response, the label in front of each line; leave "
          "response out.");
  asked.response = "";
  asked.weights = "x2";
  refused(asked, ErrorKind::kData, "no column 'x2'; columns are x1, y; did you mean 'x1'?");
  asked.weights = "y";
  refused(asked, ErrorKind::kUsage,
          "column 'y' is asked for twice: as the response and as the weights.");
}

TEST_F(LoadLibsvm, FilesWithoutRowsAreRefused) {
  refused("", "t.libsvm: the file is empty.");
  refused("# only this\n", "t.libsvm: there are no rows.");
}

TEST_F(LoadLibsvm, ThreadsAndChunksChangeNothing) {
  std::string text;
  for (int n = 0; n < 400; ++n) {
    text += std::to_string(n % 3) + (n % 2 == 0 ? " 1:" + std::to_string(n) : "") +
            (n % 5 == 0 ? " 3:nan" : " 3:0.125") + " 4:" + std::to_string(n % 4) + " # \"\n";
  }
  LoadSpec asked = spec(text);
  asked.missing = Missing::kDrop;
  asked.weights = "x4";
  asked.categorical = {"x3"};
  const Loaded once = load(asked);
  for (const unsigned threads : {1U, 2U, 4U}) {
    for (const std::size_t chunk_bytes : {1U, 50U, 1000U}) {
      asked.threads = threads;
      asked.chunk_bytes = chunk_bytes;
      const Loaded again = load(asked);
      EXPECT_EQ(again.table.x, once.table.x);
      EXPECT_EQ(again.table.columns, once.table.columns);
      EXPECT_EQ(again.table.weights, once.table.weights);
      EXPECT_EQ(again.table.response.values, once.table.response.values);
      EXPECT_EQ(again.note, once.note);
    }
  }
}

}  // namespace
}  // namespace flymc
