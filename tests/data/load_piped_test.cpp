// Text that comes compressed or through standard input.
#include "data/input/content.hpp"
#include "data/load/checksum.hpp"
#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::features;
using testing::PipedInput;
using testing::refusal;
using testing::TempDir;

const std::string kThreeRows = "a,b,y\n1,2,0\n3,4,1\n5,6,1\n";
const std::vector<double> kFeatures = {1, 2, 3, 4, 5, 6};

TEST(LoadZstd, IsToldByItsMagicNumber) {
  const TempDir dir;
  for (const std::string name : {"t.csv.zst", "t.csv", "t"}) {
    const Loaded loaded =
        load({.path = dir.write(name, testing::zstd(kThreeRows)), .response = "y"});
    EXPECT_EQ(features(loaded), kFeatures) << name;
    EXPECT_NE(loaded.note.find(": csv (zstd), 3 rows x 2 features"), std::string::npos)
        << loaded.note;
  }
}

TEST(LoadZstd, NameBeforeZstTellsTheFormat) {
  const TempDir dir;
  const std::string libsvm = dir.write("t.svm.zst", testing::zstd("1 1:2\n0 2:3\n"));
  EXPECT_EQ(load({.path = libsvm}).format, Format::kLibsvm);
  const std::string tsv = dir.write("t.tsv.zst", testing::zstd("a\ty\n1\t0\n2\t1\n"));
  EXPECT_EQ(load({.path = tsv, .response = "y"}).format, Format::kTsv);
}

// As `zstd -c a b > both` and programs with several threads write them; and more than one buffer.
TEST(LoadZstd, SeveralFramesAreOneText) {
  const TempDir dir;
  std::string text = kThreeRows;
  std::string rest;
  for (int row = 0; row < 20'000; ++row) {
    rest += "7,8,0\n";
  }
  const Loaded loaded = load(
      {.path = dir.write("t.csv.zst", testing::zstd(text) + testing::zstd(rest)), .response = "y"});
  EXPECT_EQ(loaded.table.rows, 20'003U);
  EXPECT_EQ(loaded.table.x.back(), 8.0);
}

// Nine bytes: a frame with a window of 2 GB, then an empty block.
TEST(LoadZstd, AWindowThatTheInputCannotFillIsRefused) {
  const TempDir dir;
  const std::string claims("\x28\xB5\x2F\xFD\x00\xA8\x01\0\0", 9);
  const auto refused = refusal(dir, {.path = dir.write("t.csv.zst", claims), .response = "y"});
  EXPECT_EQ(refused.kind, ErrorKind::kData);
  EXPECT_EQ(refused.message, "t.csv.zst: the compressed data are damaged or cut short.");
}

TEST(LoadZstd, DamageIsADataError) {
  const TempDir dir;
  const std::string whole = testing::zstd(kThreeRows);
  for (const std::string& bytes :
       {whole.substr(0, whole.size() - 5), whole + "tail", whole.substr(0, 4)}) {
    const auto refused = refusal(dir, {.path = dir.write("t.csv.zst", bytes), .response = "y"});
    EXPECT_EQ(refused.kind, ErrorKind::kData);
    EXPECT_EQ(refused.message, "t.csv.zst: the compressed data are damaged or cut short.");
  }
}

TEST(LoadPiped, FormatIsToldByContentAndTheChecksumIsOfTheBytes) {
  const TempDir dir;
  for (const std::string& bytes :
       {kThreeRows, testing::gzip(kThreeRows), testing::zstd(kThreeRows)}) {
    const std::string path = dir.write("input", bytes);
    const PipedInput piped(path);
    const Loaded loaded = load({.path = "-", .response = "y", .checksums = true});
    EXPECT_EQ(features(loaded), kFeatures);
    EXPECT_EQ(loaded.format, Format::kCsv);
    EXPECT_TRUE(loaded.note.starts_with("read -: csv")) << loaded.note;
    EXPECT_EQ(loaded.checksums, (std::vector<FileChecksum>{{"-", fingerprint_of_file(path)}}));
  }
  const PipedInput piped(dir.write("input", "1 1:2\n0 2:3\n"));
  EXPECT_EQ(load({.path = "-"}).format, Format::kLibsvm);
}

TEST(LoadPiped, MistakesNameTheDash) {
  const TempDir dir;
  {
    const PipedInput piped(dir.write("input", "a,y\n1,0\nx,1\n"));
    EXPECT_EQ(
        refusal(dir, {.path = "-", .response = "y"}).message,
        "-:3: column 'a' holds text ('x'); drop it (drop = a) or encode it (categorical = a).");
  }
  const PipedInput piped(dir.write("input", ""));
  EXPECT_EQ(refusal(dir, {.path = "-", .response = "y"}).message, "-: the file is empty.");
}

TEST(LoadPiped, ChecksumsAreMadeWhereTheyAreAskedFor) {
  const TempDir dir;
  EXPECT_TRUE(load({.path = dir.write("t.csv", kThreeRows), .response = "y"}).checksums.empty());
}

}  // namespace
}  // namespace flymc
