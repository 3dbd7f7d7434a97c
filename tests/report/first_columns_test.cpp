// Rows are called by what the data call them, used by the model or not.
#include "report/first_columns.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "data/load_support.hpp"

namespace flymc {
namespace {

using FirstJson = nlohmann::ordered_json;

TEST(FirstColumns, AreAsTheFileHasThem) {
  const testing::TempDir folder;
  std::string text = "id,y,name,age,more\n";
  for (int n = 1; n <= 5; ++n) {
    text += fmt::format("A{:03},1,{},{}.50,7\n", n, n == 2 ? "" : "\"B, C\"", n);
  }
  LoadSpec data;
  data.path = folder.write("d.csv", text);
  data.response = "y";
  data.features = {"more"};
  EXPECT_EQ(first_columns(data, {5, 2}),
            FirstJson({"id A005, name B, C, age 5.50", "id A002, name missing, age 2.50"}));
  EXPECT_EQ(first_columns(data, {}), nullptr);
}

TEST(FirstColumns, AreThoseOfAFrameToo) {
  const std::vector<double> number{1.5, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<std::int32_t> codes{0, 1};
  DataFrame frame;
  frame.rows = 2;
  frame.columns = {{.name = "y", .numbers = number.data()},
                   {.name = "x", .numbers = number.data()},
                   {.name = "city", .codes = codes.data(), .labels = {"Oslo", "Rome"}}};
  EXPECT_EQ(first_columns(frame, "y", {1, 2}),
            FirstJson({"x 1.5, city Oslo", "x missing, city Rome"}));
  EXPECT_EQ(first_columns(frame, "y", {1, 3}), nullptr);  // of other data
}

}  // namespace
}  // namespace flymc
