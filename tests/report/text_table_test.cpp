#include "report/text_table.hpp"

#include <gtest/gtest.h>

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

TEST(TextTable, CountsCodePoints) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("été"), 3U);
  EXPECT_EQ(display_width("数据"), 2U);
}

TEST(TextTable, ShortensBetweenCodePoints) {
  EXPECT_EQ(cut_to_width("été", 3), "été");
  EXPECT_EQ(cut_to_width("étés", 3), "ét…");
  EXPECT_EQ(cut_to_width("abcdef", 1), "…");
  EXPECT_EQ(cut_to_width("数据库表", 2), "数…");
}

TEST(TextTable, RendersNothingFromNothing) {
  EXPECT_EQ(render({}), "");
  EXPECT_EQ(table_width({}), 0U);
}

}  // namespace
}  // namespace flymc
