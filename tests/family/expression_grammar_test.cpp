// What is wrong with a likelihood typed as text, where, and what to write instead.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "family/auto/expression.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// What is said of a text with predictors mu and size and columns y and `my col`; empty: nothing.
std::string said_of(const std::string& text,
                    const std::vector<std::string>& predictors = {"mu", "size"},
                    const std::vector<std::string>& columns = {"y", "my col"}) {
  try {
    (void)Expression(text, predictors, columns);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    const std::string what = error.what();
    const std::string head =
        Message(Setting{"likelihood", shortened(text)}).in(field_wording()) + ": ";
    EXPECT_EQ(what.substr(0, head.size()), head);
    return what.substr(head.size());
  }
  return {};
}

struct Mistake {
  const char* text;
  const char* said;
};

void expect_said(std::span<const Mistake> mistakes) {
  for (const Mistake& mistake : mistakes) {
    EXPECT_EQ(said_of(mistake.text), mistake.said) << mistake.text;
  }
}

TEST(ExpressionGrammar, ReadsWhatItSays) {
  for (const char* text :
       {"mu + size", " mu\t+\nsize ; ", "`my col`*mu + size", "a = mu; b = a + size; b*b",
        "a.1 = mu*size; _b = y; a.1 - _b", "exp = 2; exp(exp*mu) + size", "-mu - -size",
        "mu^-.5e-1*size", "2.*mu + .5*size", "if(not not y == 1 and (y > 2 or y < 3), mu, size)",
        "((((mu))))*size", "lrising(exp(mu), y) + pow(exp(size), y)"}) {
    EXPECT_EQ(said_of(text), "") << text;
  }
  EXPECT_EQ(said_of("größe*π", {"größe"}, {"π"}), "");
}

TEST(ExpressionGrammar, NamesThePlaceOfAMistake) {
  constexpr Mistake kMistakes[] = {
      {"",
       "the log density is missing, at character 1 (the end); expected an expression after the "
       "definitions."},
      {"mu +",
       "the text ends too early, at character 5 (the end); expected a number, a name, a function "
       "or a parenthesis."},
      {"mu + * y",
       "unexpected text, at character 6 ('* y'); expected a number, a name, a function or a "
       "parenthesis."},
      {"(mu + y", "the text ends too early, at character 8 (the end); expected ')'."},
      {"mu + y)", "unexpected text, at character 7 (')'); expected an operator or the end."},
      {"exp(mu", "the text ends too early, at character 7 (the end); expected ')'."},
      {"exp mu", "exp is a function, at character 1 ('exp mu'); expected exp(...)."},
      {"exp", "exp is a function, at character 1 ('exp'); expected exp(...)."},
      {"exp()",
       "unexpected text, at character 5 (')'); expected a number, a name, a function or a "
       "parenthesis."},
      {"2 mu", "unexpected text, at character 3 ('mu'); expected an operator or the end."},
      {"2mu",
       "a number and a name without an operator, at character 2 ('mu'); expected one, such as *, "
       "between."},
      {"1.2.3*mu",
       "a number and a name without an operator, at character 4 ('.3*mu'); expected one, such as "
       "*, between."},
      {"1e999*mu",
       "a number too large or too small, at character 1 ('1e999*mu'); expected one between 1e-308 "
       "and 1e308."},
      {"mu @ y", "unexpected text, at character 4 ('@ y'); expected an operator or the end."},
      {"mu + size # note",
       "unexpected text, at character 11 ('# note'); expected an operator or the end."},
      {"mu + \001",
       "unexpected text, at character 6 ('\\x01'); expected a number, a name, a function or a "
       "parenthesis."},
      {"mu + +size",
       "unexpected text, at character 6 ('+size'); expected a number, a name, a function or a "
       "parenthesis."},
      {"`my*mu",
       "a name in backquotes is empty or not closed, at character 1 ('`my*mu'); expected `name`."},
      {"r = exp(size);\nmu + r*\n  @",
       "unexpected text, at line 3, character 3 ('@'); expected a number, a name, a function or a "
       "parenthesis."},
      {"größe + \t*",
       "no name 'größe', at character 1 ('größe + \\t*'); names are mu, size, y, my col."},
      {"r = exp(mu)", "the text ends too early, at character 12 (the end); expected ';'."},
      {"r = exp(mu);",
       "the log density is missing, at character 13 (the end); expected an expression after the "
       "definitions."},
      {"r = exp(mu) mu", "unexpected text, at character 13 ('mu'); expected an operator or ';'."},
      {"r = exp(mu); mu; size",
       "an expression that is not the last has no name, at character 14 ('mu; size'); expected "
       "name = before it."},
      {"mu = 3; mu", "'mu' is taken, at character 1 ('mu = 3; mu'); choose another name."},
      {"r = exp(mu); r = 2; r", "'r' is taken, at character 14 ('r = 2; r'); choose another name."},
      {"if = 3; mu", "'if' is taken, at character 1 ('if = 3; mu'); choose another name."},
      {"mu = = 3", "'mu' is taken, at character 1 ('mu = = 3'); choose another name."},
      {"pow(mu)", "pow has 1 operand, at character 1 ('pow(mu)'); expected 2."},
      {"exp(mu, size)", "exp has 2 operands, at character 1 ('exp(mu, size)'); expected 1."},
      {"lrising(size)", "lrising has 1 operand, at character 1 ('lrising(size)'); expected 2."},
      {"if(y > 0, mu)", "unexpected text, at character 13 (')'); expected an operator or ','."},
      {"if(y > 0, mu, 1, 2)",
       "unexpected text, at character 16 (', 2)'); expected an operator or ')'."},
      {"if y > 0", "if is a function, at character 4 ('y > 0'); expected if(condition, a, b)."},
      {"mu and size (",
       "a condition on a predictor is not smooth, at character 1 ('mu and size ('); write b + (a - "
       "b)*sigmoid((x - c)/e) for if(x > c, a, b), with a small number e."},
  };
  expect_said(kMistakes);
}

