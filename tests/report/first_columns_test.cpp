// Rows are called by what the data call them, used by the model or not.
#include "report/first_columns.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "data/load/convert.hpp"
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

TEST(FirstColumns, AreNumbersOfAnArray) {
  const testing::TempDir folder;
  LoadSpec data;
  data.path = folder.write(
      "X.npy", testing::npy_f8("(2, 4)", {1.0, std::numeric_limits<double>::quiet_NaN(), 3.5, 4.0,
                                          5.0, 6.0, 7.0, 8.0}));
  EXPECT_EQ(first_columns(data, {2, 1}),
            FirstJson({"x1 5, x2 6, x3 7", "x1 1, x2 missing, x3 3.5"}));
  EXPECT_EQ(first_columns(data, {3}), nullptr);
}

TEST(FirstColumns, AreNumbersOfAnArchive) {
  const testing::TempDir folder;
  LoadSpec data;
  const double none = std::numeric_limits<double>::quiet_NaN();
  data.path = folder.write(
      "d.npz", testing::npz({{"X", testing::npy_f8("(3, 2)", {1.0, 2.0, 3.5, none, 5.0, 6.0})},
                             {"y", testing::npy_f8("(3,)", {0.0, none, 1.0})}},
                            false));
  // A row without a response is none of the fit, and counts in the numbers of those after it.
  EXPECT_EQ(first_columns(data, {3, 1}), FirstJson({"x1 5, x2 6", "x1 1, x2 2"}));
  EXPECT_EQ(first_columns(data, {2}), nullptr);
  EXPECT_EQ(first_columns(data, {4}), nullptr);
}

TEST(FirstColumns, AreThoseThatARowOfLibsvmHas) {
  const testing::TempDir folder;
  LoadSpec data;
  data.path = folder.write("d.svm", "1 2:0.5 7:3 8:-1 9:4\n-1 1:2\n1\n");
  EXPECT_EQ(first_columns(data, {1, 2, 3}), FirstJson({"x2 0.5, x7 3, x8 -1", "x1 2", ""}));
}

TEST(FirstColumns, AreThoseOfAFlyThatTheModelDoesNotUseToo) {
  const testing::TempDir folder;
  LoadSpec text;
  text.path = folder.write("d.csv", "id,y,a,b\n17,0,1,2\n18,1,3,4\n");
  text.response = "y";
  LoadSpec data;
  data.path = folder / "d.fly";
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(convert({.data = text, .out = data.path}, [](const Message&) {}), 0);
  (void)::testing::internal::GetCapturedStdout();
  data.drop = {"id"};
  EXPECT_EQ(first_columns(data, {2}), FirstJson({"id 18, a 3, b 4"}));
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
