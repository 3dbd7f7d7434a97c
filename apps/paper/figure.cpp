#include "paper/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/text.hpp"
#include "paper/curves.hpp"
#include "report/cell_width.hpp"

namespace flymc::paper {
namespace {

constexpr double kPageWidth = 760.0;
constexpr double kPanelLeft = 84.0;
constexpr double kPanelWidth = 652.0;
constexpr double kTitleAway = 64.0;
constexpr Pen kGrid{.stroke = "#E2E2E2", .width = 1.0};

std::vector<NamedCurve> curves_of(const PaperResult& result, PaperCurve PaperRow::*which) {
  std::vector<NamedCurve> curves;
  for (const PaperRow& row : result.rows) {
    curves.push_back({row.algorithm, &(row.*which)});
  }
  return curves;
}

void heading(SvgPage& page, const Panel& panel, std::string_view words, std::string_view remark) {
  page.text({panel.left, panel.top - 24.0}, words, {.size = 13.5, .bold = true});
  page.text({panel.left, panel.top - 9.0}, remark, {.size = 11.5});
}

// Faint lines at the numbered ticks of y.
void grid(SvgPage& page, const Panel& panel, const std::vector<Tick>& ticks) {
  for (const Tick& tick : ticks) {
    if (!tick.text.empty()) {
      const double y = panel.py(tick.at);
      page.line({panel.left, y}, {panel.right(), y}, kGrid);
    }
  }
}

// A sample of each algorithm's line with its name and kernel, three a row. Returns the height.
double draw_legend(SvgPage& page, const PaperResult& result, double top) {
  constexpr std::size_t kAcross = 3;
  constexpr double kApart = 222.0;
  constexpr double kDown = 20.0;
  constexpr double kSample = 46.0;
  constexpr std::size_t kLongest = 24;
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const PaperRow& row = result.rows[i];
    const double x = kPanelLeft + kApart * static_cast<double>(i % kAcross);
    const double y = top + kDown * static_cast<double>(i / kAcross);
    const std::vector<SvgPoint> sample = {{x, y - 4.0}, {x + kSample, y - 4.0}};
    page.polyline(sample, pen_of(row.algorithm));
    page.text({x + kSample + 8.0, y},
              cut_to_width(escaped(row.algorithm + " (" + row.kernel + ")"), kLongest),
              {.size = 12.5});
  }
  return kDown * static_cast<double>((result.rows.size() + kAcross - 1) / kAcross);
}

CurvePanel panel_at(double top, double height) {
  return {.panel = {.left = kPanelLeft, .top = top, .width = kPanelWidth, .height = height},
          .x = {},
          .y = {}};
}

// (a) and (b) stand one below the other: the same iterations at the same place.
void share_iterations(CurvePanel& where, const PaperResult& result) {
  std::vector<NamedCurve> all = curves_of(result, &PaperRow::log_posterior);
  const std::vector<NamedCurve> queries = curves_of(result, &PaperRow::queries);
  all.insert(all.end(), queries.begin(), queries.end());
  CurvePanel both{.panel = {}, .x = where.x, .y = {}};
  fit_ranges(both, all);
  where.panel.x_low = both.panel.x_low;
  where.panel.x_high = both.panel.x_high;
}

void draw_log_posterior(SvgPage& page, const PaperResult& result, double top, double height) {
  std::vector<NamedCurve> curves = curves_of(result, &PaperRow::log_posterior);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    curves[i].mark = static_cast<double>(result.rows[i].warmup);
  }
  CurvePanel where = panel_at(top, height);
  where.x.kind = AxisScale::Kind::kLog;
  where.y = level_scale(curves);
  fit_ranges(where, curves);
  share_iterations(where, result);
  const std::vector<Tick> ticks = level_ticks(where.y, where.panel);
  heading(page, where.panel, "(a) Log posterior of all data",
          "Mean and one standard deviation over runs; ring: end of warm-up. The scale is "
          "logarithmic in the distance from the top.");
  grid(page, where.panel, ticks);
  draw_curves(page, where, curves);
  page.axes(where.panel,
            {.x = "iteration, warm-up included", .y = "log posterior", .y_away = kTitleAway},
            log_ticks(where.panel.x_low, where.panel.x_high), ticks);
}

void draw_queries(SvgPage& page, const PaperResult& result, double top, double height) {
  const std::vector<NamedCurve> curves = curves_of(result, &PaperRow::queries);
  CurvePanel where = panel_at(top, height);
  where.x.kind = AxisScale::Kind::kLog;
  where.y.kind = AxisScale::Kind::kLog;
  fit_ranges(where, curves);
  share_iterations(where, result);
  where.panel.y_low -= 0.1;
  where.panel.y_high += 0.1;
  const std::vector<Tick> ticks = log_ticks(where.panel.y_low, where.panel.y_high);
  heading(page, where.panel, "(b) Likelihood queries per iteration",
          fmt::format("N = {} data; queries of the \u03B8-update and of the z-update together.",
                      with_commas(result.rows_n)));
  grid(page, where.panel, ticks);
  draw_curves(page, where, curves);
  page.axes(where.panel, {.x = "iteration, warm-up included", .y = "queries", .y_away = kTitleAway},
            log_ticks(where.panel.x_low, where.panel.x_high), ticks);
}

std::vector<Tick> linear_ticks(double low, double high, int about) {
  std::vector<Tick> ticks;
  for (const double at : round_ticks(low, high, about)) {
    ticks.push_back({at, axis_number(at)});
  }
  return ticks;
}

void draw_autocorrelation(SvgPage& page, const PaperResult& result, double top, double height) {
  const std::vector<NamedCurve> curves = curves_of(result, &PaperRow::autocorrelation);
  CurvePanel where = panel_at(top, height);
  fit_ranges(where, curves);
  where.panel.y_low = std::clamp(where.panel.y_low, -0.5, 0.0);
  where.panel.y_high = 1.0;
  const std::vector<Tick> ticks = linear_ticks(where.panel.y_low, where.panel.y_high, 5);
  heading(page, where.panel, "(c) Autocorrelation after warm-up",
          "Mean over parameters: the sooner a line is at zero, the more each iteration tells.");
  grid(page, where.panel, ticks);
  draw_curves(page, where, curves);
  page.axes(where.panel, {.x = "lag, in iterations", .y = "autocorrelation", .y_away = kTitleAway},
            linear_ticks(where.panel.x_low, where.panel.x_high, 8), ticks);
}

}  // namespace

std::string paper_figure(const PaperResult& result) {
  const double warning = result.simulated ? 18.0 : 0.0;  // a line below the title
  SvgPage page(kPageWidth, 882.0 + warning, escaped(result.title),
               "Three panels of curves, one for each algorithm: log posterior against iteration, "
               "likelihood queries against iteration, autocorrelation against lag.");
  constexpr std::size_t kLongest = 80;
  page.text({kPanelLeft, 26.0}, cut_to_width(escaped(result.title), kLongest),
            {.size = 16.0, .fill = colour::kBlack, .bold = true});
  if (result.simulated) {
    page.text({kPanelLeft, 45.0}, "Simulated data, not the paper's.",
              {.size = 12.5, .fill = colour::kVermillion, .bold = true});
  }
  double y = 52.0 + warning;
  y += draw_legend(page, result, y) + 40.0;
  draw_log_posterior(page, result, y, 230.0);
  y += 230.0 + 92.0;
  draw_queries(page, result, y, 150.0);
  y += 150.0 + 92.0;
  draw_autocorrelation(page, result, y, 140.0);
  return std::move(page).finish();
}

}  // namespace flymc::paper
