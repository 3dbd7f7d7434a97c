#include "linear/scalar_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>

#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr double kDegrees = 5.0;
constexpr double kWider = 1.1;

// Golden sections: between two places, with a higher one in the middle.
double climb(const ScalarLaw::LogDensity& f, double low, double high) {
  constexpr double kGolden = 1.0 / std::numbers::phi;
  constexpr int kSections = 60;
  double left = high - kGolden * (high - low);
  double right = low + kGolden * (high - low);
  double at_left = f(left);
  double at_right = f(right);
  for (int i = 0; i < kSections; ++i) {
    if (at_left > at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = f(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = f(right);
    }
  }
  return 0.5 * (low + high);
}

// The standard deviation of a normal density that falls as much on this side, about half a nat.
double width_of(const ScalarLaw::LogDensity& f, double mean, double height, double side) {
  constexpr double kLeast = 1e-9;
  constexpr double kMost = 50.0;
  double step = kLeast;
  double fall = height - f(mean + side * step);
  while (!(fall > 0.5) && step < kMost) {
    step *= 1.5;
    fall = height - f(mean + side * step);
  }
  return step / std::sqrt(2.0 * std::clamp(fall, 0.5, 2.0));
}

}  // namespace

ScalarLaw::ScalarLaw(const LogDensity& f, double from, double to) {
  constexpr double kApart = 0.1;
  const auto count = static_cast<std::size_t>(std::ceil((to - from) / kApart)) + 1;
  std::vector<double> heights(count);
  const auto place = [&](std::size_t i) { return from + kApart * static_cast<double>(i); };
  for (std::size_t i = 0; i < count; ++i) {
    heights[i] = f(place(i));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const bool rises = i == 0 || heights[i] > heights[i - 1];
    const bool falls = i + 1 == count || heights[i] >= heights[i + 1];
    if (rises && falls && std::isfinite(heights[i])) {
      Mode mode;
      mode.mean = climb(f, place(i) - kApart, place(i) + kApart);
      mode.height = f(mode.mean);
      const double left = width_of(f, mode.mean, mode.height, -1.0);
      const double right = width_of(f, mode.mean, mode.height, 1.0);
      mode.width = std::max(left, right);
      mode.narrow = std::min(left, right);
      modes_.push_back(mode);
    }
  }
  if (modes_.empty()) {
    throw Error(ErrorKind::kInternal, "ScalarLaw: no density anywhere.");
  }
  std::ranges::sort(modes_, std::greater{}, &Mode::height);
  double total = 0.0;
  for (Mode& mode : modes_) {
    mode.share = mode.width * std::exp(mode.height - modes_.front().height);
    total += mode.share;
  }
  for (Mode& mode : modes_) {
    mode.share /= total;
  }
}

double ScalarLaw::propose(Stream& stream) const noexcept {
  double rest = stream.uniform();
  auto mode = modes_.begin();
  while (rest > mode->share && mode + 1 != modes_.end()) {
    rest -= mode->share;
    ++mode;
  }
  const double spread = kWider * std::sqrt(0.5 * kDegrees / stream.gamma(0.5 * kDegrees));
  return mode->mean + spread * mode->width * stream.normal();
}

double ScalarLaw::log_proposal(double x) const noexcept {
  double sum = 0.0;
  for (const Mode& mode : modes_) {
    const double off = (x - mode.mean) / (kWider * mode.width);
    sum += mode.share / mode.width * std::pow(1.0 + off * off / kDegrees, -0.5 * (kDegrees + 1.0));
  }
  return std::log(sum);
}

// The trapezoidal rule, which converges exponentially where a density is smooth and falls away.
double ScalarLaw::log_integral(const LogDensity& f) const {
  constexpr double kNothing = 45.0;
  constexpr double kFar = 1e3;
  const double height = modes_.front().height;
  const auto [low, high] = std::ranges::minmax(modes_, {}, &Mode::mean);
  const double step = 0.25 * std::ranges::min(modes_, {}, &Mode::narrow).narrow;
  double sum = 0.0;
  const auto add = [&](double x) {
    const double below = f(x) - height;
    sum += below > -kNothing ? std::exp(below) : 0.0;
    return below > -kNothing;
  };
  for (double x = low.mean; (add(x) && x < high.mean + kFar) || x < high.mean; x += step) {
  }
  for (double x = low.mean - step; add(x) && x > low.mean - kFar; x -= step) {
  }
  return height + std::log(step * sum);
}

}  // namespace flymc
