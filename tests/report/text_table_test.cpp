#include "report/text_table.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "report/cell_width.hpp"

namespace flymc {
namespace {

TEST(TextTable, AlignsTextNumbersAndPoints) {
  const std::vector<TextColumn> columns = {
      {.title = "name", .align = Align::kLeft, .cells = {"a", "températures", "c", "d"}},
      {.title = "mean", .align = Align::kPoint, .cells = {"-1.25", "10", "-", "3.1e-09"}},
      {.title = "ess", .align = Align::kRight, .cells = {"1,000", "7", "", ""}}};
  EXPECT_EQ(render(columns),
            "name             mean    ess\n"
            "a               -1.25  1,000\n"
            "températures    10         7\n"
            "c                -\n"
            "d             3.1e-09\n");
  EXPECT_EQ(table_width(columns), 28U);
}

TEST(TextTable, CountsCellsOfATerminal) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("été"), 3U);
  EXPECT_EQ(display_width("e\u0301te\u0301"), 3U);  // accents as marks of their own
  EXPECT_EQ(display_width("数据"), 4U);
  EXPECT_EQ(display_width("データ"), 6U);
  EXPECT_EQ(display_width("서울 1"), 6U);
  EXPECT_EQ(display_width("العمر"), 5U);
  EXPECT_EQ(display_width("Ωβ−×"), 4U);
  EXPECT_EQ(display_width("🙂"), 2U);
}

TEST(TextTable, ShortensInTheMiddleBetweenCharacters) {
  EXPECT_EQ(cut_to_width("été", 3), "été");
  EXPECT_EQ(cut_to_width("étés", 3), "é…s");
  EXPECT_EQ(cut_to_width("abcdef", 4), "ab…f");
  EXPECT_EQ(cut_to_width("abcdef", 1), "…");
  EXPECT_EQ(cut_to_width("数据库表", 7), "数…表");
  EXPECT_EQ(cut_to_width("数据库表", 2), "…");
  EXPECT_EQ(cut_to_width("feature_with_a_long_name_17", 9), "feat…e_17");
}

TEST(TextTable, AlignsWideCharacters) {
  EXPECT_EQ(render(std::vector<TextColumn>{{"name", Align::kLeft, {"年龄", "age"}},
                                           {"mean", Align::kRight, {"1.5", "2"}}}),
            "name  mean\n"
            "年龄   1.5\n"
            "age      2\n");
}

TEST(TextTable, RendersNothingFromNothing) {
  EXPECT_EQ(render({}), "");
  EXPECT_EQ(table_width({}), 0U);
}

}  // namespace
}  // namespace flymc
