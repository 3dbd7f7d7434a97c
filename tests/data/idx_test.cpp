#include "data/format/idx.hpp"

#include <gtest/gtest.h>

#include <string>

#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::gzip;
using testing::TempDir;

// Two images of 2 x 3 pixels.
const std::string kHeader("\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x03", 16);
const std::string kPixels("\x00\x01\x02\x03\x04\x05\xfa\xfb\xfc\xfd\xfe\xff", 12);

void expect_refused(const TempDir& dir, const std::string& bytes, const std::string& message) {
  const std::string path = dir.write("images", bytes);
  try {
    (void)read_idx(path, 3);
    ADD_FAILURE() << "read, instead of: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_EQ(std::string(error.what()), path + ": " + message);
  }
}

TEST(Idx, ReadsPlainAndGzipAlikeWhateverTheName) {
  const TempDir dir;
  for (const std::string& bytes : {kHeader + kPixels, gzip(kHeader + kPixels)}) {
    const IdxArray array = read_idx(dir.write("images", bytes), 3);
    EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 2, 3}));
    EXPECT_EQ(std::string(array.bytes.begin(), array.bytes.end()), kPixels);
  }
}

TEST(Idx, RefusesWhatIsNotAnIdxFileOfBytesInSoManyDimensions) {
  const TempDir dir;
  std::string other = kHeader + kPixels;
  other[2] = '\x0d';
  expect_refused(dir, other,
                 "magic number 3331; expected 2051 (IDX, unsigned bytes, 3 dimensions).");
  const std::string labels("\0\0\x08\x01\0\0\0\x0c", 8);
  expect_refused(dir, labels + kPixels,
                 "magic number 2049; expected 2051 (IDX, unsigned bytes, 3 dimensions).");
}

TEST(Idx, RefusesAFileThatIsCutShortOrHasBytesToSpare) {
  const TempDir dir;
  expect_refused(dir, "", "cut short: 0 bytes; the header of an IDX file alone has 16.");
  expect_refused(dir, kHeader.substr(0, 15),
                 "cut short: 15 bytes; the header of an IDX file alone has 16.");
  const std::string short_by_one = (kHeader + kPixels).substr(0, 27);
  expect_refused(dir, short_by_one, "11 bytes after the header; expected 2 x 2 x 3.");
  expect_refused(dir, kHeader + kPixels + "!", "13 bytes after the header; expected 2 x 2 x 3.");
  const std::string packed = gzip(kHeader + kPixels);
  expect_refused(dir, packed.substr(0, packed.size() - 9),
                 "the compressed data are damaged or cut short.");
}

TEST(Idx, SizesWhoseProductOverflowsAreRefused) {
  const TempDir dir;
  const std::string huge = std::string("\0\0\x08\x03", 4) + std::string(12, '\xff');
  expect_refused(dir, huge + kPixels,
                 "12 bytes after the header; expected 4,294,967,295 x 4,294,967,295 x "
                 "4,294,967,295.");
  const std::string none = std::string("\0\0\x08\x03", 4) + std::string(12, '\0');
  expect_refused(dir, none, "0 bytes after the header; expected 0 x 0 x 0.");
}

TEST(Idx, AMissingFileIsNoInput) {
  const TempDir dir;
  try {
    (void)read_idx(dir / "absent", 3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kNoInput);
  }
}

}  // namespace
}  // namespace flymc
