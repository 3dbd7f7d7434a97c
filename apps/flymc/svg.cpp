#include "flymc/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace flymc::app {
namespace {

std::string escape_xml(std::string_view words) {
  std::string out;
  for (const char c : words) {
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

// A tenth of a unit is below what a printer shows; -0.0 would be a second spelling of 0.
std::string tenth(double value) {
  const double rounded = std::round(10.0 * value) / 10.0;
  return fmt::format("{:.6g}", rounded == 0.0 ? 0.0 : rounded);
}

std::string attributes(const Pen& pen) {
  std::string out = fmt::format(" fill=\"{}\"", pen.fill);
  if (pen.stroke != "none") {
    out += fmt::format(" stroke=\"{}\" stroke-width=\"{:.6g}\"", pen.stroke, pen.width);
  }
  if (pen.opacity < 1.0) {
    out += fmt::format(" opacity=\"{:.6g}\"", pen.opacity);
  }
  if (!pen.dash.empty()) {
    out += fmt::format(" stroke-dasharray=\"{}\"", pen.dash);
  }
  return out;
}

// 0.5, -2, 300; a real minus sign.
std::string tick_text(double value) {
  const std::string digits = fmt::format("{:.6g}", std::abs(value));
  return value < 0.0 ? "\u2212" + digits : digits;
}

// One number for about so many units of the page.
int ticks_along(double length) {
  constexpr double kApart = 60.0;
  return std::clamp(static_cast<int>(length / kApart), 3, 8);
}

constexpr Pen kFrame{.stroke = "#666666", .width = 1.0};
constexpr double kTickLength = 4.0;

}  // namespace

SvgPage::SvgPage(double width, double height, std::string_view title,
                 std::string_view description) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.6g} {1:.6g}\" "
      "width=\"{0:.6g}\" height=\"{1:.6g}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n",
      width, height, escape_xml(title), escape_xml(description));
}

void SvgPage::line(SvgPoint from, SvgPoint to, const Pen& pen) {
  fmt::format_to(std::back_inserter(out_), "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n",
                 tenth(from.x), tenth(from.y), tenth(to.x), tenth(to.y), attributes(pen));
}

void SvgPage::polyline(std::span<const SvgPoint> points, const Pen& pen) {
  out_ += "<polyline points=\"";
  for (const SvgPoint& point : points) {
    out_ += tenth(point.x) + "," + tenth(point.y) + " ";
  }
  out_ += "\" stroke-linejoin=\"round\"" + attributes(pen) + "/>\n";
}

void SvgPage::path(std::string_view commands, const Pen& pen) {
  fmt::format_to(std::back_inserter(out_), "<path d=\"{}\"{}/>\n", commands, attributes(pen));
}

void SvgPage::circle(SvgPoint centre, double radius, const Pen& pen) {
  fmt::format_to(std::back_inserter(out_), "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n",
                 tenth(centre.x), tenth(centre.y), tenth(radius), attributes(pen));
}

void SvgPage::triangle(SvgPoint centre, double radius, const Pen& pen) {
  const double half_base = 1.2 * radius;
  path(fmt::format("M{} {}l{} {}h{}z", tenth(centre.x), tenth(centre.y - 1.25 * radius),
                   tenth(half_base), tenth(2.0 * radius), tenth(-2.0 * half_base)),
       pen);
}

void SvgPage::text(SvgPoint at, std::string_view words, const TextStyle& style) {
  std::string extra = style.bold ? " font-weight=\"bold\"" : "";
  if (style.upwards) {
    extra += fmt::format(" transform=\"rotate(-90 {} {})\"", tenth(at.x), tenth(at.y));
  }
  fmt::format_to(std::back_inserter(out_),
                 "<text x=\"{}\" y=\"{}\" font-size=\"{:.6g}\" text-anchor=\"{}\" "
                 "fill=\"{}\"{}>{}</text>\n",
                 tenth(at.x), tenth(at.y), style.size, style.anchor, style.fill, extra,
                 escape_xml(words));
}

void SvgPage::axes(const Panel& panel, const AxisTitles& titles) {
  path(fmt::format("M{} {}v{}h{}", tenth(panel.left), tenth(panel.top), tenth(panel.height),
                   tenth(panel.width)),
       kFrame);
  for (const double tick : round_ticks(panel.x_low, panel.x_high, ticks_along(panel.width))) {
    const double x = panel.px(tick);
    line({x, panel.bottom()}, {x, panel.bottom() + kTickLength}, kFrame);
    if (!titles.x.empty()) {
      text({x, panel.bottom() + 17.0}, tick_text(tick), {.size = 11.0, .anchor = "middle"});
    }
  }
  for (const double tick : round_ticks(panel.y_low, panel.y_high, ticks_along(panel.height))) {
    const double y = panel.py(tick);
    line({panel.left - kTickLength, y}, {panel.left, y}, kFrame);
    text({panel.left - 7.0, y + 4.0}, tick_text(tick), {.size = 11.0, .anchor = "end"});
  }
  text({panel.left + 0.5 * panel.width, panel.bottom() + 34.0}, titles.x, {.anchor = "middle"});
  text({panel.left - 40.0, panel.top + 0.5 * panel.height}, titles.y,
       {.anchor = "middle", .upwards = true});
}

std::string SvgPage::finish() && { return std::move(out_) + "</svg>\n"; }

std::vector<double> round_ticks(double low, double high, int about) {
  const double rough = (high - low) / about;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double lead = rough / power;
  const double step = power * (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0);
  std::vector<double> ticks;
  for (double i = std::ceil(low / step); i * step <= high + 1e-9 * step; i += 1.0) {
    ticks.push_back(i * step);
  }
  return ticks;
}

}  // namespace flymc::app
