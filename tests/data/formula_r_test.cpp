// Columns of a formula against R's model.matrix: by R itself where it is installed, and by numbers
// that R 4.2 gave.
#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "data/load_support.hpp"
#include "data/table/formula.hpp"
#include "support/r_here.hpp"

namespace flymc {
namespace {

using testing::TempDir;
using Names = std::vector<std::string>;

// 24 rows, a category of three, one of two, no combination missing.
std::string table_csv() {
  std::string text = "x,z,f,g,k,y\n";
  for (int n = 0; n < 24; ++n) {
    const double x = 1.0 + ((7 * n + 3) % 11) / 4.0;
    const double z = ((5 * n + 1) % 13) / 3.0 - 2.0;
    constexpr double kLevels[] = {-3.0, 2.0, 10.0, 1.5};  // by bytes 10 would come before 2
    text += fmt::format("{},{},{},{},{},{}\n", x, z, "abc"[n % 3], "uv"[(n / 3) % 2],
                        kLevels[n % 4], n % 2);
  }
  return text;
}

struct Case {
  const char* formula;
  const char* in_r = nullptr;  // where R says it otherwise
};

constexpr Case kCases[] = {
    {"y ~ x"},
    {"y ~ x + z - 1"},
    {"y ~ x*z"},
    {"y ~ f"},
    {"y ~ f - 1"},
    {"y ~ 0 + x + f + g"},
    {"y ~ f + g - 1"},
    {"y ~ f:x"},
    {"y ~ x:f"},
    {"y ~ x + f:x"},
    {"y ~ f + f:x"},
    {"y ~ f*x"},
    {"y ~ f*x - f"},
    {"y ~ f*x - 1"},
    {"y ~ f:x - 1"},
    {"y ~ f:g"},
    {"y ~ f:g - 1"},
    {"y ~ f + f:g"},
    {"y ~ g + f:g"},
    {"y ~ f*g"},
    {"y ~ f*g*x"},
    {"y ~ f:g:x"},
    {"y ~ x + f:g:x"},
    {"y ~ f:g + f:x + g:x"},
    {"y ~ z + x:z"},
    {"y ~ (x + z + f)^2"},
    {"y ~ (x + z + f + g)^3"},
    {"y ~ (x + f):g"},
    {"y ~ (x + z)*f"},
    {"y ~ (f + g)^2 - f:g"},
    {"y ~ x^2", "y ~ I(x^2)"},
    {"y ~ x + I(x^2)"},
    {"y ~ I(x * z) + I((x - z)^2 / 2)"},
    {"y ~ I(-x^2) + I(2^-x)"},
    {"y ~ log(x) + sqrt(x) + exp(z) + abs(z)"},
    {"y ~ log(x + 1) + log1p(x) + log2(x) + log10(x) + expm1(z)"},
    {"y ~ f:log(x)"},
    {"y ~ scale(x)"},
    {"y ~ scale(log(x)) + scale(z)"},
    {"y ~ scale(x):f"},
    {"y ~ poly(x, 1)"},
    {"y ~ poly(x, 2)"},
    {"y ~ poly(z, 5)"},
    {"y ~ poly(x, 3)*g"},
    {"y ~ poly(log(x), 2) + poly(z, 3):poly(x, 2)"},
    {"y ~ bs(x, 3)"},
    {"y ~ bs(x, 5)"},
    {"y ~ bs(z, df = 8)"},
    {"y ~ bs(log(x), 4)*g + poly(z, 2)"},
    {"y ~ bs(k, 3) + bs(x, 4):bs(z, 6)"},
    {"y ~ factor(k)"},
    {"y ~ factor(k):x"},
    {"y ~ x + factor(k) - 1"},
    {"y ~ ."},
    {"y ~ . - k - 1"},
    {"y ~ g + . - z"},
    {"y ~ log(x) + ."},
    {"y ~ . + g:x"},
    {"y ~ f:x + . - k"},
    {"y ~ . - x + f:x"},
};

// Those of f and g that the formula has.
Names categories_in(const std::string& text) {
  const Formula formula = parse_formula(text);
  const Names columns = formula.columns();
  Names categories;
  for (const char* name : {"f", "g"}) {
    if (formula.all_others || std::find(columns.begin(), columns.end(), name) != columns.end()) {
      categories.push_back(name);
    }
  }
  return categories;
}

// Rows of numbers for each formula, without R's intercept.
std::string r_script(const std::string& csv) {
  std::string script = fmt::format(
      "library(splines)\nd <- read.csv('{}', stringsAsFactors = TRUE)\n"
      "show <- function(formula) {{\n"
      "  m <- model.matrix(formula, d)\n"
      "  m <- m[, colnames(m) != '(Intercept)', drop = FALSE]\n"
      "  cat(ncol(m), '\\n'); write.table(format(m, digits = 17), quote = FALSE,\n"
      "    row.names = FALSE, col.names = FALSE)\n}}\n",
      csv);
  for (const Case& one : kCases) {
    script += fmt::format("show({})\n", one.in_r != nullptr ? one.in_r : one.formula);
  }
  return script;
}

TEST(FormulaInR, HasTheColumnsOfModelMatrix) {
  if (!testing::has_r_package("splines")) {
    GTEST_SKIP() << "no Rscript here";
  }
  const TempDir dir;
  const std::string csv = dir.write("t.csv", table_csv());
  const std::string script = dir.write("show.R", r_script(csv));
  std::istringstream in_r(testing::output_of_r(script));
  for (const Case& one : kCases) {
    const Table table =
        load({.path = csv, .formula = one.formula, .categorical = categories_in(one.formula)})
            .table;
    std::size_t columns = 0;
    in_r >> columns;
    ASSERT_EQ(table.columns.size(), columns) << one.formula;
    for (std::size_t i = 0; i < table.rows * columns; ++i) {
      double expected = 0.0;
      ASSERT_TRUE(in_r >> expected) << one.formula;
      // Orthogonal polynomials come from other sums than R's; all else is the same arithmetic.
      ASSERT_NEAR(table.x[i], expected, 1e-11 * (1.0 + std::abs(expected)))
          << one.formula << ", " << table.columns[i % columns] << ", row " << i / columns;
    }
  }
}

// x = 1, 2, 4, 7; f = a, b, a, b.
class FormulaNumbers : public ::testing::Test {
 protected:
  void expect(const std::string& formula, const Names& names,
              const std::vector<double>& expected) const {
    const Table table =
        load({.path = file_, .formula = formula, .categorical = categories_in(formula)}).table;
    EXPECT_EQ(table.columns, names) << formula;
    ASSERT_EQ(table.x.size(), expected.size()) << formula;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(table.x[i], expected[i], 1e-14) << formula << ", number " << i;
    }
  }

