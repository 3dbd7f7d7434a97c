#include "core/staged_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/hidden_name.hpp"
#include "core/output_folder.hpp"
#include "data/load_support.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

using testing::TempDir;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::ptrdiff_t files_in(const TempDir& dir) {
  return std::distance(std::filesystem::directory_iterator(dir / ""), {});
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
  EXPECT_EQ(files_in(dir), 1);
}

TEST(StagedFile, LeavesTheOldFileWhereItIsNotKept) {
  const TempDir dir;
  dir.write("a", "old");
  { StagedFile(dir / "a").append("new"); }
  EXPECT_EQ(bytes_of(dir / "a"), "old");
  EXPECT_EQ(files_in(dir), 1);
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
  EXPECT_EQ(files_in(dir), 1);
}

TEST(StagedFile, NeitherUsesNorFollowsWhatBearsANameThatCanBeForeseen) {
  const TempDir dir;
  dir.write("a.tmp", "mine");
  dir.write("target", "mine");
  std::filesystem::create_symlink(dir / "target", dir / "b.tmp");
  for (const char* name : {"a", "b"}) {
    StagedFile file(dir / name);
    file.append("text");
    file.keep();
    EXPECT_EQ(bytes_of(dir / name), "text");
  }
  EXPECT_EQ(bytes_of(dir / "a.tmp"), "mine");
  EXPECT_EQ(bytes_of(dir / "target"), "mine");
}

TEST(StagedFile, OfTwoWritersTheLastToEndIsWhole) {
  const TempDir dir;
  StagedFile one(dir / "a");
  StagedFile other(dir / "a");
  one.append(std::string(100'000, '1'));
  other.append(std::string(150'000, '2'));
  one.append(std::string(100'000, '1'));
  other.keep();
  EXPECT_EQ(bytes_of(dir / "a"), std::string(150'000, '2'));
  one.keep();
  EXPECT_EQ(bytes_of(dir / "a"), std::string(200'000, '1'));
  EXPECT_EQ(files_in(dir), 1);
}

TEST(StagedFile, LinkThatLeadsNowhereIsNotReplaced) {
  const TempDir dir;
  std::filesystem::create_symlink("nowhere", dir / "a");
  EXPECT_EQ(kind_of(dir / "a"), ErrorKind::kCannotCreate);
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "a"));
}

TEST(HiddenName, TellsWhatItIsFor) {
  const std::string hidden = hidden_name("dir/a.csv");
  EXPECT_TRUE(hidden.starts_with("dir/.a.csv.")) << hidden;
  EXPECT_NE(hidden, hidden_name("dir/a.csv"));
  EXPECT_EQ(name_behind(std::filesystem::path(hidden).filename().string()), "a.csv");
  for (const char* other :
       {"", "a.csv", ".a.csv.tmp", ".a.csv.0123456789abcde.flymc", ".a.csv.0123456789abcdeg.flymc",
        "a.0123456789abcdef.flymc", "..0123456789abcdef.flymc"}) {
    EXPECT_EQ(name_behind(other), "") << other;
  }
  EXPECT_LE(std::filesystem::path(hidden_name(std::string(255, 'x'))).filename().string().size(),
            255U);
}

TEST(NewFolder, LinkThatLeadsNowhereStays) {
  const TempDir dir;
  std::filesystem::create_symlink("nowhere", dir / "link");
  for (const char* name : {"link", "link/run"}) {
    EXPECT_THROW(NewFolder(dir / name), Error) << name;
    EXPECT_TRUE(std::filesystem::is_symlink(dir / "link")) << name;
  }
}

}  // namespace
}  // namespace flymc
