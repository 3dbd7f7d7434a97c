// Curves with bands on scales of their own: the panels of the paper's figure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paper/result.hpp"
#include "report/svg.hpp"

namespace flymc::paper {

// From a value to the place on its axis, in the units of a Panel.
struct AxisScale {
  enum class Kind {
    kLinear,
    kLog,    // log10(value)
    kBelow,  // -log10(1 + (top - value) / unit): linear within a unit of the top, logarithmic below
  };
  Kind kind = Kind::kLinear;
  double top = 0.0;
  double unit = 1.0;

  // NaN where the scale has no place for the value.
  [[nodiscard]] double at(double value) const noexcept;
};

// How an algorithm is drawn, in every panel: colour for the screen, dash and width for grey print.
[[nodiscard]] Pen pen_of(std::string_view algorithm);

struct NamedCurve {
  std::string algorithm;
  const PaperCurve* curve = nullptr;
  double mark = 0.0;  // a ring on the line at the first x from here on; 0: none
};

struct CurvePanel {
  Panel panel;  // place and ranges, in scaled units
  AxisScale x;
  AxisScale y;
};

// Lowest and highest scaled values: of x, and of mean - sd .. mean + sd (on a log scale from half
// the mean on). Nothing to show: 0 .. 1.
void fit_ranges(CurvePanel& where, std::span<const NamedCurve> curves);

// Bands first, lines on top (dashed ones over solid ones), cut at the panel's edges. Values that
// share three units of the page are averaged: dashes stay readable and the file small.
void draw_curves(SvgPage& page, const CurvePanel& where, std::span<const NamedCurve> curves);

// The scale for log posteriors: its top is the highest value, its unit the distance to the middle
// of the curves' second halves, so that approach and level both show.
[[nodiscard]] AxisScale level_scale(std::span<const NamedCurve> curves);

// Ticks of that scale, at values that are round for their distance from the top.
[[nodiscard]] std::vector<Tick> level_ticks(const AxisScale& scale, const Panel& panel);

}  // namespace flymc::paper