TEST(ExpressionGrammar, GuessesWhatWasMeant) {
  constexpr Mistake kMistakes[] = {
      {"nu + y", "no name 'nu', at character 1 ('nu + y'); did you mean 'mu'?"},
      {"Size + mu", "no name 'Size', at character 1 ('Size + mu'); did you mean 'size'?"},
      {"mu + sizé", "no name 'sizé', at character 6 ('sizé'); did you mean 'size'?"},
      {"zzz + mu", "no name 'zzz', at character 1 ('zzz + mu'); names are mu, size, y, my col."},
      {"lgama(size)",
       "no function 'lgama', at character 1 ('lgama(size)'); did you mean 'lgamma'?"},
      {"sinh(mu)",
       "no function 'sinh', at character 1 ('sinh(mu)'); functions are exp, expm1, log, log1p, "
       "sqrt, pow, square, softplus, sigmoid, log_sigmoid, tanh, log1mexp, lgamma, digamma, "
       "lrising, std_normal_lcdf, abs, max, min, step, floor, if."},
      {"ln(mu)", "no function 'ln', at character 1 ('ln(mu)'); write log(x)."},
      {"inv_logit(mu)",
       "no function 'inv_logit', at character 1 ('inv_logit(mu)'); write sigmoid(x)."},
      {"Phi(mu)", "no function 'Phi', at character 1 ('Phi(mu)'); write exp(std_normal_lcdf(x))."},
      {"mu(3)",
       "'mu' is no function, at character 1 ('mu(3)'); expected an operator, such as *, before the "
       "parenthesis."},
      {"mu**2", "** is not read, at character 3 ('**2'); write x^2."},
      {"mu ? 1 : 2", "? is not read, at character 4 ('? 1 : 2'); write if(condition, a, b)."},
      {"if(y > 0 && y < 3, mu, size)",
       "&& is not read, at character 10 ('&& y < 3, mu, size)'); write and."},
      {"if(y > 0 | y < 3, mu, size)",
       "| is not read, at character 10 ('| y < 3, mu, size)'); write or."},
      {"if(!y, mu, size)", "! is not read, at character 4 ('!y, mu, size)'); write not."},
      {"if(y = 0, mu, size)",
       "= only defines a name, at character 6 ('= 0, mu, size)'); to compare write ==; a name may "
       "be defined once."},
      {"if(0 < y < 3, mu, size)",
       "two comparisons in a row, at character 10 ('< 3, mu, size)'); write a < b and b < c for a "
       "< b < c."},
  };
  expect_said(kMistakes);
}

