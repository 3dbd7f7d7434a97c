// Files that cannot be opened or are damaged, and their checksums.
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <string_view>

#include "core/hash64.hpp"
#include "data/input/content.hpp"
#include "data/load/checksum.hpp"
#include "data/load/file_stamps.hpp"
#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::refusal;
using testing::TempDir;

TEST(LoadFile, AbsentFileIsNoInput) {
  const TempDir dir;
  const auto refused = refusal(dir, {.path = dir / "none.csv", .response = "y"});
  EXPECT_EQ(refused.kind, ErrorKind::kNoInput);
  EXPECT_EQ(refused.message, "none.csv: no such file.");
}

TEST(LoadFile, EmptyDirectoryIsNoInput) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "folder");
  const auto refused = refusal(dir, {.path = dir / "folder", .response = "y"});
  EXPECT_EQ(refused.kind, ErrorKind::kNoInput);
  EXPECT_EQ(
      refused.message,
      "folder: the directory holds no part files (names that start with . or _ do not count).");
}

TEST(LoadFile, SpecialFileIsNoInput) {
  const TempDir dir;
  EXPECT_EQ(refusal(dir, {.path = "/dev/null", .response = "y"}).message,
            "/dev/null is not a regular file; save the data first.");
}

TEST(LoadFile, UnreadableFileIsAPermissionError) {
  const TempDir dir;
  const std::string path = dir.write("secret.csv", "a,y\n1,2\n");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const uid_t user = ::geteuid();
  if (user == 0) {
    ASSERT_EQ(::seteuid(65534), 0);  // root may read everything
  }
  const auto refused = refusal(dir, {.path = path, .response = "y"});
  ASSERT_EQ(::seteuid(user), 0);
  EXPECT_EQ(refused.kind, ErrorKind::kPermission);
  EXPECT_EQ(refused.message, "secret.csv: permission denied.");
}

TEST(LoadFile, DamagedGzipIsADataError) {
  const TempDir dir;
  const std::string bytes = testing::gzip("a,y\n1,2\n3,4\n");
  const std::string cut = bytes.substr(0, bytes.size() - 12);
  const auto refused = refusal(dir, {.path = dir.write("t.csv.gz", cut), .response = "y"});
  EXPECT_EQ(refused.kind, ErrorKind::kData);
  EXPECT_EQ(refused.message, "t.csv.gz: the compressed data are damaged or cut short.");
}

// A small file may hold more than any memory.
TEST(LoadFile, WhatUnpacksToTooMuchEndsAtALimitThatIsSaid) {
  const TempDir dir;
  const std::string text(100'000, '0');
  for (const std::string& path :
       {dir.write("t.csv.gz", testing::gzip(text)), dir.write("t.csv.zst", testing::zstd(text))}) {
    EXPECT_EQ(Content(path, {}, text.size() + 1).bytes(), text);
    try {
      (void)Content(path, {}, text.size() - 1);
      FAIL() << "it was unpacked";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kMemory);
      EXPECT_NE(std::string(error.what())
                    .find("unpacks to more than 0.0001 GB, half of this "
                          "machine's memory"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Checksum, IsAHashOverTheHashesOfTheChunks) {
  const TempDir dir;
  std::string bytes((std::size_t{9} << 20) + 5, 'x');
  for (std::size_t i = 0; i < bytes.size(); i += 977) {
    bytes[i] = static_cast<char>(i % 251);
  }
  std::string hashes;
  constexpr std::size_t kChunk = std::size_t{1} << 22;
  for (std::size_t first = 0; first < bytes.size(); first += kChunk) {
    const std::uint64_t hash = hash64(std::string_view(bytes).substr(first, kChunk));
    hashes.append(reinterpret_cast<const char*>(&hash), sizeof hash);
  }
  const std::string expected = fmt::format("xxh64:{:016x}", hash64(hashes));
  EXPECT_EQ(fingerprint_of_file(dir.write("a", bytes)), expected);
  for (const unsigned threads : {1U, 2U, 5U}) {
    EXPECT_EQ(fingerprint_of({bytes}, threads), expected);
  }
  for (const std::size_t place : {std::size_t{0}, kChunk, bytes.size() - 1}) {
    std::string other = bytes;
    other[place] = static_cast<char>(other[place] ^ 1);
    EXPECT_NE(fingerprint_of({other}), expected);
  }
  EXPECT_EQ(fingerprint_of_file(dir.write("b", "")), fingerprint_of({""}));
  EXPECT_THROW((void)fingerprint_of_file(dir / "none"), Error);
}

TEST(Checksum, OfATableIsOfEveryFileThatWasRead) {
  const TempDir dir;
  const std::string x = dir.write("X.npy", testing::npy_f8("(2, 1)", {1.0, 2.0}));
  const std::string y = dir.write("y.npy", testing::npy_f8("(2,)", {0.0, 1.0}));
  const std::string w = dir.write("w.npy", testing::npy_f8("(2,)", {1.0, 3.0}));
  const Loaded loaded = load({.path = x, .response = y, .weights = w, .checksums = true});
  EXPECT_EQ(loaded.checksums, (std::vector<FileChecksum>{{x, fingerprint_of_file(x)},
                                                         {y, fingerprint_of_file(y)},
                                                         {w, fingerprint_of_file(w)}}));
}

TEST(FileStamps, FileThatChangesWhileItIsReadIsNoticed) {
  const TempDir dir;
  const std::string x = dir.write("X.npy", "1");
  const std::string y = dir.write("y.npy", "1");
  const FileStamps stamps({.path = x, .response = y});
  stamps.require_unchanged();
  { std::ofstream(y, std::ios::app) << "2"; }  // in place
  EXPECT_THROW(stamps.require_unchanged(), Error);
  const FileStamps again({.path = x, .response = y});
  dir.write("new", "2");
  std::filesystem::rename(dir / "new", y);  // by another of the same size
  EXPECT_THROW(again.require_unchanged(), Error);
}

}  // namespace
}  // namespace flymc
