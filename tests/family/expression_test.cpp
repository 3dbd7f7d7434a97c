// Likelihoods as text mean what they say on every scalar type: docs/method/automatic.md,
// Likelihoods as text.
#include "family/auto/expression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "family/auto/typed_density.hpp"
#include "flymc/detail/family/auto/curvature.hpp"
#include "flymc/detail/family/auto/functions.hpp"
#include "flymc/family/automatic.hpp"
#include "support/densities.hpp"
#include "support/random_likelihood.hpp"
#include "support/random_region.hpp"

namespace flymc {
namespace {

using smooth::Dual;
using smooth::Jet2;
using smooth::Packed;
using smooth::Remainder;
using smooth::Slope;
using smooth::Value;
using typed::Op;
using unit::each;
using unit::Exact;
using unit::parabola;
using unit::RandomLikelihood;
using unit::RandomRegion;
using unit::Real;

// A value that went through memory: the compiler fuses no product with a sum after it, as it cannot
// between two steps of a tape.
template <class T>
[[nodiscard]] T kept(T x) {
  asm volatile("" : "+m"(x));
  return x;
}

// The templates that the texts beside them are, operation by operation.
struct TypedNegativeBinomial {
  static constexpr int kPredictors = 2;
  static constexpr const char* kText =
      "r = exp(size);\nx = mu - size;\nlrising(r, y) + y*x - (r + y)*softplus(x)";
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double y) const {
    const T r = kept(exp(eta[1]));
    const T x = eta[0] - eta[1];
    return kept(lrising(r, y)) + kept(y * x) - kept((r + y) * kept(softplus(x)));
  }
};

struct TypedStudent {
  static constexpr int kPredictors = 3;
  static constexpr const char* kText =
      "df = exp(nu); half = 0.5*(df + 1); z = (y - mu)*exp(-size);"
      "lgamma(half) - lgamma(0.5*df) - 0.5*nu - size - half*log1p(square(z)*exp(-nu))";
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 3>& eta, double y) const {
    const T df = kept(exp(eta[2]));
    const T half = kept(0.5 * (df + 1.0));
    const T z = kept((y - eta[0]) * kept(exp(kept(-eta[1]))));
    const T tail = kept(log1p(kept(kept(square(z)) * kept(exp(kept(-eta[2]))))));
    return kept(lgamma(half)) - kept(lgamma(kept(0.5 * df))) - kept(0.5 * eta[2]) - eta[1] -
           kept(half * tail);
  }
};

struct TypedZeroInflated {
  static constexpr int kPredictors = 2;
  static constexpr const char* kText =
      "if(y > 0, log_sigmoid(-size) + y*mu - exp(mu),"
      "          softplus(-exp(mu) - size) - softplus(-size))";
  template <class T>
  [[nodiscard]] T log_density(const std::array<T, 2>& eta, double y) const {
    const T minus = kept(-eta[1]);
    const T mean = kept(exp(eta[0]));
    if (y > 0.0) {
      return kept(-kept(softplus(eta[1]))) + kept(y * eta[0]) - mean;
    }
    return kept(softplus(kept(-mean) - eta[1])) - kept(softplus(minus));
  }
};

template <int P>
[[nodiscard]] std::vector<std::string> first_names() {
  const std::vector<std::string> all{"mu", "size", "nu", "tau"};
  return {all.begin(), all.begin() + P};
}

