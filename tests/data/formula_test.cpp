// The formula language: what it says, what it makes of a table, what it refuses.
#include "data/table/formula.hpp"

#include "data/load_support.hpp"

namespace flymc {
namespace {

using testing::refusal;
using testing::TempDir;
using Names = std::vector<std::string>;

std::string mistake(const std::string& text) {
  try {
    (void)parse_formula(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "parsed without an error";
}

TEST(Formula, SumsProductsAndIntercept) {
  const Formula f = parse_formula("y ~ a + b + c:d - 1");
  EXPECT_EQ(f.response, "y");
  EXPECT_EQ(f.columns, (Names{"a", "b"}));
  EXPECT_EQ(f.products, (std::vector<Names>{{"c", "d"}}));
  EXPECT_FALSE(f.intercept);
  EXPECT_FALSE(f.all_others);
}

TEST(Formula, InterceptIsThereUnlessTakenAway) {
  for (const std::string text : {"y~a", "y ~ 1 + a", "y ~ a - 0", "y ~ a - 1 + 1"}) {
    EXPECT_TRUE(parse_formula(text).intercept) << text;
  }
  for (const std::string text : {"y~a-1", "y ~ 0 + a", "y ~ -1 + a", "y ~ a + 0"}) {
    EXPECT_FALSE(parse_formula(text).intercept) << text;
  }
}

TEST(Formula, RepeatedTermsAreOne) {
  const Formula f = parse_formula("y ~ a + b:a + a + a:b");
  EXPECT_EQ(f.columns, (Names{"a"}));
  EXPECT_EQ(f.products, (std::vector<Names>{{"b", "a"}}));
}

TEST(Formula, TermsCanBeTakenAway) {
  const Formula f = parse_formula("y ~ . - id + a:b - a:c + a:c");
  EXPECT_TRUE(f.all_others);
  EXPECT_EQ(f.removed, (Names{"id"}));
  EXPECT_EQ(f.products, (std::vector<Names>{{"a", "b"}}));
  EXPECT_EQ(parse_formula("y ~ a + b - a").columns, (Names{"b"}));
}

TEST(Formula, BackquotesHoldAnyName) {
  const Formula f = parse_formula("`the y` ~ `a + b`:`1` + `x-1` + `.` + \xC3\xA9t\xC3\xA9 + x.1");
  EXPECT_EQ(f.response, "the y");
  EXPECT_EQ(f.columns, (Names{"x-1", ".", "\xC3\xA9t\xC3\xA9", "x.1"}));
  EXPECT_EQ(f.products, (std::vector<Names>{{"a + b", "1"}}));
  EXPECT_FALSE(f.all_others);
}

TEST(Formula, MistakesShowThePlace) {
  const std::pair<std::string, std::string> cases[] = {
      {"y ~ a*b", "'y ~ a*b': a*b is not read, write a + b + a:b; at character 6 ('*b')."},
      {"y ~ a + log(b)",
       "functions and parentheses are not read, add the column to the file first; "
       "at character 12 ('(b)')."},
      {"log(y) ~ a", "add the column to the file first; at character 4 ('(y) ~ a')."},
      {"y ~ a + (b)", "at character 9 ('(b)')."},
      {"y ~ a^2", "^ is not read, only ~ + - and :; at character 6 ('^2')."},
      {"y ~ a b", "expected +, - or :; at character 7 ('b')."},
      {"y ~ a +", "a column is missing; at character 8 (the end)."},
      {"y ~ ", "a column is missing; at character 5 (the end)."},
      {"y a", "expected ~; at character 3 ('a')."},
      {"y + z ~ a", "one column stands before the ~; at character 3 ('+ z ~ a')."},
      {"y ~ a:", "a column is missing; at character 7 (the end)."},
      {"y ~ 2", "expected a column, with `backquotes`"},
      {"y ~ 10", "expected a column, with `backquotes`"},
      {"y ~ `a", "a name in backquotes is empty or not closed; at character 5 ('`a')."},
      {"y ~ a:a", "a product of a column with itself"},
      {"y ~ .:a", ". is a sum of columns and can only be added"},
      {"y ~ a - .", ". is a sum of columns and can only be added"},
      {"y ~ a - b", "'b' is taken away but not there"},
      {"y ~ 1", "there is no column to explain with"},
      {"y ~ a - a", "there is no column to explain with"},
      {"y ~ a ~ b", "expected +, - or :; at character 7 ('~ b')."}};
  for (const auto& [text, message] : cases) {
    EXPECT_NE(mistake(text).find(message), std::string::npos) << text << "\n" << mistake(text);
  }
}

class FormulaTable : public ::testing::Test {
 protected:
  Loaded from(const std::string& formula, const Names& categorical = {}) const {
    return load({.path = file_, .formula = formula, .categorical = categorical});
  }
  static std::vector<double> features(const Loaded& loaded) {
    return {loaded.table.x.begin(), loaded.table.x.end()};
  }

  TempDir dir_;
  std::string file_ = dir_.write("t.csv",
                                 "id,a,b,c,y\n"
                                 "k1,2,3,u,0\n"
                                 "k2,5,7,v,1\n"
                                 "k3,1,4,w,1\n");
};

TEST_F(FormulaTable, ProductsAreOrdinaryColumnsAfterTheMainEffects) {
  const Loaded loaded = from("y ~ a:b + b");
  EXPECT_EQ(loaded.table.columns, (Names{"b", "a:b"}));
  EXPECT_EQ(features(loaded), (std::vector<double>{3, 6, 7, 35, 4, 4}));
  EXPECT_EQ(loaded.table.response.name, "y");
  EXPECT_NE(loaded.note.find("x 2 features, response 'y'"), std::string::npos) << loaded.note;
}

TEST_F(FormulaTable, OfACategoryEveryIndicatorIsMultiplied) {
  const Loaded loaded = from("y ~ c + c:a", {"c"});
  EXPECT_EQ(loaded.table.columns, (Names{"c=v", "c=w", "c=v:a", "c=w:a"}));
  EXPECT_EQ(features(loaded), (std::vector<double>{0, 0, 0, 0, 1, 0, 5, 0, 0, 1, 0, 1}));
  EXPECT_EQ(from("y ~ id:c", {"c", "id"}).table.columns,
            (Names{"id=k2:c=v", "id=k2:c=w", "id=k3:c=v", "id=k3:c=w"}));
}

TEST_F(FormulaTable, ADotIsEveryOtherColumn) {
  EXPECT_EQ(from("y ~ . - id - c").table.columns, (Names{"a", "b"}));
  EXPECT_EQ(from("y ~ . - id - c + a:b").table.columns, (Names{"a", "b", "a:b"}));
  // Taken away as a main effect, needed as a factor.
  EXPECT_EQ(from("y ~ . - id - c - a + a:b").table.columns, (Names{"b", "a:b"}));
}

TEST_F(FormulaTable, ThreadsChangeNothing) {
  LoadSpec spec{.path = file_, .formula = "y ~ a + a:b"};
  const auto expected = features(load(spec));
  spec.threads = 3;
  spec.chunk_bytes = 8;
  EXPECT_EQ(features(load(spec)), expected);
}

TEST_F(FormulaTable, RefusesWhatItCannotMake) {
  EXPECT_EQ(refusal(dir_, {.path = file_, .formula = "y ~ a + zz"}).message.substr(0, 13),
            "no column 'zz");
  EXPECT_EQ(refusal(dir_, {.path = file_, .formula = "y ~ . - zz - id - c"}).kind,
            ErrorKind::kData);
  EXPECT_EQ(refusal(dir_, {.path = file_, .formula = "y ~ a + y"}).message,
            "column 'y' is asked for twice: as the response and as a feature.");
  EXPECT_EQ(refusal(dir_, {.path = file_, .formula = "y ~ a + c"}).message,
            "t.csv:2: column 'c' holds text ('u'); take it out of the formula or encode it "
            "(categorical = c).");
  const std::string big = dir_.write("big.csv", "a,b,y\n1e200,1e200,0\n1,1,1\n");
  EXPECT_EQ(refusal(dir_, {.path = big, .formula = "y ~ a:b"}).message,
            "column 'a:b' is infinite: the product of its columns is too large; rescale one of "
            "them.");
  const std::string twice = dir_.write("twice.csv", "a,b,a:b,y\n1,1,1,0\n2,2,2,1\n");
  EXPECT_EQ(refusal(dir_, {.path = twice, .formula = "y ~ . + a:b"}).kind, ErrorKind::kData);
}

TEST_F(FormulaTable, ContradictionsAreUsageErrors) {
  const auto refused = [&](LoadSpec spec) {
    spec.path = file_;
    spec.formula = "y ~ a";
    return refusal(dir_, spec);
  };
  EXPECT_EQ(refused({.response = "b"}).message,
            "response and formula = 'y ~ a' contradict each other; name the response in one of "
            "them.");
  EXPECT_EQ(refused({.features = {"a"}}).kind, ErrorKind::kUsage);
  EXPECT_EQ(refused({.drop = {"b"}}).kind, ErrorKind::kUsage);
  EXPECT_EQ(refused({.response = "y"}).message, "loaded without an error");
}

TEST_F(FormulaTable, OtherFormatsTakeItToo) {
  const std::string libsvm = dir_.write("t.svm", "1 1:2 2:3\n0 1:4 2:5\n");
  const Loaded svm = load({.path = libsvm, .formula = "y ~ x1:x2"});
  EXPECT_EQ(features(svm), (std::vector<double>{6, 20}));
  EXPECT_EQ(svm.table.response.values, (std::vector<double>{1, 0}));
  const std::string x = dir_.write("X.npy", testing::npy_f8("(2, 2)", {2, 3, 4, 5}));
  const std::string y = dir_.write("y.npy", testing::npy_f8("(2,)", {0, 1}));
  const Loaded npy = load({.path = x, .response = y, .formula = "~ x2 + x1:x2"});
  EXPECT_EQ(npy.table.columns, (Names{"x2", "x1:x2"}));
  EXPECT_EQ(features(npy), (std::vector<double>{3, 6, 5, 20}));
}

}  // namespace
}  // namespace flymc
