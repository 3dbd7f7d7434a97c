// A damaged .fly file is refused in one line, whatever happened to it; it never gives a wrong
// table.
#include <cstring>
#include <limits>
#include <random>
#include <utility>

#include "core/hash64.hpp"
#include "data/fly_support.hpp"

namespace flymc {
namespace {

using testing::bytes_in;
using testing::fly_options;
using testing::FlyKind;
using testing::made_table;
using testing::refusal;
using testing::TempDir;

class DamagedFly : public ::testing::Test {
 protected:
  DamagedFly() {
    const FlyKind kind{.rows = 50'000, .labels = true, .extras = true};
    (void)write_fly(made_table(kind), fly_options(kind, dir_ / "whole.fly"));
    whole_ = bytes_in(dir_ / "whole.fly");
    std::memcpy(&head_, whole_.data(), sizeof head_);
  }

  void expect_refused(const std::string& bytes, const std::string& text) const {
    const auto refused = refusal(dir_, {.path = dir_.write("t.fly", bytes), .threads = 1});
    EXPECT_EQ(refused.kind, ErrorKind::kData) << refused.message;
    EXPECT_NE(refused.message.find(text), std::string::npos) << refused.message;
    EXPECT_TRUE(refused.message.starts_with("t.fly: ")) << refused.message;
    EXPECT_EQ(refused.message.find('\n'), std::string::npos);
  }

  // A head that says something else, its own hash put right.
  template <class Change>
  std::string with_head(Change change) const {
    FlyHead head = head_;
    change(head);
    return to_bytes(head) + whole_.substr(kFlyHeadBytes);
  }

  // Other bytes in the blocks, every hash put right: a file made by somebody who means harm.
  std::string forged(std::string bytes) const {
    FlyHead head = head_;
    for (std::size_t i = 0; i < head.hashes.bytes / 8; ++i) {
      const std::size_t first = kFlyHeadBytes + i * kFlyBlockBytes;
      const std::size_t last = std::min<std::size_t>(first + kFlyBlockBytes, head.hashes.offset);
      const std::uint64_t hash = hash64(std::string_view(bytes).substr(first, last - first));
      std::memcpy(bytes.data() + head.hashes.offset + 8 * i, &hash, 8);
    }
    head.hashes_hash = hash64(std::string_view(bytes).substr(head.hashes.offset));
    return to_bytes(head) + bytes.substr(kFlyHeadBytes);
  }
  [[nodiscard]] std::string with_number(std::size_t offset, double value) const {
    std::string bytes = whole_;
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    return forged(bytes);
  }

  // Other names that take as many bytes.
  [[nodiscard]] std::string with_names(const FlyNames& names) const {
    std::string bytes = whole_;
    const std::string list = to_bytes(names);
    bytes.replace(head_.names.offset, list.size(), list);
    return forged(bytes);
  }

  TempDir dir_;
  std::string whole_;
  FlyHead head_;
};

TEST_F(DamagedFly, AnyCutIsSeenAtOnce) {
  expect_refused(whole_.substr(0, 7), "not a .fly file");
  for (const std::size_t size : {std::size_t{8}, std::size_t{100}, kFlyHeadBytes - 1}) {
    expect_refused(whole_.substr(0, size), "cut short");
  }
  for (const std::size_t size : {kFlyHeadBytes, kFlyHeadBytes + 1, whole_.size() / 2,
                                 std::size_t{head_.hashes.offset}, whole_.size() - 1}) {
    expect_refused(whole_.substr(0, size), "it is cut short or still being copied");
  }
  expect_refused(whole_ + "x", "should have");
  expect_refused("", "not a .fly file");
}

TEST_F(DamagedFly, AFlippedBitIsSeenInEverySection) {
  std::vector<std::pair<std::size_t, std::string>> places{
      {0, "not a .fly file"},
      {8, "version"},
      {offsetof(FlyHead, byte_order), "head"},
      {offsetof(FlyHead, head_hash), "head"},
      {offsetof(FlyHead, rows), "head"},
      {sizeof(FlyHead) + 5, "head"},
      {head_.names.offset + 1, "checksum is wrong"},
      {head_.names.offset + head_.names.bytes, "checksum is wrong"},  // what lies between sections
      {head_.x.offset, "checksum is wrong"},
      {head_.x.offset + head_.x.bytes / 2, "checksum is wrong"},
      {head_.x.offset + head_.x.bytes - 1, "checksum is wrong"},
      {head_.hashes.offset, "table of checksums"},
      {whole_.size() - 1, "table of checksums"}};
  for (const FlySection& part : head_.parts) {
    places.emplace_back(part.offset + part.bytes / 3, "checksum is wrong");
  }
  for (const auto& [at, text] : places) {
    std::string bytes = whole_;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    expect_refused(bytes, text);
  }
}

TEST_F(DamagedFly, NamesWhereTheDamageIs) {
  std::string bytes = whole_;
  bytes[kFlyHeadBytes + kFlyBlockBytes + 17] ^= 1;
  expect_refused(bytes, "bytes 266,241 to 528,384 are damaged");
}

TEST_F(DamagedFly, OtherVersionsAreNamed) {
  expect_refused(with_head([](FlyHead& head) { head.version = 7; }),
                 "version 7 of the format, this flymc reads version 1; convert the data again");
}

TEST_F(DamagedFly, AbsurdSizesAreRefusedBeforeTheyAreUsed) {
  constexpr std::uint64_t kHuge[] = {0, std::uint64_t{1} << 40, std::uint64_t{1} << 61,
                                     std::uint64_t{1} << 63,
                                     std::numeric_limits<std::uint64_t>::max()};
  const auto expect_head_refused = [&](auto change) {
    expect_refused(with_head(change), "the head of the file is damaged");
  };
  for (const std::uint64_t huge : kHuge) {
    expect_head_refused([&](FlyHead& head) { head.rows = huge; });
    expect_head_refused([&](FlyHead& head) { head.columns = huge; });
    expect_head_refused([&](FlyHead& head) { head.number_bytes = huge; });
    expect_head_refused([&](FlyHead& head) { head.names.bytes = huge; });
    expect_head_refused([&](FlyHead& head) { head.names.offset = huge; });
    expect_head_refused([&](FlyHead& head) { head.x.offset = huge; });
    expect_head_refused([&](FlyHead& head) { head.x.bytes = huge; });
    expect_head_refused([&](FlyHead& head) { head.hashes.offset = huge; });
    expect_head_refused([&](FlyHead& head) { head.hashes.bytes = huge; });
    expect_head_refused([&](FlyHead& head) { head.parts[kFlyWeights].offset = huge; });
    expect_refused(with_head([&](FlyHead& head) { head.file_bytes = huge; }), "should have");
    if (huge > 0) {
      expect_head_refused([&](FlyHead& head) { head.parts[kFlyOffset].bytes = huge; });
      expect_refused(with_head([&](FlyHead& head) { head.labels = huge; }), "list of names");
    }
  }
  expect_head_refused([](FlyHead& head) {  // 2^32 rows of 2^32 columns: their product is 0
    head.rows = head.columns = std::uint64_t{1} << 32;
    head.x.bytes = 0;
  });
}

TEST_F(DamagedFly, ForgedNumbersAreNotTrusted) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  expect_refused(with_number(head_.x.offset + 8 * 1234, kNan), "not finite");
  expect_refused(with_number(head_.x.offset, -kInfinity), "not finite");
  expect_refused(with_number(head_.parts[kFlyTrials].offset, kNan), "not finite");
  expect_refused(with_number(head_.parts[kFlyResponse].offset, 2.0), "labels that are not there");
  expect_refused(with_number(head_.parts[kFlyResponse].offset, 0.5), "labels that are not there");
  expect_refused(with_number(head_.parts[kFlyWeights].offset, -1.0), "the weight of row 1 is -1");
  const FlyNames names = read_fly_names(whole_, head_, "t.fly");
  FlyNames other = names;
  std::swap(other.labels[0], other.labels[1]);
  expect_refused(with_names(other), "the list of names is not one that flymc convert writes");
  other = names;
  std::swap(other.parts[kFlyResponse], other.columns[0]);
  other.columns[0] += std::exchange(other.parts[kFlyResponse], "");  // as long as before
  expect_refused(with_names(other), "the list of names is not one that flymc convert writes");
  std::string bytes = whole_;
  bytes[head_.names.offset + 3] = '\x7F';  // a name of two thousand million bytes
  expect_refused(forged(bytes), "list of names");
}

TEST_F(DamagedFly, RandomDamageNeverLoads) {
  std::mt19937_64 rng(20240611);
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole_;
    const std::size_t at = i % 3 == 0 ? rng() % sizeof(FlyHead) : rng() % bytes.size();
    bytes[at] = static_cast<char>(bytes[at] + 1 + static_cast<int>(rng() % 255));
    const auto refused = refusal(dir_, {.path = dir_.write("t.fly", bytes), .threads = 1});
    ASSERT_EQ(refused.kind, ErrorKind::kData) << at << " " << refused.message;
  }
}

}  // namespace
}  // namespace flymc
