#include "paper/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

namespace flymc::paper {
namespace {

struct Style {
  std::string_view algorithm;
  Pen pen;
};

constexpr std::array<Style, 5> kStyles = {{
    {"regular", {.stroke = colour::kBlack, .width = 1.5}},
    {"untuned", {.stroke = colour::kOrange, .width = 2.0, .dash = "8 4"}},
    {"map-tuned", {.stroke = colour::kBlue, .width = 2.2, .dash = "2 3"}},
    {"flymc", {.stroke = colour::kVermillion, .width = 3.0}},
    {"regular-best", {.stroke = colour::kGreen, .width = 2.0, .dash = "10 3 2 3"}},
}};

// One value of a curve, or the average of some.
struct Point {
  double x = 0.0;
  double mean = 0.0;
  double sd = 0.0;
};

// The values that have a place on both scales.
std::vector<Point> points_of(const PaperCurve& curve, const CurvePanel& where) {
  std::vector<Point> points;
  const std::size_t size = std::min(curve.x.size(), curve.mean.size());
  for (std::size_t i = 0; i < size; ++i) {
    const bool shown =
        std::isfinite(where.x.at(curve.x[i])) && std::isfinite(where.y.at(curve.mean[i]));
    if (shown) {
      const double sd = i < curve.sd.size() && std::isfinite(curve.sd[i]) ? curve.sd[i] : 0.0;
      points.push_back({curve.x[i], curve.mean[i], sd});
    }
  }
  return points;
}

// Averages of neighbours that share a column of the page. REQUIRES: x in order.
std::vector<Point> by_column(std::span<const Point> points, const CurvePanel& where) {
  constexpr double kColumn = 3.0;
  std::vector<Point> columns;
  double count = 0.0;
  double last = std::numeric_limits<double>::quiet_NaN();
  for (const Point& point : points) {
    const double column = std::floor(where.panel.px(where.x.at(point.x)) / kColumn);
    if (column != last) {
      columns.push_back({});
      count = 0.0;
      last = column;
    }
    count += 1.0;
    Point& mean = columns.back();
    mean.x += (point.x - mean.x) / count;
    mean.mean += (point.mean - mean.mean) / count;
    mean.sd += (point.sd - mean.sd) / count;
  }
  return columns;
}

SvgPoint on_page(const CurvePanel& where, double x, double y) {
  const Panel& panel = where.panel;
  const double scaled = where.y.at(y);  // NaN: a band that leaves a log scale at its lower end
  const double height = std::isnan(scaled) ? panel.bottom() : panel.py(scaled);
  return {panel.px(where.x.at(x)), std::clamp(height, panel.top, panel.bottom())};
}

void draw_band(SvgPage& page, const CurvePanel& where, std::span<const Point> points,
               std::string_view fill) {
  const bool flat = std::ranges::all_of(points, [](const Point& point) { return point.sd == 0.0; });
  if (flat) {
    return;
  }
  std::string commands;
  const auto add = [&](const SvgPoint& at) {
    commands += fmt::format("{}{:.1f} {:.1f}", commands.empty() ? "M" : "L", at.x, at.y);
  };
  for (const Point& point : points) {
    add(on_page(where, point.x, point.mean + point.sd));
  }
  for (std::size_t i = points.size(); i-- > 0;) {
    add(on_page(where, points[i].x, points[i].mean - points[i].sd));
  }
  page.path(commands + "z", {.fill = fill, .opacity = 0.2});
}

void draw_line(SvgPage& page, const CurvePanel& where, std::span<const Point> points,
               const NamedCurve& named) {
  std::vector<SvgPoint> line;
  for (const Point& point : points) {
    line.push_back(on_page(where, point.x, point.mean));
  }
  const Pen pen = pen_of(named.algorithm);
  if (!line.empty()) {
    page.polyline(line, pen);
  }
  const auto marked =
      std::ranges::find_if(points, [&](const Point& point) { return point.x >= named.mark; });
  if (named.mark > 0.0 && marked != points.end()) {
    page.circle(on_page(where, marked->x, marked->mean), 4.0,
                {.stroke = pen.stroke, .width = 1.8, .fill = "#FFFFFF"});
  }
}

// Of the band, as far as a panel must show it: on a log scale one near zero would take all room.
double lower_end(const Point& point, const AxisScale& scale) {
  const double low = point.mean - point.sd;
  return scale.kind == AxisScale::Kind::kLog ? std::max(low, 0.5 * point.mean) : low;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    if (std::isfinite(value)) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }

