// The report of a run as one self-contained HTML page: no network, nothing outside the file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace flymc {

// `json` as text that may stand inside <script>: '<', '>' and '&' and what JavaScript takes for the
// end of a line are written as \uXXXX, so no name can close the element. Bytes that are not UTF-8
// become U+FFFD.
[[nodiscard]] std::string json_in_script(const nlohmann::ordered_json& json);

// The page about `data` (page_data, and what the caller added); the title is data["title"]. All
// text of the run travels in one JSON block and enters the page as text, never as markup.
[[nodiscard]] std::string report_page(const nlohmann::ordered_json& data);

// The style our pages share: colours, type, tables, print.
[[nodiscard]] std::string_view base_style() noexcept;

}  // namespace flymc
