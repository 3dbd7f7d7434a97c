// One field after another of separated text, RFC 4180: quoted fields may hold separators, line ends
// and doubled quotes; lines end in LF or CRLF, the last one perhaps in neither.
//
// More lenient than the RFC in one way: blanks around a field are not part of it. A quote anywhere
// else than around a field is an error, because rows are counted by the parity of quotes.
#pragma once

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <system_error>

namespace flymc::csv {

struct Field {
  std::string_view text;  // without blanks and quotes around it; points into the file
  bool doubled = false;   // holds "" for "
  bool broken = false;    // a quote that is never closed, or one where none can be
};

// What a field says when it is read as a number.
enum class Reading { kFinite, kInfinite, kMissing, kText };

// Empty, NA, N/A, NaN, nan, null, NULL.
[[nodiscard]] bool is_missing(std::string_view text) noexcept;

// Decimal and scientific notation with an optional sign, in the C locale. Sets `value` unless the
// field is missing or text.
[[nodiscard]] Reading read_number(std::string_view text, double& value);

// "1,5" of a file that separates its fields otherwise.
[[nodiscard]] bool is_decimal_comma(std::string text);

// The text of a field with doubled quotes made single.
[[nodiscard]] std::string unquoted(const Field& field);

// Walks over the bytes of whole rows. Per row: a field by number() or read(), then next(), until
// next() says that the row has ended.
class FieldReader {
 public:
  FieldReader(std::string_view bytes, char separator) noexcept
      : at_(bytes.data()), end_(bytes.data() + bytes.size()), separator_(separator) {}

  [[nodiscard]] bool done() const noexcept { return at_ == end_; }
  [[nodiscard]] const char* at() const noexcept { return at_; }

  // The fast way: reads the field when it is a finite number and nothing else; otherwise moves
  // nothing and returns false. One scan, no copy.
  [[nodiscard]] bool number(double& value) noexcept {
    const auto [stop, error] = std::from_chars(at_, end_, value);
    if (error != std::errc{} || !ends_field(stop) || !std::isfinite(value)) {
      return false;
    }
    at_ = stop;
    return true;
  }

  // Any field.
  [[nodiscard]] Field read() noexcept;

  // Passes the separator (true) or the line end (false).
  bool next() noexcept {
    if (at_ != end_ && *at_ == separator_) {
      ++at_;
      return true;
    }
    skip_line_end();
    return false;
  }

  // Passes an empty line, if here is one.
  [[nodiscard]] bool skip_blank_line() noexcept {
    const char* const start = at_;
    skip_line_end();
    return at_ != start;
  }

 private:
  [[nodiscard]] bool ends_field(const char* p) const noexcept {
    return p == end_ || *p == separator_ || ends_line(p);
  }
  [[nodiscard]] bool ends_line(const char* p) const noexcept {
    return p == end_ || *p == '\n' || (*p == '\r' && (p + 1 == end_ || p[1] == '\n'));
  }
  [[nodiscard]] bool is_blank(char c) const noexcept {
    return (c == ' ' || c == '\t') && c != separator_;
  }
  [[nodiscard]] const char* skip_blanks(const char* p) const noexcept {
    while (p != end_ && is_blank(*p)) {
      ++p;
    }
    return p;
  }
  void skip_line_end() noexcept;
  [[nodiscard]] Field read_quoted(const char* open) noexcept;

  const char* at_;
  const char* end_;
  char separator_;
};

}  // namespace flymc::csv