TEST(ExpressionGrammar, NamesTheSmoothFormOfWhatIsNot) {
  constexpr Mistake kMistakes[] = {
      {"abs(mu)",
       "abs of a predictor is not smooth, at character 1 ('abs(mu)'); write sqrt(square(x) + e*e) "
       "for abs(x), with a small number e."},
      {"size*max( mu, 0)",
       "max of a predictor is not smooth, at character 6 ('max( mu, 0)'); write b + e*softplus((a "
       "- b)/e) for max(a, b), with a small number e."},
      {"min(1, mu)",
       "min of a predictor is not smooth, at character 1 ('min(1, mu)'); write b - e*softplus((b - "
       "a)/e) for min(a, b), with a small number e."},
      {"step(mu)",
       "step of a predictor is not smooth, at character 1 ('step(mu)'); write sigmoid(x/e) for "
       "step(x), with a small number e."},
      {"floor(mu)",
       "floor of a predictor is not smooth, at character 1 ('floor(mu)'); there is no smooth one; "
       "take it of data."},
      {"if(mu > 0, 1, 2)",
       "a comparison of predictors is not smooth, at character 7 ('> 0, 1, 2)'); write b + (a - "
       "b)*sigmoid((x - c)/e) for if(x > c, a, b), with a small number e."},
      {"if(y == exp(size), 1, 2)",
       "a comparison of predictors is not smooth, at character 6 ('== exp(size), 1, 2)'); write b "
       "+ (a - b)*sigmoid((x - c)/e) for if(x > c, a, b), with a small number e."},
      {"if(mu, 1, 2)",
       "a condition on a predictor is not smooth, at character 4 ('mu, 1, 2)'); write b + (a - "
       "b)*sigmoid((x - c)/e) for if(x > c, a, b), with a small number e."},
      {"r = 2*mu;\nmax(y, r)",
       "max of a predictor is not smooth, at line 2, character 1 ('max(y, r)'); write b + "
       "e*softplus((a - b)/e) for max(a, b), with a small number e."},
      {"mu^size",
       "an exponent has no predictors, at character 4 ('size'); write exp(b*log(a)) for a^b."},
      {"pow(mu, size)",
       "an exponent has no predictors, at character 9 ('size)'); write exp(b*log(a)) for a^b."},
      {"lrising(size, mu)",
       "the second operand of lrising has no predictors, at character 15 ('mu)'); write lgamma(a + "
       "b) - lgamma(a) for lrising(a, b)."},
  };
  expect_said(kMistakes);
}

TEST(ExpressionGrammar, KeepsConditionsAndNumbersApart) {
  constexpr Mistake kMistakes[] = {
      {"if(y, mu, 2)",
       "a number is no condition, at character 4 ('y, mu, 2)'); expected one on data, such as y > "
       "0."},
      {"mu + (y > 0)",
       "a condition is no number, at character 6 ('(y > 0)'); write if(condition, 1, 0)."},
      {"2*(y > 0)",
       "a condition is no number, at character 3 ('(y > 0)'); write if(condition, 1, 0)."},
      {"y > 0", "a condition is no number, at character 1 ('y > 0'); write if(condition, 1, 0)."},
      {"-(y > 0)",
       "a condition is no number, at character 2 ('(y > 0)'); write if(condition, 1, 0)."},
      {"(y > 0)^2",
       "a condition is no number, at character 1 ('(y > 0)^2'); write if(condition, 1, 0)."},
      {"exp(y > 0)",
       "a condition is no number, at character 5 ('y > 0)'); write if(condition, 1, 0)."},
      {"if(y > 0, y > 1, mu)",
       "a condition is no number, at character 11 ('y > 1, mu)'); write if(condition, 1, 0)."},
      {"not y",
       "a number is no condition, at character 5 ('y'); expected one on data, such as y > 0."},
      {"y and y > 0",
       "a number is no condition, at character 1 ('y and y > 0'); expected one on data, such as y "
       "> 0."},
      {"y > 0 or mu",
       "a condition on a predictor is not smooth, at character 10 ('mu'); write b + (a - "
       "b)*sigmoid((x - c)/e) for if(x > c, a, b), with a small number e."},
      {"(y > 0) < 1",
       "a condition is no number, at character 1 ('(y > 0) < 1'); write if(condition, 1, 0)."},
  };
  expect_said(kMistakes);
}

