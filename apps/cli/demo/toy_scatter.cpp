#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "cli/demo/toy_parts.hpp"

namespace flymc::cli {
namespace {

constexpr Pen kBrightPen{.stroke = colour::kBlack, .width = 1.0, .fill = colour::kOrange};
constexpr Pen kDarkPen{.stroke = colour::kGrey, .width = 0.9};
constexpr Pen kLinePen{.stroke = colour::kBlue, .width = 2.2};
constexpr Pen kOldLinePen{.stroke = colour::kBlue, .width = 1.6, .dash = "5 4"};
constexpr Pen kWentDarkPen{.stroke = colour::kVermillion, .width = 1.8};
constexpr double kDarkRadius = 2.2;
constexpr double kBrightRadius = 5.0;

bool is_bright(const ToyState& state, Datum n) {
  return std::binary_search(state.bright.begin(), state.bright.end(), n);
}

void marker(SvgPage& page, SvgPoint at, bool triangle, double radius, const Pen& pen) {
  triangle ? page.triangle(at, radius, pen) : page.circle(at, radius, pen);
}

void firefly(SvgPage& page, SvgPoint at, bool triangle) {
  page.circle(at, 1.9 * kBrightRadius, {.fill = colour::kYellow, .opacity = 0.6});
  marker(page, at, triangle, kBrightRadius, kBrightPen);
}

// theta_0 + theta_1 x + theta_2 y = 0 inside the panel; absent where the line misses it.
std::optional<std::array<SvgPoint, 2>> boundary(const Panel& panel,
                                                const std::array<double, 3>& theta) {
  std::vector<SvgPoint> ends;
  for (const double x : {panel.x_low, panel.x_high}) {
    const double y = -(theta[0] + theta[1] * x) / theta[2];
    if (y >= panel.y_low && y <= panel.y_high) {
      ends.push_back({x, y});
    }
  }
  for (const double y : {panel.y_low, panel.y_high}) {
    const double x = -(theta[0] + theta[2] * y) / theta[1];
    if (x > panel.x_low && x < panel.x_high) {
      ends.push_back({x, y});
    }
  }
  if (ends.size() < 2) {
    return std::nullopt;
  }
  return std::array{SvgPoint{panel.px(ends[0].x), panel.py(ends[0].y)},
                    SvgPoint{panel.px(ends[1].x), panel.py(ends[1].y)}};
}

// The widest coordinate of any datum, so that every datum is inside every scatter panel.
double reach(const ToyTrace& trace) {
  double widest = 1.0;
  for (const double x : trace.table.x) {
    widest = std::max(widest, std::abs(x));
  }
  return widest + 0.2;
}

// One state as a scatter panel; `previous` may be null.
void draw_state(SvgPage& page, const Panel& panel, const ToyTrace& trace, const ToyState& state,
                const ToyState* previous) {
  const auto place = [&](Datum n) {
    return SvgPoint{panel.px(trace.table.x[2 * n]), panel.py(trace.table.x[2 * n + 1])};
  };
  const auto triangle = [&](Datum n) { return trace.table.response.values[n] > 0.5; };
  for (Datum n = 0; n < trace.table.rows; ++n) {
    if (!is_bright(state, n)) {
      marker(page, place(n), triangle(n), kDarkRadius, kDarkPen);
    }
  }
  if (const auto old = previous ? boundary(panel, previous->theta) : std::nullopt) {
    page.line((*old)[0], (*old)[1], kOldLinePen);
  }
  if (const auto line = boundary(panel, state.theta)) {
    page.line((*line)[0], (*line)[1], kLinePen);
  }
  for (const Datum n : state.bright) {
    firefly(page, place(n), triangle(n));
  }
  for (const Datum n : previous ? previous->bright : std::vector<Datum>{}) {
    if (!is_bright(state, n)) {
      marker(page, place(n), triangle(n), kBrightRadius, kWentDarkPen);
    }
  }
}

}  // namespace

void draw_scatter_row(SvgPage& page, const ToyTrace& trace, std::size_t t, double top) {
  constexpr double kSide = 270.0;
  constexpr double kStep = 314.0;
  const double widest = reach(trace);
  const std::array<std::size_t, 3> shown = {0, t, t + 1};
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Panel panel{kLeft + kStep * static_cast<double>(i),
                      top,
                      kSide,
                      kSide,
                      -widest,
                      widest,
                      -widest,
                      widest};
    const ToyState& state = trace.states[shown[i]];
    page.text({panel.left, top - 8.0},
              fmt::format("Iteration {}{}: {} bright", shown[i], i == 0 ? ", a prior draw" : "",
                          state.bright.size()),
              {.size = 13.0, .bold = true});
    page.axes(panel, {"x\u2081", i == 0 ? "x\u2082" : ""});
    draw_state(page, panel, trace, state, i == 2 ? &trace.states[t] : nullptr);
  }
}

void draw_legend(SvgPage& page, double y) {
  const auto note = [&](double x, std::string_view words) { page.text({x, y + 4.0}, words, {}); };
  firefly(page, {kLeft + 10.0, y}, false);
  firefly(page, {kLeft + 36.0, y}, true);
  note(kLeft + 54.0, "bright, two classes");
  page.circle({kLeft + 192.0, y}, kDarkRadius, kDarkPen);
  page.triangle({kLeft + 206.0, y}, kDarkRadius, kDarkPen);
  note(kLeft + 217.0, "dark: the bound stands in");
  page.circle({kLeft + 385.0, y}, kBrightRadius, kWentDarkPen);
  note(kLeft + 397.0, "just went dark");
  page.line({kLeft + 501.0, y}, {kLeft + 531.0, y}, kLinePen);
  note(kLeft + 538.0, "classes equally likely under \u03B8");
  page.line({kLeft + 738.0, y}, {kLeft + 768.0, y}, kOldLinePen);
  note(kLeft + 775.0, "one iteration before");
}

}  // namespace flymc::cli
