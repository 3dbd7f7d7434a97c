// Likelihoods as text, made at random, and the same by textbook formulas on any scalar type.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "flymc/detail/core/special.hpp"
#include "flymc/random.hpp"
#include "support/random_expression.hpp"

namespace flymc::unit {

// What a text may be made of without predictors, over the columns y (a count), z > 0 and w.
struct DataTerm {
  const char* text;
  double (*value)(std::span<const double> data);
};
inline const std::array<DataTerm, 8> kDataTerms{{
    {"y", [](std::span<const double> d) { return d[0]; }},
    {"z", [](std::span<const double> d) { return d[1]; }},
    {"abs(w)", [](std::span<const double> d) { return std::abs(d[2]); }},
    {"(2.5*z + 1)", [](std::span<const double> d) { return 2.5 * d[1] + 1.0; }},
    {"max(y - 3, 0.25)", [](std::span<const double> d) { return std::max(d[0] - 3.0, 0.25); }},
    {"if(w > 0.3 and not y == 2, 1.5, z)",
     [](std::span<const double> d) { return d[2] > 0.3 && d[0] != 2.0 ? 1.5 : d[1]; }},
    {"((y + 1)/(y + z)^2)",
     [](std::span<const double> d) { return (d[0] + 1.0) / ((d[0] + d[1]) * (d[0] + d[1])); }},
    {"exp(-z)", [](std::span<const double> d) { return std::exp(-d[1]); }},
}};

// A program of steps, each of one or two results before it and of a number of the row; the last one
// is the log density. Forms that the library rewrites stand among them as a person writes them.
class RandomLikelihood {
 public:
  RandomLikelihood(Stream& stream, std::size_t predictors, int steps) : predictors_(predictors) {
    for (std::size_t k = 0; k < predictors; ++k) {
      texts_.push_back(fmt::format("p{}", k + 1));
      names_.push_back(texts_.back());
    }
    for (int i = 0; i < steps; ++i) {
      const auto pick = [&](std::size_t n) {
        return static_cast<std::size_t>(static_cast<double>(n) * stream.uniform());
      };
      const std::size_t before = texts_.size();
      // The last step is used most, so that trees are deep; a predictor often.
      const Step step{
          static_cast<int>(pick(kKinds)), stream.uniform() < 0.6 ? before - 1 : pick(before),
          stream.uniform() < 0.5 ? pick(predictors) : pick(before),
          std::round(100.0 * (0.5 + 1.5 * stream.uniform())) / 100.0, pick(kDataTerms.size())};
      add_text(step, stream.uniform() < 0.5);
      steps_.push_back(step);
    }
    // Every predictor occurs.
    density_ = texts_.back();
    for (std::size_t k = 0; k < predictors; ++k) {
      density_ += fmt::format(" - square(p{} - w)", k + 1);
    }
  }

  [[nodiscard]] std::string text() const { return definitions_ + density_; }
  [[nodiscard]] std::vector<std::string> predictors() const {
    return {names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(predictors_)};
  }
  [[nodiscard]] static std::vector<std::string> columns() { return {"y", "z", "w"}; }
  [[nodiscard]] static std::array<double, 3> draw_row(Stream& stream) {
    return {std::floor(12.0 * stream.uniform() * stream.uniform()), 0.1 + 2.0 * stream.uniform(),
            stream.normal()};
  }

  // The size of the largest of all values on the way; infinite where one is no number.
  [[nodiscard]] double largest(std::vector<smooth::Value> values,
                               std::span<const double> data) const {
    run_all(values, data);
    double most = 0.0;
    for (const smooth::Value& each : values) {
      most = std::max(most, std::isnan(each.value) ? HUGE_VAL : std::abs(each.value));
    }
    return most;
  }

  template <class T>
  [[nodiscard]] T operator()(std::vector<T> values, std::span<const double> data) const {
    run_all(values, data);
    T all = values.back();
    for (std::size_t k = 0; k < predictors_; ++k) {
      all = all - square(values[k] - data[2]);
    }
    return all;
  }

 private:
  struct Step {
    int kind;
    std::size_t left, right;
    double number;
    std::size_t data;
  };
  static constexpr std::size_t kKinds = 36;

  // As a definition of its own, or in the place where it is used.
  void add_text(const Step& step, bool is_named) {
    const std::string all = text_of(step, texts_[step.left], texts_[step.right]);
    constexpr std::size_t kLong = 100;
    if (is_named || all.size() > kLong) {
      names_.push_back(fmt::format("v{}", names_.size()));
      definitions_ += fmt::format("{} = {};\n", names_.back(), all);
      texts_.push_back(names_.back());
    } else {
      names_.emplace_back();
      texts_.push_back(fmt::format("({})", all));
    }
  }