TEST(ExpressionGrammar, SaysWhatIsTooLong) {
  EXPECT_EQ(said_of(std::string(65, '(') + "mu"),
            "nested more than 64 deep, at character 65 ('(mu'); give the inner parts names.");
  EXPECT_EQ(said_of(std::string(65, '-') + "mu"),
            "nested more than 64 deep, at character 65 ('-mu'); give the inner parts names.");
  EXPECT_EQ(said_of(std::string(11'000, '1')), "11,000 characters; at most 10,000 are read.");
  const std::string remedy =
      "; make the expression shorter, or add columns to the data that hold parts of it.";
  std::string many = "size";
  std::string numbers = "mu*size";
  std::string choices = "mu*size";
  std::string alive;
  std::string sum = "size";
  for (int i = 0; i < 600; ++i) {
    many += "+mu-size";
  }
  for (int i = 0; i < 300; ++i) {
    numbers += fmt::format("+{}*mu", i + 2);
  }
  for (int i = 0; i < 6; ++i) {
    choices += fmt::format("+if(y=={},mu,0)", i);
  }
  for (int i = 1; i <= 150; ++i) {  // the first with the last, and so on
    alive += fmt::format("t{0}=exp(mu/{0});", i);
    sum += fmt::format("+t{}*t{}", i, 151 - i);
  }
  EXPECT_EQ(said_of(many), "more than 1,000 operations" + remedy);
  EXPECT_EQ(said_of(numbers), "more than 256 numbers and operations on data" + remedy);
  EXPECT_EQ(said_of(choices), "more than 32 combinations of conditions" + remedy);
  EXPECT_EQ(said_of(alive + sum), "more than 62 values at a time" + remedy);
}

// Values that are operands again and again are looked at once: no text takes long.
TEST(ExpressionGrammar, ReadsDoublingSumsInNoTime) {
  std::string text = "a0 = exp(mu) + exp(size);";
  for (int i = 1; i <= 200; ++i) {
    text += fmt::format("a{0} = a{1} + a{1};", i, i - 1);
  }
  EXPECT_EQ(said_of(text + "log(a200) + lgamma(a200) - lgamma(a200 + y)"), "");
}

TEST(ExpressionGrammar, ChecksTheNamesItIsGiven) {
  EXPECT_EQ(said_of("mu", {}, {"y"}), "0 predictors; give one to 4.");
  EXPECT_EQ(said_of("mu", {"mu", "a", "b", "c", "d"}, {"y"}), "5 predictors; give one to 4.");
  EXPECT_EQ(said_of("mu", {"mu"}, {}), "no column of data; give the response at least.");
  EXPECT_EQ(said_of("mu", {"mu"}, {"mu"}),
            "name 'mu' is empty or given twice; predictors and columns have names of their own.");
  EXPECT_EQ(said_of("mu", {"mu"}, {""}),
            "name '' is empty or given twice; predictors and columns have names of their own.");
  EXPECT_EQ(said_of("mu*y"),
            "predictor 'size' does not occur; use it in the log density, or leave it out of the "
            "predictors.");
  EXPECT_EQ(said_of("a = size; mu*y"),
            "predictor 'size' does not occur; use it in the log density, or leave it out of the "
            "predictors.");
}

}  // namespace
}  // namespace flymc
