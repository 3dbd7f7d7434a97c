// Several files of one table: patterns and directories.
#include "data/input/input_files.hpp"
#include "data/load/checksum.hpp"
#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::features;
using testing::refusal;
using testing::TempDir;

class LoadParts : public ::testing::Test {
 protected:
  LoadParts() { std::filesystem::create_directory(dir_ / "d"); }

  void part(const std::string& name, std::string_view bytes) const {
    dir_.write("d/" + name, bytes);
  }
  [[nodiscard]] LoadSpec folder() const { return {.path = dir_ / "d", .response = "y"}; }
  [[nodiscard]] LoadSpec like(const std::string& pattern) const {
    return {.path = dir_ / ("d/" + pattern), .response = "y"};
  }

  TempDir dir_;
};

TEST_F(LoadParts, RowsFollowInTheOrderOfTheNames) {
  part("part-10.csv", "a,y\n5,0\n");
  part("part-02.csv", "a,y\n3,1\n4,0\n");
  part("part-01.csv", "a,y\n1,0\n2,1");  // no newline at the end
  part("other.txt", "not one of them");
  const Loaded loaded = load(like("part-*.csv"));
  EXPECT_EQ(features(loaded), (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(loaded.table.response.values, (std::vector<double>{0, 1, 1, 0, 0}));
  EXPECT_NE(loaded.note.find(": csv, 3 files, 5 rows x 1 feature"), std::string::npos)
      << loaded.note;
}

TEST_F(LoadParts, ADirectoryIsItsFilesWithoutHiddenAndUnderscoreNames) {
  part("b.csv.gz", testing::gzip("a,y\n3,1\n"));
  part("a.csv", "a,y\n1,0\n");
  part("c.csv.zst", testing::zstd("a,y\n5,1\n"));
  part("_SUCCESS", "");
  part(".a.csv.crc", "crc");
  EXPECT_EQ(features(load(folder())), (std::vector<double>{1, 3, 5}));
}

TEST_F(LoadParts, ChecksumIsOfAllFilesInOrder) {
  part("1.csv", "12345");
  part("2.csv", "6789");
  EXPECT_EQ(fingerprint_of_file(dir_ / "d"), fingerprint_of({"12345", "6789"}));
  EXPECT_NE(fingerprint_of_file(dir_ / "d"), fingerprint_of({"6789", "12345"}));
}

TEST_F(LoadParts, AFileOfThatNameIsNotAPattern) {
  part("x[1].csv", "a,y\n1,0\n2,1\n");
  part("x1.csv", "a,y\n9,0\n9,1\n");
  EXPECT_EQ(features(load(like("x[1].csv"))), (std::vector<double>{1, 2}));
  EXPECT_FALSE(input_files(dir_ / "d/x[1].csv").parts);
}

TEST_F(LoadParts, LevelsAndLabelsAreOfAllPartsTogether) {
  part("1.csv", "c,y\nred,no\nblue,no\n");
  part("2.csv", "c,y\ngreen,yes\nblue,no\n");
  LoadSpec spec = folder();
  spec.categorical = {"c"};
  const Loaded loaded = load(spec);
  EXPECT_EQ(loaded.table.columns, (std::vector<std::string>{"c=green", "c=red"}));
  EXPECT_EQ(features(loaded), (std::vector<double>{0, 1, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(loaded.table.response.labels, (std::vector<std::string>{"no", "yes"}));
  EXPECT_EQ(loaded.table.response.values, (std::vector<double>{0, 0, 1, 0}));
}

// Text turns up in the response of the last part only.
TEST_F(LoadParts, ALateTextResponseIsTextEverywhere) {
  part("1.csv", "a,y\n1,0\n2,1\n");
  part("2.csv", "a,y\n3,many\n");
  EXPECT_EQ(load(folder()).table.response.labels, (std::vector<std::string>{"0", "1", "many"}));
}

TEST_F(LoadParts, ABadLineNamesItsFileAndLineOnce) {
  part("1.csv", "a,y\n1,0\n2,1\n");
  part("2.csv", "a,y\n3,0\n\noops,1\n");
  part("3.csv", "a,y\nbad,0\n");
  for (const unsigned threads : {1U, 4U}) {
    LoadSpec spec = folder();
    spec.threads = threads;
    spec.chunk_bytes = 4;
    const auto refused = refusal(dir_, spec);
    EXPECT_EQ(refused.kind, ErrorKind::kData);
    EXPECT_EQ(refused.message,
              "d/2.csv:4: column 'a' holds text ('oops'); drop it (drop = a) or encode it "
              "(categorical = a).");
  }
}

TEST_F(LoadParts, MissingValuesAreCountedOverAllParts) {
  part("1.csv", "a,y\n1,0\n2,1\n");
  part("2.csv", "a,y\n,0\n4,1\n");
  EXPECT_EQ(refusal(dir_, folder()).message,
            "d/2.csv:2: column 'a' is empty. 1 row has missing values (25.0 %). Use missing = drop "
            "or fill them first.");
  LoadSpec spec = folder();
  spec.missing = Missing::kDrop;
  EXPECT_EQ(features(load(spec)), (std::vector<double>{1, 2, 4}));
}

TEST_F(LoadParts, HeadersMustAgree) {
  part("1.csv", "a,b,y\n1,2,0\n");
  part("2.csv", "a,c,y\n1,2,0\n");
  EXPECT_EQ(refusal(dir_, folder()).message,
            "d/2.csv: column 2 is 'c', but 'b' in d/1.csv; parts must have the same columns in "
            "the same order.");
  part("2.csv", "a,b\n1,2\n");
  EXPECT_EQ(refusal(dir_, folder()).message,
            "d/2.csv: column 3 is absent, but 'y' in d/1.csv; parts must have the same columns in "
            "the same order.");
}

TEST_F(LoadParts, MixedFormatsAreAnError) {
  part("1.csv", "a,y\n1,0\n");
  part("2.tsv", "a\ty\n1\t0\n");
  const auto refused = refusal(dir_, folder());
  EXPECT_EQ(refused.kind, ErrorKind::kData);
  EXPECT_EQ(refused.message,
            "d/1.csv is csv, but d/2.tsv is tsv; parts must have one format: name them with a "
            "pattern, or give format.");
}

TEST_F(LoadParts, NothingThere) {
  const auto refused = refusal(dir_, like("part-*.csv"));
  EXPECT_EQ(refused.kind, ErrorKind::kNoInput);
  EXPECT_EQ(refused.message, "d/part-*.csv: no file matches.");
  std::filesystem::create_directory(dir_ / "d/inner");
  EXPECT_EQ(refusal(dir_, folder()).kind, ErrorKind::kNoInput);
  EXPECT_NE(refusal(dir_, folder()).message.find("d: 'inner' is a directory;"), std::string::npos);
}

TEST_F(LoadParts, LibsvmPartsShareTheirColumns) {
  part("1.svm", "1 1:5\n");
  part("2.svm", "0 3:7\n");
  LoadSpec spec = folder();
  spec.response = "";
  EXPECT_EQ(features(load(spec)), (std::vector<double>{5, 0, 0, 0, 0, 7}));
  part("3.svm", "0 1:x\n");
  EXPECT_NE(refusal(dir_, spec).message.find("d/3.svm:1: "), std::string::npos);
}

TEST_F(LoadParts, ArraysAreNotReadInParts) {
  part("1.npy", testing::npy_f8("(1, 1)", {1}));
  const auto refused = refusal(dir_, folder());
  EXPECT_EQ(refused.kind, ErrorKind::kUsage);
  EXPECT_EQ(refused.message,
            "d/1.npy is npy: such files are not read in parts; name one file, or join them first.");
}

TEST_F(LoadParts, ThreadsAndChunksChangeNothing) {
  std::string whole = "a,c,y\n";
  for (int file = 0; file < 5; ++file) {
    std::string text = "a,c,y\n";
    for (int row = 0; row < 50 + file; ++row) {
      const std::string line = std::to_string(row * 0.25 + file) + ",l" + std::to_string(row % 7) +
                               "," + (row % 3 == 0 ? "no" : "yes") + "\n";
      text += line;
      whole += line;
    }
    part(std::to_string(file) + ".csv", text);
  }
  LoadSpec spec{.path = dir_.write("whole.csv", whole), .response = "y", .categorical = {"c"}};
  const Loaded expected = load(spec);
  spec.path = dir_ / "d";
  for (const unsigned threads : {1U, 2U, 5U}) {
    for (const std::size_t chunk : {16U, 100U, 1U << 20U}) {
      spec.threads = threads;
      spec.chunk_bytes = chunk;
      const Loaded loaded = load(spec);
      EXPECT_EQ(loaded.table.columns, expected.table.columns);
      EXPECT_EQ(features(loaded), features(expected));
      EXPECT_EQ(loaded.table.response.values, expected.table.response.values);
    }
  }
}

}  // namespace
}  // namespace flymc
