#include "data/csv/csv_fields.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <locale>
#include <sstream>

namespace flymc::csv {
namespace {

// from_chars says "out of range" of 1e999 and of 1e-999 alike; only the first is an error to us.
double out_of_range_value(std::string_view text) {
  std::istringstream stream{std::string(text)};
  stream.imbue(std::locale::classic());
  double value = 0.0;
  if (stream >> value) {
    return value;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  return text.starts_with('-') ? -infinity : infinity;
}

}  // namespace

bool is_missing(std::string_view text) noexcept {
  constexpr std::array<std::string_view, 7> kTokens = {"",    "NA",   "N/A", "NaN",
                                                       "nan", "null", "NULL"};
  return std::find(kTokens.begin(), kTokens.end(), text) != kTokens.end();
}

Reading read_number(std::string_view text, double& value) {
  if (is_missing(text)) {
    return Reading::kMissing;
  }
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') {
    text.remove_prefix(1);
  }
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end) {
    return Reading::kText;
  }
  if (error == std::errc::result_out_of_range) {
    value = out_of_range_value(text);
  }
  if (std::isnan(value)) {
    return Reading::kMissing;
  }
  return std::isfinite(value) ? Reading::kFinite : Reading::kInfinite;
}

bool is_decimal_comma(std::string text) {
  double ignored = 0.0;
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) {
    return false;
  }
  text[comma] = '.';
  return read_number(text, ignored) == Reading::kFinite;
}

std::string unquoted(const Field& field) {
  std::string out(field.text);
  if (field.doubled) {
    std::size_t at = 0;
    while ((at = out.find("\"\"", at)) != std::string::npos) {
      out.erase(at++, 1);
    }
  }
  return out;
}

Field FieldReader::read() noexcept {
  const char* const start = skip_blanks(at_);
  if (start != end_ && *start == '"') {
    return read_quoted(start);
  }
  Field field;
  const char* stop = start;
  while (!ends_field(stop)) {
    field.broken |= *stop == '"';
    ++stop;
  }
  at_ = stop;
  while (stop != start && is_blank(stop[-1])) {
    --stop;
  }
  field.text = {start, stop};
  return field;
}

Field FieldReader::read_quoted(const char* open) noexcept {
  Field field;
  const char* const start = open + 1;
  const char* stop = start;
  while (true) {
    stop = static_cast<const char*>(std::memchr(stop, '"', static_cast<std::size_t>(end_ - stop)));
    if (stop == nullptr) {
      at_ = end_;
      return {.text = {start, end_}, .broken = true};
    }
    if (stop + 1 == end_ || stop[1] != '"') {
      break;
    }
    field.doubled = true;
    stop += 2;
  }
  field.text = {start, stop};
  at_ = skip_blanks(stop + 1);
  field.broken = !ends_field(at_);
  return field;
}

void FieldReader::skip_line_end() noexcept {
  if (at_ != end_ && *at_ == '\r' && ends_line(at_)) {
    ++at_;
  }
  if (at_ != end_ && *at_ == '\n') {
    ++at_;
  }
}

}  // namespace flymc::csv