template <class Density>
void expect_same_bits(std::uint64_t seed) {
  constexpr int P = Density::kPredictors;
  const Expression expression(Density::kText, first_names<P>(), {"y"});
  Stream stream(seed, 0, Purpose::kTest, 0);
  for (int i = 0; i < 2000; ++i) {
    const auto anchor = each<P, double>([&](std::size_t) { return stream.normal(); });
    const double y = std::floor(8.0 * stream.uniform() * stream.uniform());
    const Expression::Row row = expression.row({&y, 1});
    const RandomRegion<P> region(stream, 0.05 * std::pow(10.0, -2.0 * stream.uniform()));
    Packed<P> by_template{};
    Packed<P> by_tape{};
    const bool has_bound =
        smooth::local_curvature<P>([&](const auto& eta) { return Density{}.log_density(eta, y); },
                                   anchor, region.region, by_template);
    ASSERT_EQ(smooth::local_curvature<P>([&](const auto& eta) { return row.log_density(eta); },
                                         anchor, region.region, by_tape),
              has_bound);
    if (has_bound) {
      ASSERT_EQ(by_tape, by_template) << "row " << i;
    }
    const auto u = region.point(stream);
    const auto inputs = each<P, Remainder<P>>(
        [&](std::size_t k) { return Remainder<P>::variable(anchor[k], u[k], k); });
    const Remainder<P> moved = Density{}.log_density(inputs, y);
    const Remainder<P> got = row.log_density(inputs);
    ASSERT_EQ(got.value, moved.value);
    ASSERT_EQ(got.rest, moved.rest);
    ASSERT_EQ(got.slope_change, moved.slope_change);
  }
}

TEST(Expressions, EqualTemplatesBitForBit) {
  expect_same_bits<TypedNegativeBinomial>(61);
  expect_same_bits<TypedStudent>(62);
  expect_same_bits<TypedZeroInflated>(63);
}

struct TypedCounts {
  template <class T>
  [[nodiscard]] T log_density(const T& eta, double y) const {
    return kept(y * eta) - kept(3.7 * kept(softplus(eta - std::log(1.7))));
  }
};

TEST(Expressions, OfOnePredictorAreAutomaticLikelihoods) {
  const Typed<1> typed("y*eta - 3.7*softplus(eta - log(1.7))", {"eta"});
  static_assert(BoundedMatrix<Typed<1>>);
  const Automatic<TypedCounts> by_template;
  constexpr double kVariance = 0.25;
  constexpr bool kShared = false;
  for (double anchor = -3.0; anchor < 3.0; anchor += 0.1) {
    double slope = 0.0;
    double other = 0.0;
    double out = 0.0;
    const double u = 0.3;
    ASSERT_TRUE(typed.local_curvature(&anchor, 2.0, {&kVariance, 0.8, &kShared, 0.8}, &out));
    EXPECT_EQ(out, by_template.local_curvature(anchor, 2.0, 0.4));
    EXPECT_EQ(typed.remainder(&anchor, &u, 2.0, &slope),
              by_template.remainder(anchor, u, 2.0, other));
    EXPECT_EQ(slope, other);
    EXPECT_EQ(typed.log_likelihood(&anchor, 2.0, nullptr), by_template.log_likelihood(anchor, 2.0));
    typed.information(&anchor, 2.0, &out);
    EXPECT_EQ(out, by_template.information(anchor, 2.0));
  }
}