  [[nodiscard]] static std::string text_of(const Step& step, const std::string& x,
                                           const std::string& y) {
    const double c = step.number;
    const std::string d = kDataTerms[step.data].text;
    const auto positive = [c](const std::string& of) {
      return fmt::format("(softplus({}) + 0.3*{})", of, c);
    };
    const std::string px = positive(x);
    switch (step.kind) {
      case 0:
        return fmt::format("{} + {}", x, y);
      case 1:
        return fmt::format("{} - {}*{}", x, c, y);
      case 2:
        return fmt::format("{}*{}", x, y);
      case 3:
        return fmt::format("({} - {})/{}", c, x, positive(y));
      case 4:
        return fmt::format("exp(0.5*{})", x);
      case 5:
        return fmt::format("expm1(-0.3*{})", x);
      case 6:
        return fmt::format("log({})", px);
      case 7:
        return fmt::format("log1p({}^2)", x);
      case 8:
        return fmt::format("sqrt({})", px);
      case 9:
        return fmt::format("pow({}, {})", px, c);
      case 10:
        return fmt::format("({} - {})*({} - {})", x, d, x, d);
      case 11:
        return fmt::format("softplus({}*{})", c, x);
      case 12:
        return fmt::format("log_sigmoid({} + {})", x, d);
      case 13:
        return fmt::format("sigmoid({}*{})", d, x);
      case 14:
        return fmt::format("tanh({})", x);
      case 15:
        return fmt::format("log1mexp({})", px);
      case 16:
        return fmt::format("lgamma({})", px);
      case 17:
        return fmt::format("digamma({})", px);
      case 18:
        return fmt::format("lrising({}, {})", px, d);
      case 19:
        return fmt::format("std_normal_lcdf({})", x);
      case 20:
        return fmt::format("log(1 + exp({}))", x);
      case 21:
        return fmt::format("log(exp({}) + exp({}))", x, y);
      case 22:
        return fmt::format("lgamma({} + {}) - lgamma({} + 1) - lgamma({})", px, d, d, px);
      case 23:
        return fmt::format("if({} > {}, {}, {})", d, c, x, y);
      case 24:
        return fmt::format("1/(1 + exp(-{}))", x);
      case 25:
        return fmt::format("log(1 - exp(-{}))", px);
      case 26:
        return fmt::format("exp({})/(1 + exp({}))", x, x);
      case 27:
        return fmt::format("{}*(1 - sigmoid({}))", y, x);
      case 28:
        return fmt::format("log(sigmoid({})*exp({}) + {})", x, y, c);
      case 29:
        return fmt::format("{} + {}*{}", x, d, y);
      case 30:
        return fmt::format("{}/exp(0.3*{})", x, y);
      case 31:
        return fmt::format("log1p(exp({}))", x);
      case 32:
        return fmt::format("-lgamma({} + {}) + {} + lgamma({} + w)", px, d, d, px);
      case 33:
        return fmt::format("{} - ({})^3", d, x);
      case 34:
        return fmt::format("-{}/{}", x, d);
      default:
        return fmt::format("if(y <= 1 or z > {}, {}*{}, {})", c, x, d, y);
    }
  }

  template <class T>
  void run_all(std::vector<T>& values, std::span<const double> data) const {
    for (const Step& step : steps_) {
      values.push_back(run(step, values[step.left], values[step.right], data));
    }
  }

  template <class T>
  [[nodiscard]] static T run(const Step& step, const T& x, const T& y,
                             std::span<const double> data) {
    const double c = step.number;
    const double d = kDataTerms[step.data].value(data);
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
        return log1p(x * x);
      case 8:
        return sqrt(positive(x));
      case 9:
        return pow(positive(x), c);
      case 10:
        return square(x - d);
      case 11:
        return softplus(c * x);
      case 12:
        return log_sigmoid(x + d);
      case 13:
        return sigmoid(d * x);
      case 14:
        return tanh(x);
      case 15:
      case 25:
        return log1mexp(positive(x));
      case 16:
        return lgamma(positive(x));
      case 17:
        return digamma(positive(x));
      case 18:
        return lrising(positive(x), d);
      case 19:
        return std_normal_lcdf(x);
      case 20:
      case 31:
        return softplus(x);
      case 21:
        return x + softplus(y - x);
      case 22:
        return lgamma(positive(x) + d) - log_gamma(d + 1.0) - lgamma(positive(x));
      case 23:
        return d > c ? x : y;
      case 24:
      case 26:
        return sigmoid(x);
      case 27:
        return y * sigmoid(-x);
      case 28:
        return log(sigmoid(x) * exp(y) + c);
      case 29:
        return x + d * y;
      case 30:
        return x * exp(-0.3 * y);
      case 32:
        return lgamma(positive(x) + data[2]) - lgamma(positive(x) + d) + d;
      case 33:
        return d - x * x * x;
      case 34:
        return -x / d;
      default:
        return data[0] <= 1.0 || data[1] > c ? x * d : y;
    }
  }

  std::size_t predictors_;
  std::vector<Step> steps_{};
  std::vector<std::string> texts_{};  // of each value, to be written where it is used
  std::vector<std::string> names_{};
  std::string definitions_{};
  std::string density_{};
};

}  // namespace flymc::unit
