// npy pairs and npz archives through load(), and write_npy().
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "data/fly_support.hpp"
#include "data/format/npy.hpp"
#include "data/input/content.hpp"
#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::bytes_of;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::npy;
using testing::npy_f8;
using testing::npz;
using testing::TempDir;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class LoadNpy : public ::testing::Test {
 protected:
  LoadSpec pair(const std::string& x, const std::string& y) const {
    return {.path = dir_.write("X.npy", x), .response = dir_.write("y.npy", y), .threads = 2};
  }
  LoadSpec archive(const std::string& bytes) const {
    return {.path = dir_.write("data.npz", bytes), .threads = 2};
  }
  void expect_error(const LoadSpec& spec, const std::string& message) const {
    const auto refused = testing::refusal(dir_, spec);
    EXPECT_EQ(refused.kind, ErrorKind::kData);
    EXPECT_EQ(refused.message, message);
  }
  TempDir dir_;
  std::string x_ = npy_f8("(2, 3)", {1, 2, 3, 4, 5, 6});
  std::string y_ = npy_f8("(2,)", {0, 1});
};

TEST_F(LoadNpy, ReadsAPairOfFiles) {
  const Loaded loaded = load(pair(x_, y_));
  EXPECT_EQ(loaded.table.rows, 2U);
  EXPECT_THAT(loaded.table.columns, ElementsAre("x1", "x2", "x3"));
  EXPECT_THAT(loaded.table.x, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(loaded.table.response.name, "y");
  EXPECT_THAT(loaded.table.response.values, ElementsAre(0, 1));
  EXPECT_THAT(loaded.note, EndsWith("X.npy: npy, 2 rows x 3 features, response 'y'"));
}

template <class T>
std::vector<double> round_trip(const TempDir& dir, const std::string& descr,
                               std::vector<T> values) {
  const std::string path = dir.write("t.npy", npy(descr, "(3,)", bytes_of(values)));
  return testing::features_of(load({.path = path}).table);
}

TEST_F(LoadNpy, ReadsEveryType) {
  EXPECT_THAT(round_trip<float>(dir_, "<f4", {0.5F, -1.25F, 3e38F}),
              ElementsAre(0.5, -1.25, 3e38F));
  EXPECT_THAT(round_trip<double>(dir_, "<f8", {0.1, -2, 1e300}), ElementsAre(0.1, -2, 1e300));
  EXPECT_THAT(round_trip<std::int8_t>(dir_, "|i1", {-128, 0, 127}), ElementsAre(-128, 0, 127));
  EXPECT_THAT(round_trip<std::uint8_t>(dir_, "|u1", {0, 1, 255}), ElementsAre(0, 1, 255));
  EXPECT_THAT(round_trip<std::int16_t>(dir_, "<i2", {-300, 0, 300}), ElementsAre(-300, 0, 300));
  EXPECT_THAT(round_trip<std::uint16_t>(dir_, "<u2", {0, 1, 65535}), ElementsAre(0, 1, 65535));
  EXPECT_THAT(round_trip<std::int32_t>(dir_, "<i4", {-70000, 0, 7}), ElementsAre(-70000, 0, 7));
  EXPECT_THAT(round_trip<std::uint32_t>(dir_, "<u4", {0, 1, 4294967295U}),
              ElementsAre(0, 1, 4294967295.0));
  EXPECT_THAT(round_trip<std::int64_t>(dir_, "<i8", {-(1LL << 40), 0, 7}),
              ElementsAre(-std::ldexp(1.0, 40), 0, 7));
  EXPECT_THAT(round_trip<std::uint64_t>(dir_, "<u8", {0, 1, 1ULL << 63U}),
              ElementsAre(0, 1, std::ldexp(1.0, 63)));
  EXPECT_THAT(round_trip<std::uint8_t>(dir_, "|b1", {0, 1, 1}), ElementsAre(0, 1, 1));
}

TEST_F(LoadNpy, ReadsFortranOrderAndAllVersions) {
  for (const char version : {'\x01', '\x02', '\x03'}) {
    const std::string data = bytes_of<double>({1, 4, 2, 5, 3, 6});
    const std::string columns_first = npy("<f8", "(2, 3)", data, true, version);
    EXPECT_THAT(load(pair(columns_first, y_)).table.x, ElementsAre(1, 2, 3, 4, 5, 6));
  }
}

TEST_F(LoadNpy, ReadsOneDimensionAsOneColumnAndOneColumnAsOneDimension) {
  const Loaded loaded = load(pair(npy_f8("(2,)", {7, 8}), npy_f8("(2, 1)", {0, 1})));
  EXPECT_THAT(loaded.table.columns, ElementsAre("x1"));
  EXPECT_THAT(loaded.table.response.values, ElementsAre(0, 1));
}

TEST_F(LoadNpy, SelectsColumnsAndKnowsTheFormatByContent) {
  auto spec = pair(x_, y_);
  spec.path = dir_.write("matrix", x_);
  spec.features = {"x3", "x1"};
  EXPECT_THAT(load(spec).table.x, ElementsAre(3, 1, 6, 4));
  spec.features = {};
  spec.drop = {"x1"};
  EXPECT_THAT(load(spec).table.columns, ElementsAre("x2", "x3"));
  spec.drop = {"x4"};
  expect_error(spec, "no column 'x4'; columns are x1, x2, x3; did you mean 'x1'?");
  spec.drop = {};
  spec.categorical = {"x1"};
  EXPECT_EQ(testing::refusal(dir_, spec).kind, ErrorKind::kUsage);
}

TEST_F(LoadNpy, SaysWhatIsWrongWithTheFile) {
  expect_error(pair("NUMPY?", y_),
               "X.npy: not a NumPy array file (it must start with \\x93NUMPY).");
  expect_error(pair(x_.substr(0, 40), y_), "X.npy: the array file is cut short in its header.");
  expect_error(pair(x_.substr(0, x_.size() - 1), y_),
               "X.npy: the array file is cut short: shape (2, 3) of 8 bytes an item, 47 bytes of "
               "data.");
  expect_error(pair(npy("<f8", "(2, 3)", std::string(48, '\0'), false, 9), y_),
               "X.npy: NumPy format version 9; expected 1, 2 or 3.");
  expect_error(pair(npy("|O", "(2, 3)", std::string(48, '\0')), y_),
               "X.npy: dtype '|O'; expected one of f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, b1.");
  expect_error(pair(npy(">f8", "(2, 3)", std::string(48, '\0')), y_),
               "X.npy: dtype '>f8' is big-endian; save it as '<f8'.");
  expect_error(pair(npy_f8("(1, 2, 3)", {1, 2, 3, 4, 5, 6}), y_),
               "X.npy: shape (1, 2, 3); expected one or two dimensions.");
  expect_error(pair(npy_f8("(0, 3)", {}), y_), "X.npy: shape (0, 3): there are no rows.");
  expect_error(pair(npy_f8("(1000000000000, 0)", {}), y_),
               "X.npy: shape (1000000000000, 0): there are no columns.");
  expect_error(pair(npy_f8("(4611686018427387904, 8)", {1}), y_),
               "X.npy: the array file is cut short: shape (4611686018427387904, 8) of 8 bytes an "
               "item, 8 bytes of data.");
}

TEST_F(LoadNpy, SaysWhatIsWrongWithTheResponse) {
  expect_error(pair(x_, npy_f8("(3,)", {0, 1, 0})), "y.npy: 3 rows, but X.npy has 2.");
  expect_error(pair(x_, npy_f8("(2, 2)", {0, 1, 0, 1})),
               "y.npy: 2 columns; expected one dimension.");
  auto spec = pair(x_, y_);
  spec.response = dir_ / "other.npy";
  EXPECT_EQ(testing::refusal(dir_, spec).message, "other.npy: no such file.");
}

TEST_F(LoadNpy, NamesRowAndColumnOfTheFirstNumberThatIsNone) {
  const std::string advice = " Use missing = drop or fill them first.";
  expect_error(pair(npy_f8("(2, 3)", {1, 2, 3, 4, 5, kNan}), y_),
               "X.npy: row 2, column 'x3' is nan. 1 row has missing values (50.0 %)." + advice);
  expect_error(pair(x_, npy_f8("(2,)", {kNan, kNan})),
               "y.npy: row 1 is nan. 2 rows have missing values (100.0 %)." + advice);
  expect_error(pair(npy_f8("(2, 3)", {1, -kInf, 3, kNan, 5, 6}), y_),
               "X.npy: row 1, column 'x2' is -inf.");
}

TEST_F(LoadNpy, DropsRowsWithNanWhenAsked) {
  auto spec = pair(npy_f8("(3, 2)", {1, kNan, 3, 4, 5, 6}), npy_f8("(3,)", {1, 0, kNan}));
  spec.missing = Missing::kDrop;
  const Loaded loaded = load(spec);
  EXPECT_THAT(loaded.table.x, ElementsAre(3, 4));
  EXPECT_THAT(loaded.table.response.values, ElementsAre(0));
  EXPECT_THAT(loaded.note, EndsWith("; dropped 2 rows with missing values"));
  EXPECT_EQ(loaded.table.gaps.number_of(0), 1U);
}

TEST_F(LoadNpy, ReadsWeightsAndOffsetFiles) {
  auto spec = pair(x_, y_);
  spec.weights = dir_.write("w.npy", npy_f8("(2,)", {0, 2}));
  spec.offset = dir_.write("o.npy", npy_f8("(2,)", {0.5, -0.5}));
  const Loaded loaded = load(spec);
  EXPECT_THAT(loaded.table.x, ElementsAre(4, 5, 6));
  EXPECT_THAT(loaded.table.weights, ElementsAre(2));
  EXPECT_THAT(loaded.table.offset, ElementsAre(-0.5));
  spec.weights = dir_.write("w.npy", npy_f8("(2,)", {1, -2}));
  expect_error(spec, "w.npy: row 2 is -2; weights must be >= 0.");
}

TEST_F(LoadNpy, ReadsArchivesStoredDeflatedAndZip64) {
  for (const bool compress : {false, true}) {
    for (const bool zip64 : {false, true}) {
      auto spec =
          archive(npz({{"X", x_}, {"y", y_}, {"w", npy_f8("(2,)", {1, 3})}}, compress, zip64));
      spec.weights = "w";
      const Loaded loaded = load(spec);
      EXPECT_THAT(loaded.table.x, ElementsAre(1, 2, 3, 4, 5, 6));
      EXPECT_THAT(loaded.table.response.values, ElementsAre(0, 1));
      EXPECT_THAT(loaded.table.weights, ElementsAre(1, 3));
      EXPECT_THAT(loaded.note, HasSubstr("data.npz: npz, 2 rows x 3 features, response 'y'"));
    }
  }
}

TEST_F(LoadNpy, ReadsAnArchiveWithoutAResponseOrWithOneOfAnotherName) {
  EXPECT_THAT(load(archive(npz({{"X", x_}}, true))).table.response.values, IsEmpty());
  auto spec = archive(npz({{"X", x_}, {"t", y_}}, true));
  spec.response = "t";
  EXPECT_EQ(load(spec).table.response.name, "t");
  spec.response = "y";
  expect_error(spec, "data.npz: no array 'y'; it needs X and y.");
}

TEST_F(LoadNpy, SaysWhatIsWrongWithAnArchive) {
  const std::string good = npz({{"X", x_}, {"y", y_}}, false);
  expect_error(archive("PK"), "data.npz: not a readable zip archive (npz): it has no directory.");
  std::string bad = good;
  bad[bad.find("NUMPY") + 100] ^= 1;
  expect_error(archive(bad),
               "data.npz: not a readable zip archive (npz): the checksum of 'X.npy' is wrong.");
  expect_error(archive(npz({{"X", npy_f8("(1, 1)", {kInf})}, {"y", npy_f8("(1,)", {1})}}, true)),
               "data.npz:X: row 1, column 'x1' is inf.");
}

TEST_F(LoadNpy, WritesWhatItReads) {
  const std::vector<double> values = {1, 2.5, -3, 4, 5e-324, 6};
  write_npy(dir_ / "X.npy", values, {3, 2});
  write_npy(dir_ / "y.npy", std::vector<double>{1, 0, 1}, {3});
  const Loaded loaded = load({.path = dir_ / "X.npy", .response = dir_ / "y.npy"});
  EXPECT_THAT(testing::features_of(loaded.table), ::testing::ElementsAreArray(values));
  EXPECT_THAT(loaded.table.response.values, ElementsAre(1, 0, 1));
  const FileMap file(dir_ / "y.npy");
  EXPECT_EQ((file.bytes().size() - 3 * sizeof(double)) % 64, 0U);  // NumPy maps aligned data
}

TEST_F(LoadNpy, SaysThatItCannotWrite) {
  const auto kind_of = [](const std::string& path) {
    try {
      write_npy(path, std::vector<double>(100'000), {100'000});
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::kInternal;
  };
  EXPECT_EQ(kind_of(dir_ / "none/X.npy"), ErrorKind::kCannotCreate);
  EXPECT_EQ(kind_of("/dev/full"), ErrorKind::kIo);
}

TEST(LoadArrays, RowsOfAlignedFloatsStayInTheirFile) {
  const TempDir dir;
  // A header of 128 bytes in all, as NumPy writes it: the data are aligned.
  const auto padded = [](const std::string& bytes, std::size_t data_bytes) {
    const std::string header = bytes.substr(10, bytes.size() - 10 - data_bytes);
    return bytes.substr(0, 8) + testing::little(118, 2) + header.substr(0, header.size() - 1) +
           std::string(118 - header.size(), ' ') + "\n" + bytes.substr(bytes.size() - data_bytes);
  };
  const std::vector<double> numbers{1, 2, 3, 4, kNan, 6, 7, 8};
  const std::vector<float> floats(numbers.begin(), numbers.end());
  const std::string f8 = npy_f8("(4, 2)", numbers);
  const std::string f8_fortran = testing::npy("<f8", "(4, 2)", testing::bytes_of(numbers), true);
  const std::string f4 = testing::npy("<f4", "(4, 2)", testing::bytes_of(floats));
  for (const auto& [bytes, data_bytes] : {std::pair(f8, 64), {f8_fortran, 64}, {f4, 32}}) {
    LoadSpec spec{.missing = Missing::kDrop};
    for (const auto& drop : {std::vector<std::string>{}, std::vector<std::string>{"x2"}}) {
      spec.drop = drop;
      spec.path = dir.write("unaligned.npy", bytes);
      const Table copied = load(spec).table;
      spec.path = dir.write("X.npy", padded(bytes, static_cast<std::size_t>(data_bytes)));
      const Table in_place = load(spec).table;
      EXPECT_FALSE(copied.x.empty());
      EXPECT_TRUE(in_place.x.empty());
      EXPECT_EQ(in_place.rows, copied.rows);
      EXPECT_TRUE(std::ranges::equal(testing::features_of(in_place), copied.x));
    }
  }
}

}  // namespace
}  // namespace flymc
