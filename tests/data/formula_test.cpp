// The formula language: what it says, what it makes of a table, what it refuses.
#include "data/table/formula.hpp"

#include <cmath>

#include "data/formula_support.hpp"
#include "data/load/row_blocks.hpp"
#include "data/load_support.hpp"

namespace flymc {
namespace {

// The terms by the text of their variables: "a:b".
std::vector<std::string> terms_of(const Formula& formula) {
  std::vector<std::string> terms;
  for (const Formula::Term& term : formula.terms) {
    std::string text;
    for (const std::size_t v : formula.in_order_of_name(term)) {
      text += (text.empty() ? "" : ":") + formula.variables[v].text;
    }
    terms.push_back(text);
  }
  return terms;
}

using testing::formula_mistake;
using testing::refusal;
using testing::TempDir;
using Names = std::vector<std::string>;

TEST(Formula, SumsProductsAndIntercept) {
  const Formula f = parse_formula("y ~ a + b + c:d - 1");
  EXPECT_EQ(f.response, "y");
  EXPECT_EQ(terms_of(f), (Names{"a", "b", "c:d"}));
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
  EXPECT_EQ(terms_of(parse_formula("y ~ a + b:a + a + a:b")), (Names{"a", "b:a"}));
  EXPECT_EQ(terms_of(parse_formula("y ~ log( a) + log(a )")), (Names{"log(a)"}));
}

TEST(Formula, TermsCanBeTakenAway) {
  const Formula f = parse_formula("y ~ . - id + a:b - a:c + a:c");
  EXPECT_TRUE(f.all_others);
  EXPECT_EQ(f.removed, (Names{"id"}));
  EXPECT_EQ(terms_of(f), (Names{"a:b"}));
  EXPECT_EQ(terms_of(parse_formula("y ~ a + b - a")), (Names{"b"}));
  EXPECT_EQ(terms_of(parse_formula("y ~ a*b - (a + b)")), (Names{"a:b"}));
}

TEST(Formula, CrossingAndPowersOfSums) {
  EXPECT_EQ(terms_of(parse_formula("y ~ a*b")), (Names{"a", "b", "a:b"}));
  EXPECT_EQ(terms_of(parse_formula("y ~ a*b*c")),
            (Names{"a", "b", "c", "a:b", "a:c", "b:c", "a:b:c"}));
  EXPECT_EQ(terms_of(parse_formula("y ~ (a + b + c)^2")),
            (Names{"a", "b", "c", "a:b", "a:c", "b:c"}));
  EXPECT_EQ(terms_of(parse_formula("y ~ (a + b):c")), (Names{"a:c", "b:c"}));
  EXPECT_EQ(terms_of(parse_formula("y ~ a^2 + a + log(b)^2")), (Names{"a^2", "a", "log(b)^2"}));
}

TEST(Formula, FunctionsSayWhatTheyAreMadeOf) {
  const Formula f = parse_formula("y ~ log(a+1) + I(-(a-b)^2*`c d`) + poly(sqrt(e),3) + scale(a)");
  EXPECT_EQ(terms_of(f),
            (Names{"log(a + 1)", "I(-(a - b)^2 * `c d`)", "poly(sqrt(e), 3)", "scale(a)"}));
  EXPECT_EQ(f.columns(), (Names{"a", "b", "c d", "e"}));
  EXPECT_TRUE(f.has_constants());
  EXPECT_FALSE(parse_formula("y ~ log(a)").has_constants());
  EXPECT_EQ(
      resolve_formula({.formula = "y ~ factor(a)"}, parse_formula("y ~ factor(a)")).categorical,
      (Names{"a"}));
}

TEST(Formula, BackquotesHoldAnyName) {
  const Formula f = parse_formula("`the y` ~ `a + b`:`1` + `x-1` + `.` + \xC3\xA9t\xC3\xA9 + x.1");
  EXPECT_EQ(f.response, "the y");
  EXPECT_EQ(f.columns(), (Names{"x-1", ".", "\xC3\xA9t\xC3\xA9", "x.1", "a + b", "1"}));
  EXPECT_FALSE(f.all_others);
}

TEST(Formula, MistakesShowThePlace) {
  const std::pair<std::string, std::string> cases[] = {
      {"y ~ a/b", "/ is not read between terms, write a + a:b; at character 6 ('/b')."},
      {"y ~ a + lag(b)", "no function 'lag'; there are I, log,"},
      {"y ~ log(lag(b))", "no function 'lag' of a number; there are I, log,"},
      {"y ~ log(scale(b))", "no function 'scale' of a number"},
      {"y ~ log(b", "expected ); at character 10 (the end)."},
      {"y ~ log()", "expected a column"},
      {"y ~ I(2)", "there is no column in the parentheses"},
      {"y ~ poly(b)", "poly needs its degree, poly(a, 2)"},
      {"y ~ poly(b, 0)", "poly has a degree from 1 to 20"},
      {"y ~ poly(b, 1.5)", "poly has a degree from 1 to 20"},
      {"y ~ poly(b, 2)^2", "'poly(b, 2)' has no power"},
      {"y ~ bs(b)", "bs needs its degrees of freedom, bs(a, 5); at character 9 (')')."},
      {"y ~ bs(b, 2)", "bs is cubic and has from 3 to 100 degrees of freedom"},
      {"y ~ bs(b, 101)", "bs is cubic and has from 3 to 100 degrees of freedom"},
      {"y ~ bs(b, 4.5)", "bs is cubic and has from 3 to 100 degrees of freedom"},
      {"y ~ bs(b, many)", "expected a number; at character 11 ('many)')."},
      {"y ~ bs(b, -3)", "expected a number"},
      {"y ~ bs(b, degree = 2)", "of bs only the degrees of freedom are read, bs(a, df = 5)"},
      {"y ~ bs(b, df 5)", "expected ="},
      {"y ~ bs(b, 5, 3)", "expected )"},
      {"y ~ bs(3, 5)", "there is no column in the parentheses"},
      {"y ~ bs(b, 4)^2", "'bs(b, 4)' has no power"},
      {"y ~ (a + b)^0.5", "a sum has powers from 1 to 20"},
      {"y ~ a^x", "expected a number"},
      {std::string("y ~ a\0 + b", 10), "expected +, -, * or :; at character 6"},
      {"y ~ factor(a + b)", "expected )"},
      {"y ~ factor(a) + log(a)", "'factor(a)' and 'log(a)' read one column in two ways"},
      {"y ~ a:(1 + b)", "of numbers only 0 and 1 are terms, and outside of parentheses"},
      {"y ~ a | g", "| is not read here"},
      {"y ~ (a", "expected +, -, *, : or )"},
      {"y ~ (a - a)", "there is nothing in the parentheses"},
      {"log(y) ~ a", "add the column to the file first; at character 4 ('(y) ~ a')."},
      {"y*z ~ a", "one column stands before the ~"},
      {"y ~ " + std::string(200, '('), "too many parentheses within parentheses"},
      {"y ~ I(" + std::string(200, '-'), "too many parentheses within parentheses"},
      {"y ~ (a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p)^20", "too many terms"},
      {"y ~ a b", "expected +, -, * or :; at character 7 ('b')."},
      {"y ~ a +", "a column is missing; at character 8 (the end)."},
      {"y ~ ", "a column is missing; at character 5 (the end)."},
      {"y a", "expected ~; at character 3 ('a')."},
      {"y + z ~ a", "one column stands before the ~; at character 3 ('+ z ~ a')."},
      {"y ~ a:", "a column is missing; at character 7 (the end)."},
      {"y ~ 2", "of numbers only 0 and 1 are terms"},
      {"y ~ 1a", "not a number"},
      {"y ~ `a", "a name in backquotes is empty or not closed; at character 5 ('`a')."},
      {"y ~ a:a", "a product of a column with itself, write a^2"},
      {"y ~ .:a", ". is a sum of columns and can only be added"},
      {"y ~ a - .", ". is a sum of columns and can only be added"},
      {"y ~ a - b", "'b' is taken away but not there"},
      {"y ~ 0", "there is no column to explain with"},
      {"y ~ a - a - 1", "there is no column to explain with"},
      {"y ~ a ~ b", "expected +, -, * or :; at character 7 ('~ b')."},
      {"y ~ a*(1 | g)", "a group term is added: x + (1 | g); at character 6 ('*(1 | g)')."},
      {"y ~ a - (1 | g)", "a group term is added: x + (1 | g); at character 7 ('- (1 | g)')."},
      {"y ~ (1 | g):a + b", "a group term is added: x + (1 | g); at character 12 (':a + b')."}};
  for (const auto& [text, message] : cases) {
    EXPECT_NE(formula_mistake(text).find(message), std::string::npos) << text << "\n"
                                                                      << formula_mistake(text);
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

TEST_F(FormulaTable, AnInterceptAloneReadsNoFeature) {
  for (const char* formula : {"y ~ 1", "y ~ a - a"}) {
    const Loaded loaded = from(formula);
    EXPECT_EQ(loaded.table.rows, 3U) << formula;
    EXPECT_EQ(loaded.table.columns, Names{}) << formula;
    EXPECT_NE(loaded.note.find("3 rows x 0 features, response 'y'"), std::string::npos)
        << loaded.note;
  }
}

TEST_F(FormulaTable, OfACategoryEveryIndicatorIsMultiplied) {
  const Loaded loaded = from("y ~ c + a + c:a", {"c"});
  EXPECT_EQ(loaded.table.columns, (Names{"c=v", "c=w", "a", "c=v:a", "c=w:a"}));
  EXPECT_EQ(features(loaded), (std::vector<double>{0, 0, 2, 0, 0, 1, 0, 5, 5, 0, 0, 1, 1, 0, 1}));
  EXPECT_EQ(
      from("y ~ id*c", {"c", "id"}).table.columns,
      (Names{"id=k2", "id=k3", "c=v", "c=w", "id=k2:c=v", "id=k3:c=v", "id=k2:c=w", "id=k3:c=w"}));
}

TEST_F(FormulaTable, AReferenceIsTheLevelThatHasNoIndicator) {
  LoadSpec spec{.path = file_, .formula = "y ~ c + a", .categorical = {"c"}, .reference = {"c=v"}};
  const Loaded loaded = load(spec);
  EXPECT_EQ(loaded.table.columns, (Names{"c=u", "c=w", "a"}));
  EXPECT_EQ(features(loaded), (std::vector<double>{1, 0, 2, 0, 0, 5, 0, 1, 1}));
  EXPECT_EQ(loaded.table.levels.at("c"), (Names{"v", "u", "w"}));
  spec.reference = {"c=z"};
  EXPECT_EQ(refusal(dir_, spec).message, "column 'c' has no level 'z'; its levels are u, v, w.");
  spec.reference = {"a=2"};
  EXPECT_EQ(refusal(dir_, spec).message,
            "reference = a=2: there is no such categorical column; write column=level, and name "
            "the column in categorical.");
}

TEST_F(FormulaTable, ConstantsAreOfAllRowsAndCanBeGiven) {
  LoadSpec spec{.path = file_, .formula = "y ~ scale(a) + poly(b, 2)"};
  const Table table = load(spec).table;
  EXPECT_EQ(table.constants.at("scale(a)").size(), 2U);
  EXPECT_EQ(table.constants.at("poly(b, 2)").size(), 5U);
  const std::string one = dir_.write("one.csv", "a,b,y\n5,7,1\n");
  spec.path = one;
  spec.matches_earlier = true;
  spec.constants = table.constants;
  const Table row = load(spec).table;
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(row.x[j], table.x[3 + j]) << row.columns[j];
  }
  spec.constants["scale(a)"] = {1.0};
  EXPECT_EQ(refusal(dir_, spec).message, "the constants of 'scale(a)' are 2 numbers, not 1.");
}

TEST_F(FormulaTable, RowsWithoutAValueAreLeftOutWhereMissingOnesAre) {
  const std::string file = dir_.write("z.csv", "a,b,y\n,3,0\n0,3,1\n1,4,1\n-1,1,0\n3,2,0\n");
  const LoadSpec spec{.path = file, .formula = "y ~ log(a) + b", .missing = Missing::kDrop};
  const Loaded loaded = load(spec);
  EXPECT_EQ(features(loaded), (std::vector<double>{0, 4, std::log(3.0), 2}));
  EXPECT_EQ(loaded.table.response.values, (std::vector<double>{1, 0}));
  EXPECT_EQ(loaded.table.left_out, 3U);
  EXPECT_EQ(loaded.table.gaps.number_of(0), 2U);
  EXPECT_EQ(loaded.table.gaps.number_of(1), 4U);
  EXPECT_NE(loaded.note.find("; dropped 1 row with missing values and 2 rows for which a function "
                             "of the formula is not a number"),
            std::string::npos)
      << loaded.note;
  RowBlocks blocks(spec, {.rows = 2});
  std::vector<double> by_blocks;
  while (const std::optional<Table> rows = blocks.next()) {
    by_blocks.insert(by_blocks.end(), rows->x.begin(), rows->x.end());
  }
  EXPECT_EQ(by_blocks, features(loaded));
  EXPECT_EQ(blocks.note(), loaded.note);
  EXPECT_NE(refusal(dir_, {.path = file, .formula = "y ~ log(a - 9)", .missing = Missing::kDrop})
                .message.find("no rows are left of 5"),
            std::string::npos);
}

TEST_F(FormulaTable, FunctionsWithoutAnAnswerNameTheRowOfTheFile) {
  const std::string file = dir_.write("z.csv", "a,w,y\n1,0,0\n2,1,1\n0,1,1\n");
  EXPECT_EQ(
      refusal(dir_, {.path = file, .formula = "y ~ log(a)", .weights = "w"}).message,
      "column 'log(a)' is -inf in row 3, where a = 0; leave such rows out (missing = drop) or "
      "use another function.");
}

TEST_F(FormulaTable, FunctionsWithoutAnAnswerAreRefused) {
  const std::string file = dir_.write("z.csv", "a,b,c,y\n0,3,u,0\n5,3,v,1\n1,3,u,1\n");
  EXPECT_EQ(
      refusal(dir_, {.path = file, .formula = "y ~ log(a)"}).message,
      "column 'log(a)' is -inf in row 1, where a = 0; leave such rows out (missing = drop) or "
      "use another function.");
  EXPECT_EQ(
      refusal(dir_, {.path = file, .formula = "y ~ sqrt(a - b)"}).message,
      "column 'sqrt(a - b)' is not a number in row 1, where a = 0, b = 3; leave such rows out "
      "(missing = drop) or use another function.");
  EXPECT_EQ(refusal(dir_, {.path = file, .formula = "y ~ scale(b)"}).message,
            "'scale(b)': all values are equal; leave it out.");
  EXPECT_EQ(refusal(dir_, {.path = file, .formula = "y ~ poly(a, 3)"}).message,
            "'poly(a, 3)': there are only 3 different values; the degree must be less.");
  EXPECT_EQ(refusal(dir_, {.path = file, .formula = "y ~ bs(a, 3)"}).message,
            "'bs(a, 3)': there are only 3 different values; the degrees of freedom must be less.");
  EXPECT_EQ(refusal(dir_, {.path = file, .formula = "y ~ bs(b, 3)"}).message,
            "'bs(b, 3)': all values are equal; leave it out.");
  EXPECT_EQ(refusal(dir_, {.path = file, .formula = "y ~ bs(c, 3)"}).kind, ErrorKind::kData);
  EXPECT_EQ(refusal(dir_, {.path = file, .formula = "y ~ bs(c, 3)", .categorical = {"c"}}).message,
            "formula: 'c' is a category, and 'bs(c, 3)' needs numbers.");
  const LoadSpec category{.path = file, .formula = "y ~ c^2", .categorical = {"c"}};
  EXPECT_EQ(refusal(dir_, category).message,
            "formula: 'c' is a category, and 'c^2' needs numbers.");
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

TEST(Formula, OfAnotherPredictorMayBeAnInterceptAlone) {
  EXPECT_TRUE(parse_predictor("sigma ~ 1").intercept);
  EXPECT_TRUE(parse_predictor("~ 1").columns().empty());
  EXPECT_EQ(parse_predictor("sigma ~ a - 1").columns(), Names{"a"});
  EXPECT_THROW((void)parse_predictor("sigma ~ 0"), Error);
}

TEST_F(FormulaTable, OfSeveralPredictorsReadsWhatAnyNeeds) {
  const Loaded loaded = load({.path = file_,
                              .formula = "y ~ . - a - id - c",
                              .formulas = {{"sigma", "sigma ~ a"}, {"nu", "~ a:b - 1"}}});
  const auto has = [&](const std::string& name) {
    return std::ranges::find(loaded.table.columns, name) != loaded.table.columns.end();
  };
  EXPECT_TRUE(has("a") && has("b") && has("a:b"));
  EXPECT_EQ(loaded.predictors.at("sigma").columns, Names{"a"});
  EXPECT_EQ(loaded.predictors.at("nu").columns, Names{"a:b"});
  EXPECT_FALSE(loaded.predictors.at("nu").intercept);
  const Names& first = loaded.predictors.at("").columns;
  EXPECT_EQ(std::ranges::count(first, "a") + std::ranges::count(first, "a:b"), 0);
  EXPECT_EQ(std::ranges::count(first, "b"), 1);
  EXPECT_EQ(first.size() + 2, loaded.table.columns.size());
}

TEST(Formula, OfAnotherPredictorHasNoGroupTerms) {
  EXPECT_EQ(formula_mistake("sigma ~ a + (1 | g)", parse_predictor),
            "formula = 'sigma ~ a + (1 | g)': only the first predictor, that of the response, has "
            "group terms.");
}

TEST(Formula, UnitedNamesAProductAsTheFirstThatHasIt) {
  const Formula all = unite({parse_formula("y ~ b*a"), parse_predictor("sigma ~ log(c) + a:b:c"),
                             parse_predictor("nu ~ a:b + c:b:a")});
  EXPECT_EQ(terms_of(all), (Names{"b", "a", "log(c)", "b:a", "a:b:c"}));
  EXPECT_EQ(all.response, "y");
}

TEST(Formula, UnitedTakesAwayWhatAllTakeAway) {
  const auto removed = [](const std::string& first, const std::string& other) {
    return unite({parse_formula(first), parse_predictor(other)}).removed;
  };
  EXPECT_EQ(removed("y ~ . - a - b", "s ~ . - b - c"), Names{"b"});
  EXPECT_EQ(removed("y ~ . - a - b", "s ~ c"), (Names{"a", "b"}));
  EXPECT_EQ(removed("y ~ c", "s ~ . - b"), Names{"b"});
}

// A category has the levels in each formula that it has there alone; the table has every column
// once.
TEST_F(FormulaTable, OfSeveralPredictorsCodesCategoriesInEach) {
  const Loaded loaded = load({.path = file_,
                              .formula = "y ~ a + c",
                              .formulas = {{"p", "p ~ 0 + c"}, {"q", "q ~ c:a"}, {"r", "~ a*c"}},
                              .categorical = {"c"}});
  EXPECT_EQ(loaded.predictors.at("").columns, (Names{"a", "c=v", "c=w"}));
  EXPECT_EQ(loaded.predictors.at("p").columns, (Names{"c=u", "c=v", "c=w"}));
  EXPECT_EQ(loaded.predictors.at("q").columns, (Names{"c=u:a", "c=v:a", "c=w:a"}));
  EXPECT_EQ(loaded.predictors.at("r").columns, (Names{"a", "c=v", "c=w", "c=v:a", "c=w:a"}));
  EXPECT_EQ(loaded.table.columns, (Names{"a", "c=v", "c=w", "c=u", "c=u:a", "c=v:a", "c=w:a"}));
  EXPECT_EQ(features(loaded), (std::vector<double>{2, 0, 0, 1, 2, 0, 0,  //
                                                   5, 1, 0, 0, 0, 5, 0,  //
                                                   1, 0, 1, 0, 0, 0, 1}));
}

TEST_F(FormulaTable, OfSeveralPredictorsHaveFunctionsAndConstants) {
  const Loaded loaded = load({.path = file_,
                              .formula = "y ~ poly(a, 2)",
                              .formulas = {{"s", "s ~ scale(b) + log(a) + poly(a, 2)"}}});
  EXPECT_EQ(loaded.table.columns, (Names{"poly(a, 2)1", "poly(a, 2)2", "scale(b)", "log(a)"}));
  EXPECT_EQ(loaded.predictors.at("s").columns,
            (Names{"scale(b)", "log(a)", "poly(a, 2)1", "poly(a, 2)2"}));
  EXPECT_EQ(loaded.table.constants.size(), 2U);
  EXPECT_EQ(loaded.table.x[3], std::log(2.0));
}

TEST_F(FormulaTable, OfSeveralPredictorsLeavesOutWhatIsDropped) {
  const Loaded loaded =
      load({.path = file_, .response = "y", .drop = {"id", "c"}, .formulas = {{"s", "s ~ ."}}});
  EXPECT_EQ(loaded.predictors.at("s").columns, (Names{"a", "b"}));
  EXPECT_EQ(loaded.table.columns, (Names{"a", "b"}));
}

TEST_F(FormulaTable, OfSeveralPredictorsReadsAColumnInOneWay) {
  EXPECT_EQ(refusal(dir_, {.path = file_, .formula = "y ~ a", .formulas = {{"s", "~ factor(a)"}}})
                .message,
            "formula: 'factor(a)' and 'a' read one column in two ways, add a copy of it to the "
            "file.");
  const Loaded loaded =
      load({.path = file_, .formula = "y ~ . - id - c", .formulas = {{"s", "~ factor(a)"}}});
  EXPECT_EQ(loaded.predictors.at("").columns, (Names{"a=2", "a=5", "b"}));
  EXPECT_EQ(loaded.table.columns, (Names{"a=2", "a=5", "b"}));
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
