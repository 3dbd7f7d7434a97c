#include "report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/text.hpp"

namespace flymc {
namespace {

constexpr int kMostDecimals = 7;
constexpr double kLargestPlain = 1e9;

// e of value = m * 10^e, 1 <= m < 10.
[[nodiscard]] int exponent(double value) {
  return static_cast<int>(std::floor(std::log10(std::abs(value))));
}

}  // namespace

int supported_decimals(double mcse) { return -exponent(mcse); }

double rounded(double value, int decimals) {
  const double unit = std::pow(10.0, decimals);
  const double scaled = std::round(value * unit) / unit;
  return std::isfinite(scaled) ? scaled : value;
}

std::string fixed(double value, int decimals) {
  if (std::isnan(value)) {
    return "-";
  }
  if (std::isinf(value)) {
    return value > 0.0 ? "inf" : "-inf";
  }
  std::string text;
  if (value != 0.0 && (decimals > kMostDecimals || std::abs(value) >= kLargestPlain)) {
    text = fmt::format("{:.{}e}", value, std::clamp(exponent(value) + decimals, 0, 16));
  } else {
    text = fmt::format("{:.{}f}", value, std::clamp(decimals, 0, kMostDecimals));
  }
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return is_zero && text.starts_with('-') ? text.substr(1) : text;
}

int interval_decimals(double lower, double upper, double mcse) {
  return std::max(0, std::min(supported_decimals(mcse), 1 - exponent(0.5 * (upper - lower))));
}

double step_for(double sd) {
  constexpr double kNear = 0.1;
  constexpr double kFar = 100.0;
  const bool one = !(sd > 0.0) || !std::isfinite(sd) || (sd >= kNear && sd < kFar);
  return one ? 1.0 : std::pow(10.0, std::round(std::log10(sd)));
}

std::string sign_probability(double prob) {
  return prob > 0.999 ? "> 0.999" : prob < 0.001 ? "< 0.001" : fixed(prob, 3);
}

std::string percentile(double prob) { return fmt::format("{:.6g} %", 100.0 * prob); }

std::string rounded_count(double value) {
  if (!(std::abs(value) < kLargestPlain * kLargestPlain)) {
    return std::isfinite(value) ? fmt::format("{:.3g}", value) : fixed(value, 0);
  }
  const std::string digits = with_commas(static_cast<std::size_t>(std::llround(std::abs(value))));
  return value <= -0.5 ? "-" + digits : digits;
}

std::string approximate(double value) {
  if (std::isnan(value)) {
    return "unknown";
  }
  return std::abs(value) >= 99.95 ? rounded_count(value) : fmt::format("{:.3g}", value);
}

std::string approximate_count(double value, std::string_view noun) {
  const std::string count = approximate(value);
  return fmt::format("{} {}", count, count == "1" ? noun : plural(noun));
}

std::string percent(double fraction) {
  return std::isnan(fraction) ? "unknown" : approximate(100.0 * fraction) + " %";
}

}  // namespace flymc
