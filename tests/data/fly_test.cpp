// What goes into a .fly file comes out of it, to the bit, without a copy.
#include "data/format/fly.hpp"

#include <gmock/gmock.h>

#include <atomic>

#include "data/fly_support.hpp"
#include "data/load/checksum.hpp"
#include "data/table/table_rows.hpp"

namespace flymc {
namespace {

using testing::bytes_in;
using ::testing::ElementsAre;
using testing::features_of;
using testing::fly_options;
using testing::FlyKind;
using ::testing::HasSubstr;
using testing::made_table;
using testing::refusal;
using testing::TempDir;

class Fly : public ::testing::Test {
 protected:
  std::string write(const FlyKind& kind) const {
    EXPECT_TRUE(write_fly(made_table(kind), fly_options(kind, dir_ / "t.fly")).complete);
    return dir_ / "t.fly";
  }
  TempDir dir_;
};

TEST_F(Fly, GivesBackEveryKindOfTable) {
  for (const FlyKind& kind :
       {FlyKind{}, FlyKind{.labels = true}, FlyKind{.response = false}, FlyKind{.features = false},
        FlyKind{.labels = true, .extras = true}, FlyKind{.rows = 1},
        FlyKind{.rows = 100'000, .labels = true, .extras = true}}) {
    const Table before = made_table(kind);
    const Loaded loaded = load({.path = write(kind), .trials = kind.extras ? "m" : ""});
    const Table& after = loaded.table;
    EXPECT_EQ(loaded.format, Format::kFly);
    EXPECT_EQ(after.rows, before.rows);
    EXPECT_EQ(after.columns, before.columns);
    EXPECT_TRUE(after.x.empty());
    EXPECT_TRUE(after.source.in_place());
    EXPECT_TRUE(std::ranges::equal(features_of(after), before.x));
    EXPECT_EQ(after.response.name, before.response.name);
    EXPECT_EQ(after.response.values, before.response.values);
    EXPECT_EQ(after.response.labels, before.response.labels);
    EXPECT_EQ(after.weights, before.weights);
    EXPECT_EQ(after.offset, before.offset);
    EXPECT_EQ(after.trials, before.trials);
    EXPECT_EQ(after.left_out, before.left_out);
  }
}

TEST_F(Fly, RoundsToFloat32AndCountsIt) {
  const FlyKind kind{.rows = 1000, .float32 = true};
  const Table before = made_table(kind);
  const FlyWritten written = write_fly(before, fly_options(kind, dir_ / "t.fly"));
  const Loaded loaded = load({.path = dir_ / "t.fly"});
  EXPECT_THAT(loaded.note, HasSubstr("fly, float32, 1,000 rows x 3 features, response 'y'"));
  const std::vector<double> after = features_of(loaded.table);
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    ASSERT_EQ(after[i], static_cast<double>(static_cast<float>(before.x[i])));
    changed += after[i] == before.x[i] ? 0 : 1;
  }
  EXPECT_GT(changed, 1500U);
  EXPECT_EQ(written.rounded, changed);
  EXPECT_EQ(write_fly(before, {.path = dir_ / "d.fly"}).rounded, 0U);
}

TEST_F(Fly, RefusesWhatFloat32CannotHold) {
  Table table = made_table({});
  table.x[4] = 1e300;
  try {
    (void)write_fly(table, {.path = dir_ / "t.fly", .float32 = true});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_THAT(error.what(), HasSubstr("column 'b\\n\"' holds 1e+300, too large for float32"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir_ / ""));
}

TEST_F(Fly, IsToldByItsNameOrItsContent) {
  const std::string bytes = bytes_in(write({}));
  EXPECT_EQ(load({.path = dir_.write("table", bytes)}).format, Format::kFly);
  EXPECT_EQ(load({.path = dir_.write("t.csv", bytes), .format = Format::kFly}).format,
            Format::kFly);
  EXPECT_THAT(refusal(dir_, {.path = dir_.write("u.fly", "a,b\n1,2\n")}).message,
              HasSubstr("u.fly: not a .fly file"));
  EXPECT_THAT(refusal(dir_, {.path = dir_.write("u.fly.gz", testing::gzip(bytes))}).message,
              HasSubstr("cannot be compressed or piped; unpack or save it first"));
}

TEST_F(Fly, ChoosesFeaturesWithoutACopy) {
  const std::string path = write({});
  const Table before = made_table({});
  const Loaded dropped = load({.path = path, .drop = {"a"}});
  EXPECT_THAT(dropped.table.columns, ElementsAre("b\n\"", "c"));
  EXPECT_TRUE(dropped.table.x.empty());
  EXPECT_EQ(features_of(dropped.table)[2], before.x[4]);
  const Loaded chosen = load({.path = path, .features = {"c", "a"}});
  EXPECT_THAT(chosen.table.columns, ElementsAre("c", "a"));
  EXPECT_EQ(features_of(chosen.table)[2], before.x[5]);
  EXPECT_EQ(features_of(chosen.table)[3], before.x[3]);
  EXPECT_THAT(refusal(dir_, {.path = path, .drop = {"d"}}).message, HasSubstr("no column 'd'"));
}

TEST_F(Fly, TakesAFeatureForAnotherPart) {
  const std::string path = write({.labels = true});
  const Loaded loaded = load({.path = path, .response = "c", .drop = {"y"}, .offset = "a"});
  const Table before = made_table({});
  EXPECT_THAT(loaded.table.columns, ElementsAre("b\n\""));
  EXPECT_EQ(loaded.table.response.name, "c");
  EXPECT_TRUE(loaded.table.response.labels.empty());
  EXPECT_EQ(loaded.table.response.values[3], before.x[11]);
  EXPECT_EQ(loaded.table.offset[3], before.x[9]);
  const auto refused = refusal(dir_, {.path = path, .weights = "a"});
  EXPECT_EQ(refused.kind, ErrorKind::kData);
  EXPECT_THAT(refused.message, HasSubstr("the weight of row 1 is 0; convert the data again"));
}

TEST_F(Fly, NamesOfStoredPartsMayBeGivenAgain) {
  const std::string path = write({.extras = true});
  const Loaded loaded = load({.path = path, .response = "y", .weights = "w", .offset = "o"});
  EXPECT_EQ(loaded.table.columns.size(), 3U);
  EXPECT_EQ(loaded.table.weights.size(), 5U);
  EXPECT_TRUE(loaded.table.trials.empty());  // only one model takes them: it names them
  EXPECT_THAT(loaded.note, HasSubstr("weights 'w', offset 'o'"));
  EXPECT_THAT(refusal(dir_, {.path = path, .weights = "v"}).message, HasSubstr("no column 'v'"));
}

TEST_F(Fly, LeavesEncodingToConvert) {
  const auto refused = refusal(dir_, {.path = write({}), .categorical = {"a"}});
  EXPECT_EQ(refused.kind, ErrorKind::kUsage);
  EXPECT_THAT(refused.message, HasSubstr("flymc convert encodes"));
}

TEST_F(Fly, TheSameTableIsTheSameBytes) {
  const std::string first = bytes_in(write({.rows = 70'000, .extras = true}));
  const Loaded loaded = load({.path = dir_ / "t.fly", .trials = "m"});
  const FlyOptions again{.path = dir_ / "again.fly", .weights = "w", .offset = "o", .trials = "m"};
  EXPECT_TRUE(write_fly(loaded.table, again).complete);
  EXPECT_TRUE(bytes_in(dir_ / "again.fly") == first);
  EXPECT_EQ(fingerprint_of_file(dir_ / "again.fly"), fingerprint_of_file(dir_ / "t.fly"));
}

TEST_F(Fly, RowsInBlocksAreTheSameBytes) {
  const FlyKind kind{.rows = 20'000, .labels = true, .extras = true, .float32 = true};
  const Table table = made_table(kind);
  const std::string whole = bytes_in(write(kind));
  FlyShape shape{table.rows, table.columns, "y", table.response.labels, table.left_out};
  shape.has = {true, true, true, true};
  FlyWriter writer(shape, fly_options(kind, dir_ / "blocks.fly"));
  const std::vector<double>* const parts[] = {&table.response.values, &table.weights, &table.offset,
                                              &table.trials};
  for (std::size_t part = 0; part < kFlyParts; ++part) {
    const std::span values(*parts[part]);
    writer.write(static_cast<FlyPart>(part), values.first(7));
    writer.write(static_cast<FlyPart>(part), values.subspan(7));
  }
  EXPECT_TRUE(writer.write_rows(rows_of(table, {0, 1})));
  EXPECT_TRUE(writer.write_rows(rows_of(table, {1, 20'000})));
  EXPECT_FALSE(std::filesystem::exists(dir_ / "blocks.fly"));
  EXPECT_TRUE(writer.finish().complete);
  EXPECT_TRUE(bytes_in(dir_ / "blocks.fly") == whole);
}

TEST_F(Fly, ItsFingerprintKnowsEveryNumber) {
  Table table = made_table({.rows = 1000});
  (void)write_fly(table, {.path = dir_ / "a.fly"});
  table.x[2999] += 1e-9;
  (void)write_fly(table, {.path = dir_ / "b.fly"});
  const std::string a = fingerprint_of_file(dir_ / "a.fly");
  EXPECT_TRUE(a.starts_with("xxh64:"));
  EXPECT_NE(a, fingerprint_of_file(dir_ / "b.fly"));
}

TEST_F(Fly, AStoppedWriterLeavesNothing) {
  const std::atomic<bool> stop{true};
  EXPECT_FALSE(write_fly(made_table({}), {.path = dir_ / "t.fly", .stop = &stop}).complete);
  EXPECT_TRUE(std::filesystem::is_empty(dir_ / ""));
}

}  // namespace
}  // namespace flymc
