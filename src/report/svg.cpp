#include "report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/text.hpp"
#include "report/numbers.hpp"

namespace flymc {
namespace {

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

std::vector<Tick> plain_ticks(double low, double high, double length) {
  std::vector<Tick> ticks;
  for (const double at : round_ticks(low, high, ticks_along(length))) {
    ticks.push_back({at, tick_text(at)});
  }
  return ticks;
}

constexpr Pen kFrame{.stroke = "#666666", .width = 1.0};

double tick_length(const Tick& tick) { return tick.text.empty() ? 2.0 : 4.0; }

}  // namespace

SvgPage::SvgPage(double width, double height, std::string_view title,
                 std::string_view description) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.6g} {1:.6g}\" "
      "width=\"{0:.6g}\" height=\"{1:.6g}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n",
      width, height, escaped_markup(title), escaped_markup(description));
}

void SvgPage::line(SvgPoint from, SvgPoint to, const Pen& pen) {
  out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", tenth(from.x),
                      tenth(from.y), tenth(to.x), tenth(to.y), attributes(pen));
}

void SvgPage::polyline(std::span<const SvgPoint> points, const Pen& pen) {
  out_ += "<polyline points=\"";
  for (const SvgPoint& point : points) {
    out_ += tenth(point.x) + "," + tenth(point.y) + " ";
  }
  out_ += "\" stroke-linejoin=\"round\"" + attributes(pen) + "/>\n";
}

void SvgPage::path(std::string_view commands, const Pen& pen) {
  out_ += fmt::format("<path d=\"{}\"{}/>\n", commands, attributes(pen));
}

void SvgPage::circle(SvgPoint centre, double radius, const Pen& pen) {
  out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", tenth(centre.x),
                      tenth(centre.y), tenth(radius), attributes(pen));
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
  out_ += fmt::format(
      "<text x=\"{}\" y=\"{}\" font-size=\"{:.6g}\" text-anchor=\"{}\" "
      "fill=\"{}\"{}>{}</text>\n",
      tenth(at.x), tenth(at.y), style.size, style.anchor, style.fill, extra, escaped_markup(words));
}

void SvgPage::axes(const Panel& panel, const AxisTitles& titles) {
  axes(panel, titles, plain_ticks(panel.x_low, panel.x_high, panel.width),
       plain_ticks(panel.y_low, panel.y_high, panel.height));
}

void SvgPage::axes(const Panel& panel, const AxisTitles& titles, std::span<const Tick> x_ticks,
                   std::span<const Tick> y_ticks) {
  path(fmt::format("M{} {}v{}h{}", tenth(panel.left), tenth(panel.top), tenth(panel.height),
                   tenth(panel.width)),
       kFrame);
  for (const Tick& tick : x_ticks) {
    const double x = panel.px(tick.at);
    line({x, panel.bottom()}, {x, panel.bottom() + tick_length(tick)}, kFrame);
    if (!titles.x.empty() && !tick.text.empty()) {
      text({x, panel.bottom() + 17.0}, tick.text, {.size = 11.0, .anchor = "middle"});
    }
  }
  for (const Tick& tick : y_ticks) {
    const double y = panel.py(tick.at);
    line({panel.left - tick_length(tick), y}, {panel.left, y}, kFrame);
    if (!tick.text.empty()) {
      text({panel.left - 7.0, y + 4.0}, tick.text, {.size = 11.0, .anchor = "end"});
    }
  }
  text({panel.left + 0.5 * panel.width, panel.bottom() + 34.0}, titles.x, {.anchor = "middle"});
  text({panel.left - titles.y_away, panel.top + 0.5 * panel.height}, titles.y,
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

std::vector<Tick> log_ticks(double low, double high) {
  constexpr double kSlack = 1e-9;
  const bool few = std::floor(high + kSlack) - std::ceil(low - kSlack) < 2.0;
  std::vector<Tick> ticks;
  for (double power = std::floor(low); power <= high + kSlack; power += 1.0) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double at = power + std::log10(digit);
      if (at < low - kSlack || at > high + kSlack) {
        continue;
      }
      const bool numbered = digit == 1 || (few && (digit == 2 || digit == 5));
      ticks.push_back({at, numbered ? axis_number(digit * std::pow(10.0, power)) : ""});
    }
  }
  return ticks;
}

std::string axis_number(double value) {
  constexpr double kThousand = 1e3;
  const double size = std::abs(value);
  const std::string digits = size < kThousand ? fmt::format("{:.6g}", size) : rounded_count(size);
  return value < 0.0 ? "\u2212" + digits : digits;
}

}  // namespace flymc