// Texts and values of one predictor x, with a = 0.7 and y = 3.
struct Rewritten {
  const char* text;
  Real (*value)(Real x);
  Op holds;    // an operation that the tape has,
  Op is_free;  // and one that it has not any more
};
const Rewritten kRewritten[] = {
    {"log(1 + exp(x))", [](Real x) { return unit::log(1 + unit::exp(x)); }, Op::kSoftplus,
     Op::kLog},
    {"log(exp(x) + 1)", [](Real x) { return unit::log(1 + unit::exp(x)); }, Op::kSoftplus,
     Op::kExp},
    {"log1p(exp(x))", [](Real x) { return unit::log1p(unit::exp(x)); }, Op::kSoftplus, Op::kLog1p},
    {"log(exp(2*x) + exp(-x))", [](Real x) { return unit::log(unit::exp(2 * x) + unit::exp(-x)); },
     Op::kSoftplus, Op::kExp},
    {"log(exp(a*x) + exp(-x) + 2)",
     [](Real x) { return unit::log(unit::exp(Real{0.7} * x) + unit::exp(-x) + 2); }, Op::kSoftplus,
     Op::kLog},
    {"log(0.3*exp(x) + 0.7*sigmoid(x))",
     [](Real x) { return unit::log(Real{0.3} * unit::exp(x) + Real{0.7} / (1 + unit::exp(-x))); },
     Op::kSoftplus, Op::kSigmoid},
    {"log(exp(x))", [](Real x) { return x; }, Op::kPredictor, Op::kLog},
    {"log(sigmoid(x))", [](Real x) { return -unit::log1p(unit::exp(-x)); }, Op::kSoftplus,
     Op::kSigmoid},
    {"log(1 - sigmoid(x))", [](Real x) { return -unit::log1p(unit::exp(x)); }, Op::kSoftplus,
     Op::kSigmoid},
    {"log(1 - exp(-exp(x)))", [](Real x) { return unit::log(-unit::expm1(-unit::exp(x))); },
     Op::kLog1mExp, Op::kLog},
    {"log1p(-exp(-exp(x)))", [](Real x) { return unit::log(-unit::expm1(-unit::exp(x))); },
     Op::kLog1mExp, Op::kLog1p},
    {"1/(1 + exp(-x))", [](Real x) { return 1 / (1 + unit::exp(-x)); }, Op::kSigmoid, Op::kInverse},
    {"exp(x)/(1 + exp(x))", [](Real x) { return 1 / (1 + unit::exp(-x)); }, Op::kSigmoid, Op::kExp},
    {"1 - sigmoid(x)", [](Real x) { return 1 / (1 + unit::exp(x)); }, Op::kSigmoid,
     Op::kNumberMinus},
    {"y/exp(x)", [](Real x) { return 3 * unit::exp(-x); }, Op::kExp, Op::kInverse},
    {"(x - a)*(x - a)", [](Real x) { return (x - Real{0.7}) * (x - Real{0.7}); }, Op::kSquare,
     Op::kMultiply},
    {"x^3", [](Real x) { return x * x * x; }, Op::kSquare, Op::kPower},
    {"x^-2", [](Real x) { return 1 / (x * x); }, Op::kInverse, Op::kPower},
    {"exp(x)^a", [](Real x) { return unit::exp(Real{0.7} * x); }, Op::kPower, Op::kMultiply},
    {"r = exp(x); lgamma(r + y) - lgamma(r)",
     [](Real x) { return unit::lgamma(unit::exp(x) + 3) - unit::lgamma(unit::exp(x)); },
     Op::kLogRising, Op::kLogGamma},
    {"r = exp(x); lgamma(y + r) - lgamma(y + 1) - lgamma(r)",
     [](Real x) {
       return unit::lgamma(unit::exp(x) + 3) - unit::log(Real{6}) - unit::lgamma(unit::exp(x));
     },
     Op::kLogRising, Op::kLogGamma},
    {"r = exp(x) + y; lgamma(r - 2) - lgamma(r)",
     [](Real x) { return unit::lgamma(unit::exp(x) + 1) - unit::lgamma(unit::exp(x) + 3); },
     Op::kLogRising, Op::kLogGamma},
    {"r = exp(x); a*x - lgamma(r + r + y) + lgamma(2.5 + r + r)",
     [](Real x) {
       return Real{0.7} * x - unit::lgamma(2 * unit::exp(x) + 3) +
              unit::lgamma(2 * unit::exp(x) + 2.5L);
     },
     Op::kLogRising, Op::kLogGamma},
};

