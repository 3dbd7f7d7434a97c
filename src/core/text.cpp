#include "core/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace flymc {
namespace {

constexpr std::size_t kShortBytes = 60;
// Longer names are not typing errors, and the cost of comparing them is quadratic.
constexpr std::size_t kLongestName = 64;

unsigned byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

// Whether a sequence of `length` bytes may stand for `code`: not a shorter one's, not a surrogate.
bool is_scalar(std::uint32_t code, std::size_t length) {
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool outside = (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF;
  return !overlong && !outside;
}

// Code point and length of the UTF-8 sequence at the head of `text`; length 0 when it is not one.
std::pair<std::uint32_t, std::size_t> decode(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  if (lead < 0x80) {
    return {lead, 1};
  }
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) {
    return {0, 0};
  }
  std::uint32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned next = byte_at(text, i);
    if ((next & 0xC0U) != 0x80) {
      return {0, 0};
    }
    code = code << 6 | (next & 0x3FU);
  }
  return {code, is_scalar(code, length) ? length : 0};
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

void append_escape(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    switch (c) {
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
}

// Appends the escaped form of the first character of `text` and returns its length in the input.
std::size_t append_character(std::string& out, std::string_view text) {
  const auto [code, length] = decode(text);
  const std::string_view bytes = text.substr(0, std::max<std::size_t>(length, 1));
  if (length == 0 || is_control(code)) {
    append_escape(out, bytes);
  } else {
    out += bytes;
  }
  return bytes.size();
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    text.remove_prefix(append_character(out, text));
  }
  return out;
}

std::string shortened(std::string_view text) {
  std::string out;
  while (!text.empty() && out.size() < kShortBytes) {
    text.remove_prefix(append_character(out, text));
  }
  return text.empty() ? out : out + "...";
}

std::string trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return std::string(text.substr(first, last + 1 - first));
}

std::string in_quotes(std::string_view text) { return "'" + shortened(text) + "'"; }

std::string with_commas(std::size_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t i = digits.size(); i > 3; i -= 3) {
    digits.insert(i - 3, ",");
  }
  return digits;
}

std::string plural(std::string_view noun) {
  if (noun.ends_with("ry")) {
    return fmt::format("{}ies", noun.substr(0, noun.size() - 1));
  }
  return fmt::format("{}{}", noun, noun.ends_with("s") ? "es" : "s");
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}", with_commas(count), count == 1 ? noun : plural(noun));
}

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

std::string listed(std::span<const std::string> names, std::string_view separator,
                   std::size_t at_most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), at_most); ++i) {
    text.append(i > 0 ? separator : "").append(shortened(names[i]));
  }
  return names.size() > at_most ? text.append(separator).append("...") : text;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> cost(b.size() + 1);
  std::iota(cost.begin(), cost.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = cost[0];
    cost[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = cost[j + 1];
      cost[j + 1] = std::min({substitute, cost[j] + 1, cost[j + 1] + 1});
    }
  }
  return cost[b.size()];
}

std::string nearest(std::string_view name, std::span<const std::string> candidates) {
  if (name.size() > kLongestName) {
    return {};
  }
  using Rank = std::pair<std::size_t, std::size_t>;
  const std::size_t limit = (name.size() + 1) / 3;
  Rank best;
  std::string found;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestName) {
      continue;
    }
    const Rank rank{edit_distance(in_lower_case(name), in_lower_case(candidate)),
                    edit_distance(name, candidate)};
    if (rank.first <= limit && (found.empty() || rank < best)) {
      best = rank;
      found = candidate;
    }
  }
  return found;
}

std::string escaped_markup(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-,+:=@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : escaped(word)) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

}  // namespace flymc