  // Never empty, never a single point.
  void settle() {
    if (low > high) {
      low = 0.0;
      high = 1.0;
    } else if (high - low < 1e-9 * std::max(1.0, std::abs(high))) {
      low -= 0.5;
      high += 0.5;
    }
  }
};

}  // namespace

double AxisScale::at(double value) const noexcept {
  constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
  switch (kind) {
    case Kind::kLog:
      return value > 0.0 ? std::log10(value) : kNowhere;
    case Kind::kBelow:
      return -std::log10(1.0 + std::max(0.0, top - value) / unit);
    case Kind::kLinear:
      return value;
  }
  return kNowhere;
}

Pen pen_of(std::string_view algorithm) {
  for (const Style& style : kStyles) {
    if (style.algorithm == algorithm) {
      return style.pen;
    }
  }
  return {.stroke = colour::kGrey, .width = 1.5, .dash = "1 3"};
}

void fit_ranges(CurvePanel& where, std::span<const NamedCurve> curves) {
  Range x;
  Range y;
  for (const NamedCurve& named : curves) {
    for (const Point& point : points_of(*named.curve, where)) {
      x.add(where.x.at(point.x));
      y.add(where.y.at(point.mean));
      y.add(where.y.at(point.mean + point.sd));
      y.add(where.y.at(lower_end(point, where.y)));
    }
  }
  x.settle();
  y.settle();
  where.panel.x_low = x.low;
  where.panel.x_high = x.high;
  where.panel.y_low = y.low;
  where.panel.y_high = y.high;
}

void draw_curves(SvgPage& page, const CurvePanel& where, std::span<const NamedCurve> curves) {
  std::vector<NamedCurve> order(curves.begin(), curves.end());
  std::ranges::stable_sort(order, std::less{}, [](const NamedCurve& named) {
    const Pen pen = pen_of(named.algorithm);
    return std::pair(!pen.dash.empty(), -pen.width);
  });
  std::vector<std::vector<Point>> drawn;
  for (const NamedCurve& named : order) {
    drawn.push_back(by_column(points_of(*named.curve, where), where));
    draw_band(page, where, drawn.back(), pen_of(named.algorithm).stroke);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    draw_line(page, where, drawn[i], order[i]);
  }
}

AxisScale level_scale(std::span<const NamedCurve> curves) {
  const CurvePanel plain;
  AxisScale scale{.kind = AxisScale::Kind::kBelow};
  Range all;
  std::vector<double> late;
  for (const NamedCurve& named : curves) {
    const std::vector<Point> points = points_of(*named.curve, plain);
    for (std::size_t i = 0; i < points.size(); ++i) {
      all.add(points[i].mean + points[i].sd);
      if (2 * i >= points.size()) {
        late.push_back(points[i].mean);
      }
    }
  }
  if (late.empty()) {
    return scale;
  }
  const auto middle = late.begin() + static_cast<std::ptrdiff_t>(late.size() / 2);
  std::nth_element(late.begin(), middle, late.end());
  scale.top = all.high;
  scale.unit = std::max(1.0, all.high - *middle);  // less than one unit of log is no difference
  return scale;
}

std::vector<Tick> level_ticks(const AxisScale& scale, const Panel& panel) {
  constexpr double kApart = 18.0;  // of two numbers on the page
  std::vector<Tick> ticks;
  double last = -std::numeric_limits<double>::infinity();
  const double lowest = scale.top - scale.unit * (std::pow(10.0, -panel.y_low) - 1.0);
  const double first = std::max(0.0, std::ceil(std::log10(scale.unit)) - 1.0);
  for (double power = std::pow(10.0, first); scale.top - power > lowest; power *= 10.0) {
    for (const double times : {1.0, 2.0, 5.0}) {
      const double value = std::round((scale.top - times * power) / power) * power;
      const double at = scale.at(value);
      const bool fits = value <= scale.top && value >= lowest && panel.py(at) >= last + kApart;
      if (fits) {
        ticks.push_back({at, axis_number(value)});
        last = panel.py(at);
      }
    }
  }
  return ticks;
}

}  // namespace flymc::paper
