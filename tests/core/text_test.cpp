#include "core/text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace flymc {
namespace {

TEST(Escaped, LeavesPrintableTextOfAnyScriptAlone) {
  EXPECT_EQ(escaped("age (years)"), "age (years)");
  EXPECT_EQ(escaped("größe 年齢 \xF0\x9F\x94\xA5"), "größe 年齢 \xF0\x9F\x94\xA5");
}

TEST(Escaped, ShowsControlCharacters) {
  EXPECT_EQ(escaped("a\nb\tc\r"), "a\\nb\\tc\\r");
  EXPECT_EQ(escaped(std::string("\x1b[31m\0\x7f", 7)), "\\x1b[31m\\x00\\x7f");
  EXPECT_EQ(escaped("\xC2\x9B"), "\\xc2\\x9b");  // C1: a terminal may obey it
}

TEST(Escaped, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(escaped("caf\xE9"), "caf\\xe9");
  EXPECT_EQ(escaped("\xC0\xAF"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(escaped("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // surrogate
  EXPECT_EQ(escaped("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(escaped("\xE2\x82"), "\\xe2\\x82");  // cut short
}

TEST(InQuotes, KeepsMessagesShort) {
  EXPECT_EQ(in_quotes("Paris"), "'Paris'");
  const std::string cut = in_quotes(std::string(1'000'000, 'x'));
  EXPECT_LT(cut.size(), 80U);
  EXPECT_TRUE(cut.ends_with("...'"));
}

TEST(Listed, NamesTheFirstAndSaysThatThereAreMore) {
  const std::vector<std::string> names = {"a", "b\n", "c"};
  EXPECT_EQ(listed(names, ", ", 3), "a, b\\n, c");
  EXPECT_EQ(listed(names, ",", 2), "a,b\\n,...");
  EXPECT_EQ(listed({}, ",", 2), "");
}

TEST(WithCommas, GroupsThousands) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(12214), "12,214");
  EXPECT_EQ(with_commas(18446744073709551615U), "18,446,744,073,709,551,615");
}

TEST(Counted, AgreesWithItsNoun) {
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(12214, "row"), "12,214 rows");
  EXPECT_EQ(counted(1, "pass"), "1 pass");
  EXPECT_EQ(counted(2, "pass"), "2 passes");
  EXPECT_EQ(counted(0, "likelihood query"), "0 likelihood queries");
  EXPECT_EQ(counted(2, "day"), "2 days");
}

TEST(EditDistance, CountsInsertionsDeletionsAndSubstitutions) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("age", "age"), 0U);
}

TEST(Nearest, PrefersADifferenceOfCaseAndRefusesToGuessWildly) {
  const std::vector<std::string> names = {"x", "y", "age", "income", "Age"};
  EXPECT_EQ(nearest("Y", names), "y");
  EXPECT_EQ(nearest("agee", names), "age");
  EXPECT_EQ(nearest("AGE", names), "Age");
  EXPECT_EQ(nearest("imcone", names), "income");
  EXPECT_EQ(nearest("z", names), "");
  EXPECT_EQ(nearest("temperature", names), "");
}

}  // namespace
}  // namespace flymc