TEST(Expressions, AreWrittenInFormsThatLoseNothing) {
  const std::array<double, 2> data{3.0, 0.7};
  for (const Rewritten& each : kRewritten) {
    const Expression expression(each.text, {"x"}, {"y", "a"});
    const auto has = [&](Op op) {
      const auto& steps = expression.program().tape_of(data).steps;
      return std::any_of(steps.begin(), steps.end(), [op](const auto& s) { return s.op == op; });
    };
    EXPECT_TRUE(has(each.holds) || each.holds == Op::kPredictor) << each.text;
    EXPECT_FALSE(has(each.is_free)) << each.text;
    for (double x = -2.05; x < 2.0; x += 0.3) {
      const double exact = static_cast<double>(each.value(x));
      EXPECT_NEAR(expression.log_density(std::array{Value(x)}, data).value, exact,
                  2e-15 * (8.0 + unit::abs(exact)))
          << each.text << " at " << x;
    }
  }
}

// A rise that data make negative: another form of the same thing, and of lrising none.
TEST(Expressions, KnowDataThatFall) {
  const Expression difference("lgamma(exp(x) + y) - lgamma(exp(x))", {"x"}, {"y"});
  const Expression rising("lrising(exp(x), y)", {"x"}, {"y"});
  for (const double y : {-20.0, -0.5, -0.01, 0.0, 2.5}) {
    for (const double x : {0.1, 1.0, 3.05}) {
      if (unit::exp(x) + y <= 0.0) {
        continue;
      }
      const double exact = static_cast<double>(unit::lgamma(unit::exp(Real{x}) + y) -
                                               unit::lgamma(unit::exp(Real{x})));
      EXPECT_NEAR(difference.log_density(std::array{Value(x)}, {&y, 1}).value, exact, 1e-13);
      const double value = rising.log_density(std::array{Value(x)}, {&y, 1}).value;
      if (y < 0.0) {
        EXPECT_TRUE(unit::isnan(value));
      } else {
        EXPECT_NEAR(value, exact, 1e-13);
      }
    }
  }
}

TEST(Expressions, BranchOnDataAlone) {
  const Expression expression(
      "zero = y == 0; big = y > 5 or y == 4 and not zero;"
      "if(zero, -x, if(big, 2*x, if(y != 1, 3*x, 0))) + if(y <= 1, y*10, if(y >= 7, 70, 0))",
      {"x"}, {"y"});
  const auto at = [&](double y) {
    return expression.log_density(std::array{Value(1.0)}, {&y, 1}).value;
  };
  EXPECT_EQ(at(0), -1);
  EXPECT_EQ(at(1), 10);
  EXPECT_EQ(at(2), 3);
  EXPECT_EQ(at(4), 2);
  EXPECT_EQ(at(5), 3);
  EXPECT_EQ(at(6), 2);
  EXPECT_EQ(at(7), 72);
  EXPECT_EQ(expression.program().tapes.size(), 4U);
  const double one = 1.0;
  EXPECT_TRUE(expression.program().tape_of({&one, 1}).is_number);
  // The other branch is not computed: it would be no number.
  const Expression guarded("if(y > 0, log(y)*x, x)", {"x"}, {"y"});
  const double zero = 0.0;
  EXPECT_EQ(guarded.log_density(std::array{Value(2.0)}, {&zero, 1}).value, 2.0);
}

