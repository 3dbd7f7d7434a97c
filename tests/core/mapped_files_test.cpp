// A mapped file that somebody changes is noticed; one that is replaced is not ours any more.
#include "core/mapped_files.hpp"

#include <unistd.h>

#include <filesystem>

#include "data/input/content.hpp"
#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::TempDir;

std::string complaint() {
  try {
    require_unchanged_files();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
    return error.what();
  }
  return "";
}

TEST(MappedFiles, AnAddressHasAName) {
  const TempDir dir;
  const std::string path = dir.write("a\n.csv", "0123456789");
  const char* first = nullptr;
  {
    const FileMap file(path);
    first = file.bytes().data();
    ASSERT_NE(mapped_file_at(first + 9), nullptr);
    EXPECT_TRUE(std::string(mapped_file_at(first + 9)).ends_with("a\\n.csv"));
    EXPECT_EQ(mapped_file_at(first + 10), nullptr);
    FileMap moved(path);
    const FileMap here = std::move(moved);
    EXPECT_NE(mapped_file_at(here.bytes().data()), nullptr);
  }
  EXPECT_EQ(mapped_file_at(first), nullptr);
}

// The rest of its last page reads as zeros, without a signal.
TEST(MappedFiles, AFileCutByAByteIsNoticed) {
  const TempDir dir;
  const std::string path = dir.write("a.csv", "0123456789");
  const FileMap file(path);
  EXPECT_EQ(complaint(), "");
  ASSERT_EQ(::truncate(path.c_str(), 9), 0);
  EXPECT_NE(complaint().find("a.csv changed while it was in use"), std::string::npos);
}

TEST(MappedFiles, AFileWrittenInPlaceIsNoticed) {
  const TempDir dir;
  const std::string path = dir.write("a.csv", "0123456789");
  const FileMap file(path);
  std::filesystem::last_write_time(
      path, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(1));
  EXPECT_NE(complaint(), "");
}

TEST(MappedFiles, AFileReplacedOrRemovedStaysAsItWasMapped) {
  const TempDir dir;
  const std::string path = dir.write("a.csv", "0123456789");
  const FileMap file(path);
  std::filesystem::rename(dir.write("b.csv", "012"), path);
  EXPECT_EQ(complaint(), "");
  std::filesystem::remove(path);
  EXPECT_EQ(complaint(), "");
  EXPECT_EQ(file.bytes(), "0123456789");
}

}  // namespace
}  // namespace flymc
