#include "paper/page.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "paper/table.hpp"
#include "report/page.hpp"
#include "report/svg.hpp"

namespace flymc::paper {
namespace {

// What this page has beyond base_style().
constexpr std::string_view kStyle = R"(
thead th[colspan] { text-align: center; }
tbody tr.ours { background: var(--soft); font-weight: 600; }
figure svg { display: block; width: 100%; min-width: 36rem; max-width: 54rem; height: auto;
  border-radius: .3rem; }
@media print {
  figure svg { min-width: 0; max-width: 16cm; max-height: 20cm; break-inside: avoid; }
}
)";

struct Explained {
  std::string_view algorithm;
  std::string_view words;
};

constexpr std::array<Explained, 5> kExplained = {{
    {"regular", "The paper\u2019s baseline: evaluates the likelihood of all data."},
    {"untuned", "The paper\u2019s FlyMC with bounds made without knowing the mode."},
    {"map-tuned",
     "The paper\u2019s FlyMC with bounds that touch the likelihood at the mode (MAP)."},
    {"flymc", "FlyMC as this program runs it today."},
    {"regular-best", "All data again, with the best kernel that this program has for them."},
}};

// Untrusted text between tags or in an attribute.
[[nodiscard]] std::string safe(std::string_view words) { return escaped_markup(escaped(words)); }

[[nodiscard]] std::string introduction(const PaperResult& result) {
  std::string html = fmt::format("<h1>{}</h1>\n", safe(result.title));
  if (result.simulated) {
    html +=
        "<p class=\"banner\">Simulated data: these are not the data of the paper, so the numbers "
        "below are not its numbers. They show how the algorithms compare on data made to be "
        "alike.</p>\n";
  }
  html += fmt::format(
      "<p>An experiment of Maclaurin and Adams, <cite>Firefly Monte Carlo: Exact MCMC with "
      "Subsets of Data</cite> (2014), repeated. Every algorithm below draws from the same exact "
      "posterior; what differs is how many likelihoods it evaluates for an iteration, and how "
      "much an iteration tells. The data: {} \u2013 {} and {}, the bias included.</p>\n",
      safe(result.data), counted(result.rows_n, "row"), counted(result.columns, "column"));
  return html;
}

[[nodiscard]] std::string explanations(const PaperResult& result) {
  std::string html = "<dl class=\"small\">\n";
  for (const Explained& explained : kExplained) {
    if (find_row(result, explained.algorithm) != nullptr) {
      html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", explained.algorithm, explained.words);
    }
  }
  return html + "</dl>\n";
}

[[nodiscard]] std::string table_row(const PaperRow& row) {
  std::string html = fmt::format("<tr{}><th scope=\"row\">{}</th><td class=\"word\">{}</td>",
                                 row.algorithm == "flymc" ? " class=\"ours\"" : "",
                                 safe(row.algorithm), safe(row.kernel));
  const std::vector<std::string> cells = {paper_number(row.queries_per_iteration()),
                                          paper_number(row.queries_theta),
                                          paper_number(row.queries_z),
                                          paper_number(row.mean_bright),
                                          paper_number(row.ess_per_1000),
                                          paper_number(row.ess_min_per_1000),
                                          paper_number(row.speedup),
                                          paper_number(row.seconds),
                                          largest_z_text(row)};
  for (const std::string& cell : cells) {
    html += fmt::format("<td>{}</td>", cell == "-" ? "\u2013" : cell);
  }
  return html + "</tr>\n";
}

[[nodiscard]] std::string table(const PaperResult& result) {
  std::string html =
      "<h2>Results</h2>\n<div class=\"wide\"><table>\n<thead>\n"
      "<tr><th class=\"word\" rowspan=\"2\">algorithm</th><th class=\"word\" rowspan=\"2\">kernel"
      "</th><th colspan=\"3\">queries per iteration</th><th rowspan=\"2\">mean bright</th>"
      "<th colspan=\"2\">ESS per 1,000 iterations</th>"
      "<th rowspan=\"2\">speed-up per query</th><th rowspan=\"2\">seconds per 1,000 effective "
      "draws</th><th rowspan=\"2\">largest |z|</th></tr>\n"
      "<tr><th>total</th><th>\u03B8</th><th>z</th><th>mean</th><th>min</th></tr>\n"
      "</thead>\n<tbody>\n";
  for (const PaperRow& row : result.rows) {
    html += table_row(row);
  }
  html +=
      "</tbody>\n</table></div>\n"
      "<p class=\"small\">A query is one evaluation of one datum\u2019s likelihood. ESS: effective "
      "sample size, its mean and its minimum over the parameters. Speed-up: mean ESS per query, in "
      "units of the regular row. Seconds include the set-up. |z|: the largest difference of a "
      "posterior mean from that of flymc, in standard errors; over many parameters chance alone "
      "makes it 2 to 4.</p>\n";
  return html;
}

[[nodiscard]] std::string figure(const std::string& svg) {
  return "<h2>Figure</h2>\n<figure>\n<div class=\"wide\">\n" + svg +
         "</div>\n<figcaption>Mean (line) and one standard deviation (band) over runs. (a) The log "
         "posterior of all data, computed afterwards and not counted; the scale is logarithmic in "
         "the distance from its top, so that the way from a bad start and the level at the end "
         "both "
         "show. A ring marks the end of warm-up; curves end where their chains do. (b) Likelihood "
         "queries per iteration, logarithmic. (c) Autocorrelation after warm-up, mean over the "
         "parameters. Values that fall on the same place are averaged.</figcaption>\n</figure>\n";
}

[[nodiscard]] std::string list(std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) {
    return "";
  }
  std::string html = fmt::format("<h2>{}</h2>\n<ul>\n", title);
  for (const std::string& line : lines) {
    html += fmt::format("<li>{}</li>\n", safe(line));
  }
  return html + "</ul>\n";
}

}  // namespace

std::string paper_page(const PaperResult& result, const std::string& figure_svg) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n",
      safe(result.title), base_style(), kStyle);
  html += introduction(result) + explanations(result) + table(result);
  const std::string comparison = paper_comparison(result);
  if (!comparison.empty()) {
    html += fmt::format("<p class=\"verdict\">{}</p>\n", escaped_markup(comparison));
  }
  html += figure(figure_svg) + list("Notes", result.notes) + list("Settings", result.settings);
  if (!result.command.empty()) {
    html += fmt::format("<h2>Make this page again</h2>\n<pre><code>{}</code></pre>\n",
                        safe(result.command));
  }
  return html + "</body>\n</html>\n";
}

}  // namespace flymc::paper
