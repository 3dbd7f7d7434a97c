#include "report/page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "report/page_text.hpp"

namespace flymc {
namespace {

// Markers are looked for in the page's own text only: a run whose name is a marker changes nothing.
struct Split {
  std::string_view before;
  std::string_view after;
};
[[nodiscard]] Split split_at(std::string_view text, std::string_view marker) {
  const std::size_t at = text.find(marker);
  return {text.substr(0, at), text.substr(at + marker.size())};
}

}  // namespace

std::string json_in_script(const nlohmann::ordered_json& json) {
  const std::string text =
      json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view next = std::string_view(text).substr(i, 3);
    if (text[i] == '<' || text[i] == '>' || text[i] == '&') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(text[i]));
    } else if (next == "\u2028" || next == "\u2029") {
      out += next == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string report_page(const nlohmann::ordered_json& data) {
  const auto [head, rest] = split_at(kPageText, "@TITLE@");
  const auto [middle, tail] = split_at(rest, "@DATA@");
  const std::string title = escaped(data.value("title", "flymc report"));
  return fmt::format("{}{}{}{}{}", head, escaped_markup(title), middle, json_in_script(data), tail);
}

std::string_view base_style() noexcept { return kBaseStyle; }

}  // namespace flymc
