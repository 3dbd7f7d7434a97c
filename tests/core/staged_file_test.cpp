#include "core/staged_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "data/load_support.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

using testing::TempDir;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

ErrorKind kind_of(const std::string& path) {
  try {
    StagedFile file(path);
    file.append("text");
    file.keep();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::kInternal;
}

TEST(StagedFile, AppearsWholeWhenKept) {
  const TempDir dir;
  dir.write("a", "old");
  StagedFile file(dir / "a");
  const std::string large(200'000, 'x');
  file.append("head ");
  file.append(large);
  file.append(" tail");
  file.write_at(0, "HEAD");
  EXPECT_EQ(bytes_of(dir / "a"), "old");
  file.keep();
  EXPECT_EQ(bytes_of(dir / "a"), "HEAD " + large + " tail");
  EXPECT_FALSE(std::filesystem::exists(dir / "a.tmp"));
}

TEST(StagedFile, LeavesTheOldFileWhereItIsNotKept) {
  const TempDir dir;
  dir.write("a", "old");
  { StagedFile(dir / "a").append("new"); }
  EXPECT_EQ(bytes_of(dir / "a"), "old");
  EXPECT_FALSE(std::filesystem::exists(dir / "a.tmp"));
}

TEST(StagedFile, WritesToADeviceAndDoesNotReplaceIt) {
  const TempDir dir;
  std::filesystem::create_symlink("/dev/null", dir / "null");
  std::filesystem::create_symlink("/dev/full", dir / "full");
  EXPECT_EQ(kind_of(dir / "null"), ErrorKind::kInternal);  // none
  EXPECT_EQ(kind_of(dir / "full"), ErrorKind::kIo);
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "null"));
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "full"));
}

TEST(StagedFile, SaysWhereItCannotBeMade) {
  const TempDir dir;
  EXPECT_EQ(kind_of(dir / "none/a"), ErrorKind::kCannotCreate);
  std::filesystem::create_directory(dir / "folder");
  EXPECT_EQ(kind_of(dir / "folder"), ErrorKind::kCannotCreate);
  EXPECT_FALSE(std::filesystem::exists(dir / "folder.tmp"));
}

}  // namespace
}  // namespace flymc
