// Columns in memory make the table that a file of them makes.
#include "data/format/data_frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "data/load/row_blocks.hpp"
#include "flymc/error.hpp"
#include "flymc/load.hpp"
#include "load_support.hpp"

namespace flymc {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kMissingNumber = std::numeric_limits<double>::quiet_NaN();

class DataFrames : public ::testing::Test {
 protected:
  [[nodiscard]] DataFrame frame() const {
    return {4,
            {{.name = "y", .numbers = y_.data()},
             {.name = "x", .numbers = x_.data()},
             {.name = "city", .codes = city_.data(), .labels = {"Rome", "Köln", "never"}},
             {.name = "shop", .codes = shop_.data(), .labels = {"b", "a"}}}};
  }
  [[nodiscard]] static LoadSpec spec(const std::string& formula, const DataFrame* frame) {
    LoadSpec spec;
    spec.path = "data";
    spec.frame = frame;
    spec.formula = formula;
    return spec;
  }

  std::vector<double> y_{1.0, 0.0, 3.0, 2.0};
  std::vector<double> x_{0.5, -1.0, 2.0, 0.25};
  std::vector<std::int32_t> city_{0, 1, 0, 1};
  std::vector<std::int32_t> shop_{1, 0, 0, 1};
};

TEST_F(DataFrames, AColumnWithoutValuesIsANameForMessages) {
  DataFrame columns = frame();
  columns.columns[2] = {.name = "city"};
  EXPECT_THAT(load(spec("y ~ x", &columns)).table.columns, ElementsAre("x"));
  EXPECT_THAT([&] { (void)load(spec("y ~ cty", &columns)); },
              ::testing::ThrowsMessage<Error>(HasSubstr("did you mean 'city'?")));
  EXPECT_THAT([&] { (void)load(spec("y ~ city", &columns)); },
              ::testing::ThrowsMessage<Error>(HasSubstr("column 'city' has no values")));
}

TEST_F(DataFrames, AreWhatTheirFileIs) {
  const testing::TempDir dir;
  const std::string path =
      dir.write("d.csv", "y,x,city,shop\n1,0.5,Rome,a\n0,-1,Köln,b\n3,2,Rome,b\n2,0.25,Köln,a\n");
  const DataFrame columns = frame();
  for (const char* formula : {"y ~ x + city", "y ~ x*city", "y ~ poly(x, 2) + (1 | shop)"}) {
    SCOPED_TRACE(formula);
    LoadSpec file = spec(formula, nullptr);
    file.path = path;
    file.categorical = std::string(formula).find("city") != std::string::npos
                           ? std::vector<std::string>{"city"}
                           : std::vector<std::string>{};
    const Table expected = load(file).table;
    const Loaded loaded = load(spec(formula, &columns));
    EXPECT_EQ(loaded.table.columns, expected.columns);
    EXPECT_EQ(loaded.table.x, expected.x);
    EXPECT_EQ(loaded.table.response.values, expected.response.values);
    EXPECT_EQ(loaded.table.levels, expected.levels);
    ASSERT_EQ(loaded.table.factors.size(), expected.factors.size());
    for (std::size_t i = 0; i < expected.factors.size(); ++i) {
      EXPECT_EQ(loaded.table.factors[i].labels, expected.factors[i].labels);
      EXPECT_EQ(loaded.table.factors[i].codes, expected.factors[i].codes);
    }
  }
}

TEST_F(DataFrames, HaveLevelsInTheirOwnOrder) {
  const DataFrame columns = frame();
  LoadSpec own = spec("y ~ city + (1 | shop)", &columns);
  own.level_order = {{"city", {"never", "Rome", "Köln"}}, {"shop", {"b", "a"}}};
  const Table table = load(own).table;
  EXPECT_THAT(table.columns, ElementsAre("city=Köln"));
  EXPECT_THAT(table.levels.at("city"), ElementsAre("Rome", "Köln"));
  EXPECT_THAT(table.factors.at(0).labels, ElementsAre("a", "b"));  // which only name
  own.reference = {"city=Köln"};
  EXPECT_THAT(load(own).table.columns, ElementsAre("city=Rome"));
}

TEST_F(DataFrames, KeepTheNamesOfLevelsInEveryBlock) {
  const DataFrame columns = frame();
  RowBlocks blocks(spec("y ~ x + (1 | shop)", &columns), {.rows = 3});
  const auto first = blocks.next();
  const auto second = blocks.next();
  ASSERT_TRUE(first && second);
  const auto label = [](const Table& table, std::size_t row) {
    return table.factors.at(0).labels.at(table.factors.at(0).codes.at(row));
  };
  EXPECT_EQ(label(*first, 0), "a");
  EXPECT_EQ(label(*first, 1), "b");
  EXPECT_EQ(label(*second, 0), "a");
  EXPECT_FALSE(blocks.next());
}

TEST_F(DataFrames, MissingValuesAreNamedByRowOrDropped) {
  x_[2] = kMissingNumber;
  city_[0] = -1;
  const DataFrame columns = frame();
  LoadSpec asked = spec("y ~ x + city", &columns);
  try {
    (void)load(asked);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_THAT(error.what(), HasSubstr("data: row 1"));
  }
  asked.missing = Missing::kDrop;
  const Loaded loaded = load(asked);
  EXPECT_THAT(loaded.table.response.values, ElementsAre(0.0, 2.0));
  EXPECT_EQ(loaded.counts.missing, 2U);
}

TEST_F(DataFrames, InfinityAndTextWhereNumbersAreNeededAreRefused) {
  x_[3] = std::numeric_limits<double>::infinity();
  const DataFrame columns = frame();
  EXPECT_THROW((void)load(spec("y ~ x", &columns)), Error);
  LoadSpec weighted = spec("y ~ 1", &columns);
  weighted.weights = "city";
  EXPECT_THROW((void)load(weighted), Error);
}

}  // namespace
}  // namespace flymc
