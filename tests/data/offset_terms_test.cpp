// offset() of a formula: what it says, and where a table has it.
#include <cmath>

#include "data/fly_support.hpp"
#include "data/formula_support.hpp"
#include "data/load/row_blocks.hpp"
#include "data/load_support.hpp"
#include "data/table/formula.hpp"

namespace flymc {
namespace {

using testing::formula_mistake;
using testing::TempDir;
using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

Texts offsets_of(const std::string& text) {
  const Formula formula = parse_formula(text);
  Texts texts;
  for (const std::size_t v : formula.offsets) {
    texts.push_back(formula.variables[v].text);
  }
  return texts;
}

std::string offset_refusal(const TempDir& dir, const LoadSpec& spec, ErrorKind kind) {
  const testing::Refusal refused = testing::refusal(dir, spec);
  EXPECT_EQ(refused.kind, kind) << refused.message;
  return refused.message;
}

TEST(OffsetTerms, AreVariablesWithoutACoefficient) {
  const Formula f = parse_formula("y ~ a + offset(z) + offset( log(e) ) + offset(z)");
  EXPECT_EQ(f.terms, (std::vector<Formula::Term>{{0}}));
  EXPECT_EQ(offsets_of("y ~ a + offset(z) + offset( log(e) ) + offset(z)"), (Texts{"z", "log(e)"}));
  EXPECT_EQ(f.columns(), (Texts{"a", "z", "e"}));
  EXPECT_EQ(f.offset_columns(), (Texts{"z", "e"}));
  EXPECT_TRUE(parse_formula("y ~ offset(z)").intercept);
  EXPECT_EQ(offsets_of("y ~ 0 + offset(z)"), (Texts{"z"}));
}

// Whatever is no column and no call is what I() of it is.
TEST(OffsetTerms, TakeAnyNumberOfColumns) {
  EXPECT_EQ(offsets_of("y ~ offset(log(a) + b/2) + offset(-a) + offset(I(a/b)) + offset(`a b`)"),
            (Texts{"I(log(a) + b/2)", "I(-a)", "I(a/b)", "`a b`"}));
  EXPECT_EQ(offsets_of("y ~ offset((a)) + offset(a)"), (Texts{"a"}));
  EXPECT_EQ(offsets_of("y ~ offset(log(a)/log(b))"), (Texts{"I(log(a)/log(b))"}));
}

// A column may have that name.
TEST(OffsetTerms, AreCallsAlone) {
  EXPECT_EQ(parse_formula("y ~ offset + offset2").columns(), (Texts{"offset", "offset2"}));
  EXPECT_TRUE(offsets_of("y ~ offset:a + `offset`").empty());
  EXPECT_EQ(offsets_of("y ~ offset (offset)"), (Texts{"offset"}));
}

TEST(OffsetTerms, MistakesShowThePlace) {
  const std::string alone = "offset() stands by itself and can only be added; at character ";
  const std::pair<std::string, std::string> cases[] = {
      {"y ~ a:offset(z)", alone + "13 ('(z)')."},
      {"y ~ offset(z):a", alone + "14 (':a')."},
      {"y ~ offset(z)*a", alone + "14 ('*a')."},
      {"y ~ offset(z)^2", alone + "14 ('^2')."},
      {"y ~ a - offset(z)", alone + "18 (the end)."},
      {"y ~ (a + offset(z))", alone + "19 (')')."},
      {"y ~ s(offset(z))", alone},
      {"y ~ offset(2)", "there is no column in the parentheses"},
      {"y ~ offset()", "expected a column"},
      {"y ~ offset(z", "expected )"},
      {"y ~ offset(z, 2)", "expected )"},
      {"y ~ offset(lag(z))", "no function 'lag' of a number"},
      {"y ~ log(offset(z))", "no function 'offset' of a number"},
      {"y ~ factor(z) + offset(z)", "'factor(z)' and 'z' read one column in two ways"}};
  for (const auto& [text, expected] : cases) {
    EXPECT_NE(formula_mistake(text).find(expected), std::string::npos)
        << text << ": " << formula_mistake(text);
  }
}

constexpr const char* kOffsetRows = "a,z,e,y\n1,0.5,1,3\n2,-0.25,2,1\n3,1,4,2\n";

TEST(OffsetTerms, OfTheFirstAreTheOffsetOfTheTable) {
  const TempDir dir;
  const std::string path = dir.write("t.csv", kOffsetRows);
  const Table named = load({.path = path, .response = "y", .features = {"a"}, .offset = "z"}).table;
  const Table made = load({.path = path, .formula = "y ~ a + offset(z)"}).table;
  EXPECT_EQ(made.columns, named.columns);
  EXPECT_EQ(made.x, named.x);
  EXPECT_EQ(made.offset, named.offset);
  const Table both = load({.path = path, .formula = "y ~ z + offset(z) + offset(log2(e))"}).table;
  EXPECT_EQ(both.columns, (Texts{"z"}));
  EXPECT_EQ(both.offset, (Numbers{0.5, 0.75, 3.0}));
  const Table alone = load({.path = path, .formula = "y ~ 1 + offset(I(z * 2))"}).table;
  EXPECT_TRUE(alone.columns.empty());
  EXPECT_EQ(alone.offset, (Numbers{1.0, -0.5, 2.0}));
}

TEST(OffsetTerms, AreNoneOfTheOthers) {
  const TempDir dir;
  const std::string path = dir.write("t.csv", kOffsetRows);
  EXPECT_EQ(load({.path = path, .formula = "y ~ . + offset(z)"}).table.columns, (Texts{"a", "e"}));
  EXPECT_EQ(load({.path = path, .formula = "y ~ . + offset(log(e))"}).table.columns,
            (Texts{"a", "z"}));
  EXPECT_EQ(load({.path = path, .formula = "y ~ . - z + offset(z)"}).table.columns,
            (Texts{"a", "e"}));
  EXPECT_EQ(load({.path = path, .formula = "y ~ . + z + offset(z)"}).table.columns,
            (Texts{"a", "e", "z"}));
}

TEST(OffsetTerms, OfOthersAreColumnsOfTheTable) {
  const TempDir dir;
  const std::string path = dir.write("t.csv", kOffsetRows);
  const Loaded loaded =
      load({.path = path,
            .formula = "y ~ a + offset(z)",
            .formulas = {{"sigma", "~ e + offset(log2(e))"}, {"nu", "~ 1 + offset(a)"}}});
  const Table& table = loaded.table;
  EXPECT_EQ(table.columns, (Texts{"a", "e", "log2(e)"}));
  EXPECT_EQ(table.offset, (Numbers{0.5, -0.25, 1.0}));
  EXPECT_EQ(Numbers(table.x.begin(), table.x.end()),
            (Numbers{1.0, 1.0, 0.0, 2.0, 2.0, 1.0, 3.0, 4.0, 2.0}));
  EXPECT_EQ(loaded.predictors.at("").columns, (Texts{"a"}));
  EXPECT_TRUE(loaded.predictors.at("").offsets.empty());
  EXPECT_EQ(loaded.predictors.at("sigma").columns, (Texts{"e"}));
  EXPECT_EQ(loaded.predictors.at("sigma").offsets, (Texts{"log2(e)"}));
  EXPECT_TRUE(loaded.predictors.at("nu").columns.empty());
  EXPECT_EQ(loaded.predictors.at("nu").offsets, (Texts{"a"}));
  // Of a first predictor that has all other columns they are none.
  EXPECT_EQ(load({.path = path, .response = "y", .formulas = {{"sigma", "~ offset(z)"}}})
                .predictors.at("")
                .columns,
            (Texts{"a", "e"}));
}

TEST(OffsetTerms, AreReadInBlocks) {
  const TempDir dir;
  RowBlocks blocks({.path = dir.write("t.csv", kOffsetRows),
                    .formula = "~ a + offset(log2(e))",
                    .matches_earlier = true},
                   {.rows = 2});
  EXPECT_EQ(blocks.next()->offset, (Numbers{0.0, 1.0}));
  EXPECT_EQ(blocks.next()->offset, (Numbers{2.0}));
  EXPECT_FALSE(blocks.next());
}

// Features stay where they lie: no number of a .fly is copied for an offset's sake.
TEST(OffsetTerms, LeaveMappedRowsWhereTheyAre) {
  const TempDir dir;
  Table table;
  table.rows = 3;
  table.columns = {"a", "z"};
  table.x.assign({1.0, 0.5, 2.0, -0.25, 3.0, 1.0});
  table.response = {.name = "y", .values = {3.0, 1.0, 2.0}};
  (void)write_fly(table, {.path = dir / "t.fly"});
  const Table read = load({.path = dir / "t.fly", .formula = "y ~ a + offset(z)"}).table;
  EXPECT_EQ(read.columns, (Texts{"a"}));
  EXPECT_EQ(read.offset, (Numbers{0.5, -0.25, 1.0}));
  EXPECT_FALSE(read.source.empty());
  // One that is stored is not added to.
  table.offset = {1.0, 1.0, 1.0};
  (void)write_fly(table, {.path = dir / "o.fly", .offset = "o"});
  EXPECT_NE(offset_refusal(dir, {.path = dir / "o.fly", .formula = "y ~ a + offset(z)"},
                           ErrorKind::kUsage)
                .find("offset() is a second offset of rows that have one"),
            std::string::npos);
}

TEST(OffsetTerms, HaveEveryRowOrNone) {
  const TempDir dir;
  const std::string path =
      dir.write("t.csv", "a,z,g,y\n1,0.5,u,3\nNA,0.25,v,1\n3,NA,u,2\n4,0,v,2\n");
  const auto with = [&](Missing missing) {
    return LoadSpec{.path = path, .formula = "y ~ a + offset(z)", .missing = missing};
  };
  EXPECT_NE(offset_refusal(dir, with(Missing::kError), ErrorKind::kData).find("t.csv:3"),
            std::string::npos);
  EXPECT_EQ(load(with(Missing::kDrop)).table.offset, (Numbers{0.5, 0.0}));
  const Table filled = load(with(Missing::kIndicator)).table;  // columns are, offsets are not
  EXPECT_EQ(filled.columns, (Texts{"a", "a_missing"}));
  EXPECT_EQ(filled.offset, (Numbers{0.5, 0.25, 0.0}));
  LoadSpec kept = with(Missing::kKeep);
  kept.matches_earlier = true;
  EXPECT_TRUE(std::isnan(load(kept).table.offset[2]));
}

TEST(OffsetTerms, ThatAreNoNumbersAreNamed) {
  const TempDir dir;
  const std::string path = dir.write("t.csv", "a,z,g,y\n1,0.5,u,3\n2,0,v,1\n");
  const auto refused = [&](const std::string& formula, ErrorKind kind, Texts categorical = {}) {
    return offset_refusal(
        dir, {.path = path, .formula = formula, .categorical = std::move(categorical)}, kind);
  };
  EXPECT_NE(refused("y ~ a + offset(q)", ErrorKind::kData).find("no column 'q'"),
            std::string::npos);
  const std::string text = refused("y ~ a + offset(g)", ErrorKind::kData);
  EXPECT_NE(text.find("t.csv:2"), std::string::npos) << text;
  EXPECT_NE(text.find("'u'"), std::string::npos) << text;
  EXPECT_NE(refused("y ~ a + offset(g)", ErrorKind::kUsage, {"g"})
                .find("'g' is a category, and offset(g) needs numbers."),
            std::string::npos);
  EXPECT_NE(refused("y ~ a + offset(log(z))", ErrorKind::kData)
                .find("column 'log(z)' is -inf in row 2, where z = 0;"),
            std::string::npos);
  const std::string large = dir.write("large.csv", "a,b,y\n1e308,1e308,1\n2,3,4\n");
  EXPECT_NE(
      offset_refusal(dir, {.path = large, .formula = "y ~ offset(a) + offset(b)"}, ErrorKind::kData)
          .find("the offset is infinite"),
      std::string::npos);
  EXPECT_NE(refused("y ~ a + offset(y)", ErrorKind::kUsage).find("column 'y' is asked for twice"),
            std::string::npos);
  EXPECT_NE(offset_refusal(dir, {.path = path, .formula = "y ~ a + offset(z)", .offset = "z"},
                           ErrorKind::kUsage)
                .find("column 'z' is asked for twice"),
            std::string::npos);
}

}  // namespace
}  // namespace flymc
