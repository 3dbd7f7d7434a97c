// Expressions at random, and densities by name, evaluated on any scalar type and in quad precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "flymc/detail/family/auto/functions.hpp"
#include "flymc/random.hpp"
#include "support/taylor_reference.hpp"

namespace flymc::unit {

// A Real with the names of the engine's functions, by textbook definitions.
struct Exact {
  static constexpr int kVariables = 0;
  Real value = 0;
  Exact() = default;
  Exact(Real x) : value(x) {}    // NOLINT
  Exact(double x) : value(x) {}  // NOLINT
  explicit Exact(int x) : value(static_cast<Real>(x)) {}
};
[[nodiscard]] inline Exact operator+(Exact a, Exact b) { return a.value + b.value; }
[[nodiscard]] inline Exact operator-(Exact a, Exact b) { return a.value - b.value; }
[[nodiscard]] inline Exact operator-(Exact a) { return -a.value; }
[[nodiscard]] inline Exact operator*(Exact a, Exact b) { return a.value * b.value; }
[[nodiscard]] inline Exact operator/(Exact a, Exact b) { return a.value / b.value; }
[[nodiscard]] inline Exact exp(Exact x) { return exp(x.value); }
[[nodiscard]] inline Exact expm1(Exact x) { return expm1(x.value); }
[[nodiscard]] inline Exact log(Exact x) { return log(x.value); }
[[nodiscard]] inline Exact log1p(Exact x) { return log1p(x.value); }
[[nodiscard]] inline Exact sqrt(Exact x) { return sqrt(x.value); }
[[nodiscard]] inline Exact pow(Exact x, double c) { return pow(x.value, Real{c}); }
[[nodiscard]] inline Exact square(Exact x) { return x.value * x.value; }
[[nodiscard]] inline Exact softplus(Exact x) {
  return x.value > 0 ? x.value + log1p(exp(-x.value)) : log1p(exp(x.value));
}
[[nodiscard]] inline Exact sigmoid(Exact x) { return 1 / (1 + exp(-x.value)); }
[[nodiscard]] inline Exact log_sigmoid(Exact x) { return -softplus(-x); }
[[nodiscard]] inline Exact tanh(Exact x) { return tanh(x.value); }
[[nodiscard]] inline Exact log1mexp(Exact x) { return log(-expm1(-x.value)); }
[[nodiscard]] inline Exact lgamma(Exact x) { return lgamma(x.value); }
[[nodiscard]] inline Exact digamma(Exact x) { return digamma_reference(x.value); }
[[nodiscard]] inline Exact lrising(Exact x, double rise) {
  return lgamma(x.value + rise) - lgamma(x.value);
}
[[nodiscard]] inline Exact std_normal_lcdf(Exact x) { return normal_reference(x.value).value; }

// A program of steps, each of one or two results before it; the last one is the value. Arguments of
// functions that want positive ones are made so by softplus.
class RandomExpression {
 public:
  RandomExpression(Stream& stream, std::size_t inputs, int steps) : inputs_(inputs) {
    for (int i = 0; i < steps; ++i) {
      const auto before = static_cast<double>(inputs + steps_.size());
      const auto pick = [&] { return static_cast<std::size_t>(before * stream.uniform()); };
      // The last step is used most, so that trees are deep.
      const std::size_t last = inputs + steps_.size() - 1;
      steps_.push_back({static_cast<int>(kKinds * stream.uniform()),
                        stream.uniform() < 0.6 ? last : pick(), pick(),
                        0.5 + 1.5 * stream.uniform()});
    }
  }

  template <class T>
  [[nodiscard]] T operator()(std::vector<T> values) const {
    for (const Step& step : steps_) {
      values.push_back(run(step, values[step.left], values[step.right]));
    }
    return values.back();
  }
  [[nodiscard]] std::size_t inputs() const noexcept { return inputs_; }

 private:
  struct Step {
    int kind;
    std::size_t left, right;
    double number;
  };
  static constexpr int kKinds = 20;

  template <class T>
  [[nodiscard]] static T run(const Step& step, const T& x, const T& y) {
    const double c = step.number;
    const auto positive = [c](const T& z) { return softplus(z) + 0.3 * c; };
    switch (step.kind) {
      case 0:
        return x + y;
      case 1:
        return x - c * y;
      case 2:
        return x * y;
      case 3:
        return (c - x) / positive(y);
      case 4:
        return exp(0.5 * x);
      case 5:
        return expm1(-0.3 * x);
      case 6:
        return log(positive(x));
      case 7:
        return log1p(square(x));
      case 8:
        return sqrt(positive(x));
      case 9:
        return pow(positive(x), c);
      case 10:
        return square(x - c);
      case 11:
        return softplus(c * x);
      case 12:
        return log_sigmoid(x + c);
      case 13:
        return sigmoid(c * x);
      case 14:
        return tanh(x);
      case 15:
        return log1mexp(positive(x));
      case 16:
        return lgamma(positive(x));
      case 17:
        return digamma(positive(x));
      case 18:
        return lrising(positive(x), c < 1.2 ? 5.0 : 14.0 * c);
      default:
        return std_normal_lcdf(x);
    }
  }

  std::size_t inputs_;
  std::vector<Step> steps_;
};

}  // namespace flymc::unit