TEST(Expressions, OfDataArePlainNumbers) {
  const std::array<double, 2> data{2.0, -1.5};
  const auto value = [&](const std::string& text) {
    return Expression(text + " + 0*x", {"x"}, {"y", "w"})
        .log_density(std::array{Value(1.0)}, data)
        .value;
  };
  EXPECT_EQ(value("abs(w)"), 1.5);
  EXPECT_EQ(value("max(w, y)"), 2.0);
  EXPECT_EQ(value("min(w, y)"), -1.5);
  EXPECT_EQ(value("step(w) + 10*step(y)"), 10.0);
  EXPECT_EQ(value("floor(w)"), -2.0);
  EXPECT_EQ(value("w^2"), 2.25);
  EXPECT_EQ(value("-y^2"), -4.0);
  EXPECT_EQ(value("2^-y^2"), 0.0625);
  EXPECT_EQ(value("y - 1 - 3"), -2.0);
  EXPECT_EQ(value("y/4/2*w"), -0.375);
  EXPECT_EQ(value("2 + 3*y - -1"), 9.0);
  EXPECT_EQ(value("if(w < 0, y, 5)"), 2.0);
  EXPECT_EQ(value("if(w < 0 and y < 0, y, 5)"), 5.0);
  EXPECT_DOUBLE_EQ(value("lgamma(y + 3)"), std::log(24.0));
  EXPECT_DOUBLE_EQ(value("lrising(y, 3)"), std::log(24.0));
  EXPECT_DOUBLE_EQ(value("exp(log(y)) + log1p(expm1(y)) + sqrt(square(y))"), 6.0);
  EXPECT_DOUBLE_EQ(value("softplus(y) + log_sigmoid(-y)"), 0.0);
  EXPECT_DOUBLE_EQ(value("sigmoid(y) - 0.5*tanh(y/2)"), 0.5);
  EXPECT_DOUBLE_EQ(value("log1mexp(y) - log(1 - exp(-y))"), 0.0);
  EXPECT_NEAR(value("digamma(y + 1) - digamma(y)"), 0.5, 1e-14);
  EXPECT_DOUBLE_EQ(value("std_normal_lcdf(0)"), std::log(0.5));
  EXPECT_TRUE(std::isnan(value("max(log(w), y)")));
}

// What a tape holds: nothing twice, nothing that is not needed, no number that could be folded.
TEST(Expressions, ComputeEveryValueOnce) {
  const auto tape = [](const char* text) {
    return Expression(text, {"mu", "size"}, {"y", "n"}).program().tapes.at(0);
  };
  EXPECT_EQ(tape("exp(mu + size) - n*exp(size + mu)").steps.size(), 4U);
  EXPECT_EQ(tape("a = exp(mu); b = exp(mu); c = exp(size); a*b - size").steps.size(), 3U);
  EXPECT_EQ(tape("exp(2*mu) - exp(3*mu) - size").steps.size(), 6U);
  EXPECT_EQ(tape("-(-mu) + 0 + 1*size").steps.size(), 1U);
  const typed::Tape folded = tape("2*3*mu + size*(exp(0) + 1)");
  EXPECT_EQ(folded.steps.size(), 3U);
  EXPECT_EQ(folded.row.size(), 2U);  // 6 and 2
  const typed::Tape row = tape("(mu + size)*(lgamma(y + 1) - lgamma(1 + y)/n)");
  EXPECT_EQ(row.row.steps.size(), 4U);
  EXPECT_EQ(row.steps.size(), 2U);
  EXPECT_EQ((Expression("mu + 0*size", {"mu", "size"}, {"y", "n"}).columns_used()),
            (std::vector<std::string>{}));
  EXPECT_EQ((Expression("if(n > 1, mu, size)", {"mu", "size"}, {"y", "n"}).columns_used()),
            (std::vector<std::string>{"n"}));
}

// What is the same in every row where log size is.
TEST(Expressions, MarkWhatRowsMayShare) {
  const Expression expression("r = exp(size); lgamma(r) - y*r + softplus(mu - size) + log(r + 1)*2",
                              {"mu", "size"}, {"y"});
  std::vector<Op> shared;
  for (const typed::Tape::Step& step : expression.program().tapes[0].steps) {
    if (step.place != typed::Tape::kNotKept) {
      EXPECT_EQ(step.predictor, 1);
      EXPECT_EQ(step.place, shared.size());
      shared.push_back(step.op);
    }
  }
  // log(e^size + 1) is softplus(size).
  EXPECT_EQ(shared, (std::vector{Op::kExp, Op::kLogGamma, Op::kSoftplus, Op::kScale}));
}

