#include "cli/count_option.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc::cli {
namespace {

// A mistake of form leaves `value` alone and is named; a number out of range is not one.
std::string wrong_form(const std::string& text, bool negative, std::uint64_t& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + (negative ? 1 : 0), end, value);
  if (error == std::errc::result_out_of_range && stop == end && !negative) {
    return "a smaller number";
  }
  return error != std::errc{} || stop != end ? "a whole number" : "";
}

}  // namespace

std::uint64_t parse_count(const std::string& option, const std::string& text, CountRange range) {
  const bool negative = text.starts_with('-');
  std::uint64_t value = 0;
  std::string rule = wrong_form(text, negative, value);
  if (rule.empty() && (negative || value < range.least)) {
    rule = range.least == 1 ? "positive" : fmt::format("{} or more", range.least);
  } else if (rule.empty() && value > range.most) {
    rule = fmt::format("at most {}", range.most);
  }
  if (!rule.empty()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} {}: must be {}.", option, shortened(text), rule));
  }
  return value;
}

}  // namespace flymc::cli
