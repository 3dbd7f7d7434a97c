#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "cli/demo/toy_parts.hpp"

namespace flymc::cli {
namespace {

constexpr double kStripWidth = 786.0;
constexpr double kGap = 34.0;
constexpr Pen kMarkPen{.stroke = "#BBBBBB", .width = 1.0, .dash = "2 3"};

Panel strip(const ToyTrace& trace, double top, double height) {
  return {.left = kLeft,
          .top = top,
          .width = kStripWidth,
          .height = height,
          .x_low = 0.0,
          .x_high = static_cast<double>(trace.states.size() - 1)};
}

void heading(SvgPage& page, const Panel& panel, const std::string& words) {
  page.text({panel.left, panel.top - 8.0}, words, {.size = 13.0, .bold = true});
}

void mark(SvgPage& page, const Panel& panel, std::size_t t) {
  const double x = panel.px(static_cast<double>(t));
  page.line({x, panel.top}, {x, panel.bottom()}, kMarkPen);
}

struct Trajectory {
  std::string_view name;
  std::string_view colour;
  double label_y = 0.0;
};

// Labels stand at the ends of their lines, moved apart where they would touch.
void place_labels(std::array<Trajectory, 3>& lines) {
  constexpr double kApart = 16.0;
  std::array<Trajectory*, 3> order = {&lines[0], &lines[1], &lines[2]};
  std::sort(order.begin(), order.end(),
            [](const Trajectory* a, const Trajectory* b) { return a->label_y < b->label_y; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    order[i]->label_y = std::max(order[i]->label_y, order[i - 1]->label_y + kApart);
  }
}

void draw_theta(SvgPage& page, Panel panel, const ToyTrace& trace, std::size_t t) {
  std::array<Trajectory, 3> lines = {{{"\u03B8\u2080 intercept", colour::kVermillion},
                                      {"\u03B8\u2081 slope of x\u2081", colour::kBlue},
                                      {"\u03B8\u2082 slope of x\u2082", colour::kGreen}}};
  double low = 0.0;
  double high = 0.0;
  for (const ToyState& state : trace.states) {
    low = std::min(low, *std::min_element(state.theta.begin(), state.theta.end()));
    high = std::max(high, *std::max_element(state.theta.begin(), state.theta.end()));
  }
  panel.y_low = low - 0.3;
  panel.y_high = high + 0.3;
  heading(page, panel, "The parameters \u03B8");
  page.axes(panel, {"", "coefficient"});
  mark(page, panel, t);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    std::vector<SvgPoint> points;
    for (std::size_t i = 0; i < trace.states.size(); ++i) {
      points.push_back({panel.px(static_cast<double>(i)), panel.py(trace.states[i].theta[k])});
    }
    page.polyline(points, {.stroke = lines[k].colour, .width = 1.5});
    lines[k].label_y = points.back().y + 4.0;
  }
  place_labels(lines);
  for (const Trajectory& line : lines) {
    page.text({panel.right() + 8.0, line.label_y}, line.name,
              {.size = 12.5, .fill = line.colour, .bold = true});
  }
}

// One row a datum that was ever bright, those that were bright most often at the bottom.
std::vector<Datum> rows_of_raster(const ToyTrace& trace) {
  std::vector<std::size_t> times(trace.table.rows, 0);
  for (const ToyState& state : trace.states) {
    for (const Datum n : state.bright) {
      ++times[n];
    }
  }
  std::vector<Datum> rows;
  for (Datum n = 0; n < trace.table.rows; ++n) {
    if (times[n] > 0) {
      rows.push_back(n);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [&](Datum a, Datum b) { return times[a] > times[b]; });
  return rows;
}

// A dash from the first to the last of the iterations in a row at which the datum is bright.
std::string dashes(const Panel& panel, const ToyTrace& trace, Datum n, double y) {
  std::string commands;
  const auto bright = [&](std::size_t i) {
    return i < trace.states.size() &&
           std::binary_search(trace.states[i].bright.begin(), trace.states[i].bright.end(), n);
  };
  for (std::size_t i = 0; i < trace.states.size(); ++i) {
    if (!bright(i)) {
      continue;
    }
    const std::size_t first = i;
    while (bright(i)) {
      ++i;
    }
    const double from = panel.px(static_cast<double>(first));
    const double to = std::min(panel.px(static_cast<double>(i)), panel.right());
    commands += fmt::format("M{:.1f} {:.1f}H{:.1f}", from, y, to);
  }
  return commands;
}

void draw_z(SvgPage& page, Panel panel, const ToyTrace& trace, std::size_t t) {
  const std::vector<Datum> rows = rows_of_raster(trace);
  const auto count = static_cast<double>(std::max<std::size_t>(rows.size(), 1));
  panel.y_high = count;
  heading(page, panel,
          fmt::format("The brightness z: a dash where a datum is bright; the {} of {} data that "
                      "ever are, one a row",
                      rows.size(), trace.table.rows));
  page.axes(panel, {"", "datum (sorted)"});
  mark(page, panel, t);
  std::string commands;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    commands += dashes(panel, trace, rows[row], panel.py(static_cast<double>(row) + 0.5));
  }
  page.path(commands,
            {.stroke = colour::kVermillion, .width = std::min(3.0, 0.85 * panel.height / count)});
}

void draw_count(SvgPage& page, Panel panel, const ToyTrace& trace, std::size_t t) {
  std::size_t most = 1;
  for (const ToyState& state : trace.states) {
    most = std::max(most, state.bright.size());
  }
  panel.y_high = 1.08 * static_cast<double>(most);
  heading(page, panel,
          fmt::format("Bright data, of N = {}: regular MCMC evaluates all {} every time",
                      trace.table.rows, trace.table.rows));
  page.axes(panel, {"iteration", "bright data"});
  mark(page, panel, t);
  page.text({panel.px(static_cast<double>(t)) + 6.0, panel.top + 10.0},
            fmt::format("iterations {} and {}, shown above", t, t + 1), {.size = 11.0});
  std::vector<SvgPoint> points;
  for (std::size_t i = 0; i < trace.states.size(); ++i) {
    points.push_back({panel.px(static_cast<double>(i)),
                      panel.py(static_cast<double>(trace.states[i].bright.size()))});
  }
  page.polyline(points, {.stroke = colour::kBlack, .width = 1.4});
}

}  // namespace

double draw_strips(SvgPage& page, const ToyTrace& trace, std::size_t t, double top) {
  constexpr double kThetaHeight = 140.0;
  constexpr double kZHeight = 190.0;
  constexpr double kCountHeight = 90.0;
  const double z_top = top + kThetaHeight + kGap;
  const double count_top = z_top + kZHeight + kGap;
  draw_theta(page, strip(trace, top, kThetaHeight), trace, t);
  draw_z(page, strip(trace, z_top, kZHeight), trace, t);
  draw_count(page, strip(trace, count_top, kCountHeight), trace, t);
  constexpr double kBelow = 40.0;  // numbers and title of the common axis
  return count_top + kCountHeight + kBelow - top;
}

}  // namespace flymc::cli