// A thread that is new remembers nothing, and gives the same bits: of two tapes, and of a shared
// predictor in three regions by turns, as passes over rows ask for them.
TEST(Expressions, RememberWhatRowsShare) {
  constexpr const char* kText =
      "k = exp(shape); if(y > 2, k*(shape - mu), -softplus(k)) - y*exp(-mu) - lgamma(k)";
  const Expression expression(kText, {"mu", "shape"}, {"y"});
  Stream stream(67, 0, Purpose::kTest, 0);
  const auto expect_same = [&](const auto& eta, double y, auto&& parts) {
    const auto got = expression.log_density(eta, {&y, 1});
    auto expected = got;
    std::thread([&] { expected = expression.log_density(eta, {&y, 1}); }).join();
    ASSERT_EQ(parts(got), parts(expected));
  };
  for (int i = 0; i < 300; ++i) {
    const double y = std::floor(5.0 * stream.uniform());
    const double mu = stream.normal();
    const double shape = i < 200 ? 0.4 : 0.5;
    for (const double radius : {0.3, 0.2, 0.1}) {
      expect_same(std::array{Slope<2, 4>::variable(mu, {0.02 * radius, radius}),
                             Slope<2, 4>::variable(shape, {0.5 * radius, 0.0})},
                  y, [](const Slope<2, 4>& s) {
                    return std::tuple(s.c, s.top[0].lo, s.top[2].hi, s.range.lo);
                  });
      expect_same(std::array{Remainder<2>::variable(mu, stream.normal(), 0),
                             Remainder<2>::variable(shape, radius, 1)},
                  y, [](const Remainder<2>& r) { return std::tuple(r.rest, r.slope_change); });
    }
    expect_same(std::array{Jet2<2>::variable(mu, 0), Jet2<2>::variable(shape, 1)}, y,
                [](const Jet2<2>& j) { return std::tuple(j.value, j.slope, j.second); });
  }
}

// Registers are used again, by as many values as one likes.
TEST(Expressions, MayBeLong) {
  std::string text = "0";
  Real exact = 0;
  const double x = 0.3;
  for (int i = 1; i <= 100; ++i) {
    text += fmt::format(" + exp(x/{0})*sigmoid({0}*x)", i);
    exact += unit::exp(Real{x} / i) / (1 + unit::exp(-Real{x} * i));
  }
  const double y = 0.0;
  EXPECT_NEAR(Expression(text, {"x"}, {"y"}).log_density(std::array{Value(x)}, {&y, 1}).value,
              static_cast<double>(exact), 1e-12);
}

// A likelihood made at random, where it is a number of ordinary size.
template <int P>
struct RandomCase {
  RandomLikelihood likelihood;
  Expression expression;
  std::array<double, 3> data;
  std::array<double, P> anchor;
  Expression::Row row;

  RandomCase(Stream& stream, int steps)
      : likelihood(stream, P, steps),
        expression(likelihood.text(), likelihood.predictors(), RandomLikelihood::columns()),
        data(RandomLikelihood::draw_row(stream)),
        anchor(each<P, double>([&](std::size_t) { return stream.normal(); })),
        row(expression.row(data)) {}

  [[nodiscard]] Real exact(const std::array<Real, P>& u) const {
    std::vector<Exact> inputs;
    for (std::size_t k = 0; k < P; ++k) {
      inputs.emplace_back(anchor[k] + u[k]);
    }
    return likelihood(inputs, data).value;
  }
  // No value on the way is so large that its rounding matters.
  [[nodiscard]] bool is_ordinary() const {
    return likelihood.largest({anchor.begin(), anchor.end()}, data) < 1e3;
  }
  template <class T, class Make>
  [[nodiscard]] T evaluate(Make make) const {
    return row.log_density(each<P, T>(make));
  }
};

