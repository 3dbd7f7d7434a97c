#include "report/compare_page.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "report/compare_text.hpp"
#include "report/page.hpp"
#include "run/run_files.hpp"

namespace flymc {
namespace {

// Untrusted text between tags.
std::string in_markup(std::string_view words) { return escaped_markup(escaped(words)); }

std::string html_table(const std::vector<TextColumn>& columns) {
  std::string html = "<div class=\"wide\"><table>\n<thead><tr>";
  for (const TextColumn& column : columns) {
    html += fmt::format("<th{}>{}</th>", column.align == Align::kLeft ? " class=\"word\"" : "",
                        in_markup(column.title));
  }
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t row = 0; row < columns[0].cells.size(); ++row) {
    html += fmt::format("<tr><th scope=\"row\">{}</th>", in_markup(columns[0].cells[row]));
    for (std::size_t i = 1; i < columns.size(); ++i) {
      html +=
          fmt::format("<td{}>{}</td>", columns[i].align == Align::kLeft ? " class=\"word\"" : "",
                      in_markup(columns[i].cells[row]));
    }
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

std::string title_of(std::span<const ComparedRun> runs) {
  std::string title = runs.front().name;
  for (const ComparedRun& run : runs.subspan(1)) {
    title += (&run == &runs.back() ? " and " : ", ") + run.name;
  }
  return title;
}

}  // namespace

std::string compare_page(std::span<const ComparedRun> runs, const Wording& wording) {
  const CompareTables tables = compare_tables(runs, wording, true);
  const std::string title = in_markup(title_of(runs));
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{}\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}\ntd {{ white-space: nowrap; "
      "}}\n</style>\n</head>\n<body>\n<h1>{}</h1>\n",
      kPageMark, title, base_style(), title);
  for (const std::string& verdict : tables.verdicts) {
    html += fmt::format("<p class=\"verdict\">{}</p>\n", in_markup(verdict));
  }
  html +=
      html_table(tables.runs) +
      "<p class=\"small\">elpd_loo: log density of rows left out, summed over all; se: had other "
      "rows come; mcse: what draws, and the choice of rows that all draws were taken for, add. "
      "Where k is beyond 0.7 the draws say too little of some row.</p>\n";
  if (!tables.differences.empty()) {
    html += fmt::format("<h2>Differences to {}</h2>\n{}", in_markup(runs.front().name),
                        html_table(tables.differences));
  }
  html += "<h2>Coefficients</h2>\n" + html_table(tables.coefficients);
  if (!tables.remarks.empty()) {
    html += "<h2>Notes</h2>\n<ul>\n";
    for (const std::string& remark : tables.remarks) {
      html += fmt::format("<li>{}</li>\n", in_markup(remark));
    }
    html += "</ul>\n";
  }
  return html + "</body>\n</html>\n";
}

}  // namespace flymc
