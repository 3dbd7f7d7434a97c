// What inspect and `--categorical auto` take a column of text for.
#include "data/load/column_guess.hpp"

#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::refusal;
using testing::TempDir;

constexpr std::size_t kRows = 300;

// One column a kind, by its name; "y" is the response.
std::string raw_csv() {
  std::string text =
      "customer_id,row,signup,day,city,shop,price,code,flag,count,amount,always,never,word,y\n";
  for (std::size_t n = 0; n < kRows; ++n) {
    const auto number = [&](std::size_t k) { return std::to_string(n % k); };
    text += "C" + std::to_string(n) + "," + std::to_string(n + 17) + ",2024-02-" +
            std::to_string(1 + n % 29) + "," + std::to_string(1 + n % 28) + ".7.2023," +
            (n % 10 == 9  ? ""
             : n % 2 == 0 ? "Oslo"
                          : "Rome") +
            ",s" + number(150) + ",\"" + number(7) + ",5\"," +
            (n == 120 ? "unknown" : number(140)) + "," + number(2) + "," + number(6) + ",-" +
            number(9) + ".25,7,NA,same," + (n % 3 == 0 ? "yes" : "no") + "\n";
  }
  return text;
}

const ColumnGuess& column(const TableGuess& guess, const std::string& name) {
  return *std::ranges::find(guess.columns, name, &ColumnGuess::name);
}

TEST(ColumnGuess, EveryKindOfColumn) {
  const TempDir dir;
  const auto guess = guess_columns({.path = dir.write("raw.csv", raw_csv())});
  ASSERT_TRUE(guess);
  EXPECT_EQ(guess->rows, kRows);
  const std::pair<const char*, ColumnKind> expected[] = {{"customer_id", ColumnKind::kIdentifier},
                                                         {"row", ColumnKind::kIdentifier},
                                                         {"signup", ColumnKind::kDate},
                                                         {"day", ColumnKind::kDate},
                                                         {"city", ColumnKind::kCategory},
                                                         {"shop", ColumnKind::kLevels},
                                                         {"price", ColumnKind::kDecimalComma},
                                                         {"code", ColumnKind::kMixed},
                                                         {"flag", ColumnKind::kFlag},
                                                         {"count", ColumnKind::kCount},
                                                         {"amount", ColumnKind::kNumber},
                                                         {"always", ColumnKind::kConstant},
                                                         {"never", ColumnKind::kEmpty},
                                                         {"word", ColumnKind::kConstant},
                                                         {"y", ColumnKind::kCategory}};
  ASSERT_EQ(guess->columns.size(), std::size(expected));
  for (const auto& [name, kind] : expected) {
    EXPECT_EQ(name_of(column(*guess, name).kind), name_of(kind)) << name;
  }
  EXPECT_EQ(column(*guess, "city").missing, kRows / 10);
  EXPECT_EQ(column(*guess, "city").values, 2U);
  EXPECT_EQ(column(*guess, "code").example, "unknown");
  EXPECT_EQ(column(*guess, "never").missing, kRows);
  EXPECT_TRUE(column(*guess, "word").text);
  EXPECT_FALSE(column(*guess, "always").text);
}

TEST(ColumnGuess, OnlyDaysOfTheCalendarAreDates) {
  const TempDir dir;
  std::string text = "bad,good,time\n";
  for (int n = 0; n < 40; ++n) {
    text += "2023-02-" + std::to_string(1 + n % 31) + ",12/" + std::to_string(1 + n % 31) +
            "/2023,2023-01-05T10:00:0" + std::to_string(n % 10) + "Z\n";
  }
  const auto guess = guess_columns({.path = dir.write("d.csv", text)});
  EXPECT_EQ(column(*guess, "bad").kind, ColumnKind::kCategory);  // the 30th of February
  EXPECT_EQ(column(*guess, "good").kind, ColumnKind::kDate);
  EXPECT_EQ(column(*guess, "time").kind, ColumnKind::kIsoDate);
}

TEST(ColumnGuess, PartsAreOneTable) {
  const TempDir dir;
  const std::string whole = raw_csv();
  const std::string header = whole.substr(0, whole.find('\n') + 1);
  const std::size_t cut = whole.find('\n', whole.size() / 2) + 1;
  (void)dir.write("part-1.csv", whole.substr(0, cut));
  (void)dir.write("part-2.csv", header + whole.substr(cut));
  const auto guess = guess_columns({.path = dir / "part-*.csv"});
  ASSERT_TRUE(guess);
  EXPECT_EQ(guess->rows, kRows);
  EXPECT_EQ(column(*guess, "row").kind, ColumnKind::kIdentifier);
}

TEST(ColumnGuess, AutoEncodesWhatHoldsCategories) {
  const TempDir dir;
  LoadSpec spec{.path = dir.write("raw.csv", raw_csv()), .response = "y"};
  spec.categorical = {"auto"};
  spec.missing = Missing::kDrop;
  spec.features = {"city", "flag", "amount"};
  LoadSpec named = spec;
  named.categorical = {"city"};
  EXPECT_EQ(load(spec).table.columns, load(named).table.columns);
  EXPECT_EQ(load(spec).table.levels, load(named).table.levels);
  spec.features.clear();
  spec.formula = "y ~ city*amount";
  EXPECT_EQ(load(spec).table.columns,
            (std::vector<std::string>{"city=Rome", "amount", "city=Rome:amount"}));
}

TEST(ColumnGuess, AutoNamesAllColumnsOfTextThatAreNoCategory) {
  const TempDir dir;
  LoadSpec spec{.path = dir.write("raw.csv", raw_csv()), .response = "y"};
  spec.categorical = {"auto"};
  const auto [kind, message] = refusal(dir, spec);
  EXPECT_EQ(kind, ErrorKind::kData);
  EXPECT_NE(message.find("text that is no category in customer_id, signup, day, shop, price, code"),
            std::string::npos)
      << message;
}

TEST(ColumnGuess, AutoNeedsTextThatCanBeReadTwice) {
  LoadSpec spec{.path = "-", .response = "y"};
  spec.categorical = {"auto"};
  const TempDir dir;
  EXPECT_EQ(refusal(dir, spec).kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace flymc