// Differences of what a textbook says, in long double.
template <int P>
void expect_derivatives_of_textbooks(const RandomCase<P>& random) {
  const auto value =
      random.template evaluate<Value>([&](std::size_t k) { return Value(random.anchor[k]); });
  const auto dual = random.template evaluate<Dual<P>>(
      [&](std::size_t k) { return Dual<P>::variable(random.anchor[k], k); });
  const auto jet = random.template evaluate<Jet2<P>>(
      [&](std::size_t k) { return Jet2<P>::variable(random.anchor[k], k); });
  const double exact = static_cast<double>(random.exact({}));
  const double size = 1.0 + std::abs(exact);
  EXPECT_NEAR(value.value, exact, 1e-11 * size);
  EXPECT_NEAR(dual.value, exact, 1e-11 * size);
  EXPECT_NEAR(jet.value, exact, 1e-11 * size);
  const Real h = 1e-5L;
  const auto at = [&](std::size_t k, std::size_t l, Real dk, Real dl) {
    std::array<Real, P> u{};
    u[k] += dk;
    u[l] += dl;
    return random.exact(u);
  };
  for (std::size_t k = 0; k < P; ++k) {
    const auto slope = static_cast<double>((at(k, k, h, 0) - at(k, k, -h, 0)) / (2 * h));
    EXPECT_NEAR(dual.slope[k], slope, 1e-6 * (size + std::abs(slope)));
    EXPECT_NEAR(jet.slope[k], dual.slope[k], 1e-12 * (size + std::abs(slope)));
    for (std::size_t l = 0; l <= k; ++l) {
      const auto second = static_cast<double>(
          (at(k, l, h, h) - at(k, l, h, -h) - at(k, l, -h, h) + at(k, l, -h, -h)) / (4 * h * h));
      const double got = jet.second[smooth::packed(k, l)];
      EXPECT_NEAR(got, second, 1e-6 * (size + std::abs(got) + std::abs(second)));
    }
  }
}

// A step, by remainders and by two duals; and slopes hold it.
template <int P>
void expect_scalars_agree(const RandomCase<P>& random, Stream& stream) {
  const auto u = each<P, double>([&](std::size_t) { return 0.2 * stream.normal(); });
  const auto moved = random.template evaluate<Remainder<P>>(
      [&](std::size_t k) { return Remainder<P>::variable(random.anchor[k], u[k], k); });
  const auto from = random.template evaluate<Dual<P>>(
      [&](std::size_t k) { return Dual<P>::variable(random.anchor[k], k); });
  const auto to = random.template evaluate<Dual<P>>(
      [&](std::size_t k) { return Dual<P>::variable(random.anchor[k] + u[k], k); });
  const auto slope = random.template evaluate<Slope<P, 4>>([&](std::size_t k) {
    std::array<double, P> edges{};
    edges[k] = u[k];
    return Slope<P, 4>::variable(random.anchor[k], edges);
  });
  if (!(std::abs(to.value) < 1e4)) {
    return;
  }
  const double size = 1.0 + std::abs(from.value) + std::abs(to.value);
  EXPECT_NEAR(moved.value, from.value, 1e-12 * size);
  EXPECT_NEAR(moved.value + moved.change(), to.value, 1e-9 * size);
  EXPECT_NEAR(slope.c[0], from.value, 1e-12 * size);
  EXPECT_LE(slope.range.lo, to.value + 1e-10 * size);
  EXPECT_GE(slope.range.hi, to.value - 1e-10 * size);
  for (std::size_t k = 0; k < P; ++k) {
    const double steep = size + std::abs(from.slope[k]) + std::abs(to.slope[k]);
    EXPECT_NEAR(moved.slope[k], from.slope[k], 1e-11 * steep);
    EXPECT_NEAR(moved.slope[k] + moved.slope_change[k], to.slope[k], 1e-8 * steep);
    EXPECT_NEAR(slope.c[1 + k], from.slope[k] * u[k], 1e-11 * steep);
  }
}

