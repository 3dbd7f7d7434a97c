#include "core/duration.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {

double parse_duration(const std::string& text, const std::string& option) {
  constexpr std::pair<std::string_view, double> kUnits[] = {
      {"ms", 1e-3}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}};
  constexpr double kLongest = 1e9;  // three decades: clocks count beyond it
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  for (const auto& [name, seconds] : kUnits) {
    if (error == std::errc{} && unit == name && number > 0.0 && number * seconds < kLongest) {
      return number * seconds;
    }
  }
  throw Error(ErrorKind::kUsage,
              fmt::format("{} {}: must be a positive number plus ms, s, m or h, such as 30s.",
                          option, shortened(text)));
}

std::string duration_text(double seconds) {
  if (seconds < 10.0) {
    return fmt::format("{:.1f}s", seconds);
  }
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) {
    return fmt::format("{}s", whole);
  }
  if (whole < 3600) {
    return fmt::format("{}m {:02}s", whole / 60, whole % 60);
  }
  return fmt::format("{}h {:02}m", whole / 3600, whole % 3600 / 60);
}

}  // namespace flymc