  TempDir dir_;
  std::string file_ = dir_.write("t.csv", "x,f,y\n1,a,0\n2,b,1\n4,a,1\n7,b,0\n");
};

TEST_F(FormulaNumbers, OfFunctions) {
  expect("y ~ x^2", {"x^2"}, {1, 4, 16, 49});
  expect("y ~ I( x ^2/2)", {"I(x^2/2)"}, {0.5, 2, 8, 24.5});
  expect("y ~ log(x)+sqrt(x)", {"log(x)", "sqrt(x)"},
         {0, 1, 0.69314718055994529, 1.4142135623730951, 1.3862943611198906, 2, 1.9459101490553132,
          2.6457513110645907});
}

TEST_F(FormulaNumbers, OfAllRows) {
  expect("y ~ scale(x)", {"scale(x)"},
         {-0.94491118252306805, -0.56694670951384085, 0.18898223650461363, 1.3228756555322954});
  expect("y ~ poly(x, 2)", {"poly(x, 2)1", "poly(x, 2)2"},
         {-0.54554472558998102, 0.51282259406837072, -0.32732683535398849, -0.17094086468945702,
          0.10910894511799622, -0.74074374698764656, 0.76376261582597327, 0.39886201760873286});
}

TEST(FormulaNumbersOfSplines, AreThoseOfR) {
  const TempDir dir;
  const std::string file = dir.write("t.csv", "x,y\n1,0\n2,1\n4,1\n7,0\n11,0\n16,1\n");
  const Table table = load({.path = file, .formula = "y ~ bs(x, df=4)"}).table;
  EXPECT_EQ(table.columns, (Names{"bs(x, 4)1", "bs(x, 4)2", "bs(x, 4)3", "bs(x, 4)4"}));
  EXPECT_EQ(table.constants.at("bs(x, 4)"), (std::vector<double>{1, 5.5, 16}));
  const std::vector<double> expected = {0,
                                        0,
                                        0,
                                        0,
                                        0.48932784636488335650,
                                        0.03917695473251028154,
                                        0.00098765432098765434,
                                        0,
                                        0.67851851851851852082,
                                        0.25777777777777777235,
                                        0.02666666666666666144,
                                        0,
                                        0.30857142857142849657,
                                        0.48489795918367339933,
                                        0.20361516034985421841,
                                        0.00291545189504373173,
                                        0.05291005291005290712,
                                        0.29478458049886624437,
                                        0.50858438613540657425,
                                        0.14372098045567432978,
                                        0,
                                        0,
                                        0,
                                        1};
  ASSERT_EQ(table.x.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(table.x[i], expected[i], 1e-14) << "number " << i;
  }
}

TEST_F(FormulaNumbers, ACategoryWithoutMainEffectHasASlopeForEveryLevel) {
  expect("y ~ x:f", {"x:f=a", "x:f=b"}, {1, 0, 0, 2, 4, 0, 0, 7});
  expect("y ~ x*f", {"x", "f=b", "x:f=b"}, {1, 0, 0, 2, 1, 2, 4, 0, 0, 7, 1, 7});
  expect("y ~ f - 1", {"f=a", "f=b"}, {1, 0, 0, 1, 1, 0, 0, 1});
}

}  // namespace
}  // namespace flymc