template <int P>
void expect_textbooks(std::uint64_t seed, int likelihoods) {
  Stream stream(seed, 0, Purpose::kTest, 0);
  int ordinary = 0;
  for (int i = 0; i < likelihoods; ++i) {
    const RandomCase<P> random(stream, 2 + static_cast<int>(5.0 * stream.uniform()));
    if (random.is_ordinary()) {
      ++ordinary;
      expect_derivatives_of_textbooks(random);
      expect_scalars_agree(random, stream);
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << i << ": " << random.likelihood.text();
  }
  EXPECT_GT(ordinary, 0.7 * likelihoods);
}

TEST(Expressions, MadeAtRandomAreWhatTextbooksSay) {
  expect_textbooks<1>(64, 1500);
  expect_textbooks<2>(65, 1000);
  expect_textbooks<3>(66, 500);
  expect_textbooks<4>(70, 100);
}

// One region of a likelihood, and points of it. By remainders, and now and then by textbooks.
template <int P>
[[nodiscard]] bool expect_bound_of_text(const RandomCase<P>& random, Stream& stream, int points) {
  const RandomRegion<P> region(stream, 0.1 * std::pow(10.0, -2.5 * stream.uniform()));
  const auto phi = [&](const auto& eta) {
    if constexpr (P == 1 && !requires { eta.size(); }) {
      return random.row.log_density(std::array{eta});
    } else {
      return random.row.log_density(eta);
    }
  };
  Packed<P> w{};
  if constexpr (P == 1) {
    const double reach = region.region.shared[0]
                             ? std::min(region.region.radius, region.region.shared_radius)
                             : region.region.radius;
    w[0] = smooth::local_curvature(phi, random.anchor[0], reach * region.root[0][0]);
  } else if (!smooth::local_curvature<P>(phi, random.anchor, region.region, w)) {
    return false;
  }
  if (!std::isfinite(w[0])) {
    return false;
  }
  const auto dual = random.template evaluate<Dual<P>>(
      [&](std::size_t k) { return Dual<P>::variable(random.anchor[k], k); });
  for (int point = 0; point < points; ++point) {
    const std::array<double, P> u = region.point(stream);
    const auto moved = random.template evaluate<Remainder<P>>(
        [&](std::size_t k) { return Remainder<P>::variable(random.anchor[k], u[k], k); });
    if (!(std::abs(moved.value) + std::abs(moved.change()) < 1e4)) {
      continue;
    }
    // Parts that cancel leave the rounding of either behind.
    const double rounding = 1e-13 * (1.0 + std::abs(moved.value) + std::abs(moved.change()));
    EXPECT_GE(moved.rest + parabola<P>(w, u), -rounding);
    if (point == 0) {
      std::array<Real, P> step{};
      Real linear = 0;
      for (std::size_t k = 0; k < P; ++k) {
        step[k] = u[k];
        linear += dual.slope[k] * step[k];
      }
      EXPECT_GE(
          static_cast<double>(random.exact(step) - random.exact({}) - linear) + parabola<P>(w, u),
          -10.0 * rounding);
    }
  }
  return true;
}

template <int P>
void expect_bounds_of_texts(std::uint64_t seed, int likelihoods) {
  Stream stream(seed, 0, Purpose::kTest, 0);
  int bounded = 0;
  for (int i = 0; i < likelihoods; ++i) {
    const RandomCase<P> random(stream, 2 + static_cast<int>(5.0 * stream.uniform()));
    bounded += random.is_ordinary() && expect_bound_of_text(random, stream, 10) ? 1 : 0;
    ASSERT_FALSE(testing::Test::HasFailure()) << i << ": " << random.likelihood.text();
  }
  EXPECT_GT(bounded, 0.6 * likelihoods);
}

TEST(Expressions, MadeAtRandomHaveBoundsBelowThem) {
  expect_bounds_of_texts<1>(67, 3000);
  expect_bounds_of_texts<2>(68, 1000);
  expect_bounds_of_texts<3>(69, 200);
}

}  // namespace
}  // namespace flymc
