// A small writer of SVG figures: shapes in page units, panels with axes. Coordinates are rounded to
// a tenth of a unit, so files stay small and the same data give the same bytes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flymc {

// Okabe & Ito's colours: told apart by colour-blind readers and in print.
namespace colour {
inline constexpr std::string_view kBlack = "#000000";
inline constexpr std::string_view kOrange = "#E69F00";
inline constexpr std::string_view kYellow = "#F0E442";
inline constexpr std::string_view kGreen = "#009E73";
inline constexpr std::string_view kBlue = "#0072B2";
inline constexpr std::string_view kVermillion = "#D55E00";
inline constexpr std::string_view kGrey = "#9A9A9A";
inline constexpr std::string_view kText = "#333333";
}  // namespace colour

struct SvgPoint {
  double x = 0.0;
  double y = 0.0;
};

struct Pen {
  std::string_view stroke = "none";
  double width = 1.0;
  std::string_view fill = "none";
  double opacity = 1.0;
  std::string_view dash = "";
};

struct TextStyle {
  double size = 12.0;
  std::string_view anchor = "start";  // middle, end
  std::string_view fill = colour::kText;
  bool bold = false;
  bool upwards = false;  // turned to read from bottom to top
};

// A rectangle of the page with a scale in each direction; y grows upwards in data units.
struct Panel {
  double left = 0.0;
  double top = 0.0;
  double width = 100.0;
  double height = 100.0;
  double x_low = 0.0;
  double x_high = 1.0;
  double y_low = 0.0;
  double y_high = 1.0;

  [[nodiscard]] double right() const noexcept { return left + width; }
  [[nodiscard]] double bottom() const noexcept { return top + height; }
  [[nodiscard]] double px(double x) const noexcept {
    return left + width * (x - x_low) / (x_high - x_low);
  }
  [[nodiscard]] double py(double y) const noexcept {
    return bottom() - height * (y - y_low) / (y_high - y_low);
  }
};

// Empty: no title, and for x no numbers either.
struct AxisTitles {
  std::string_view x = "";
  std::string_view y = "";
  double y_away = 40.0;  // from the axis to the title of y: room for its numbers
};

// A mark on an axis, at a value in the panel's units; no number where the text is empty.
struct Tick {
  double at = 0.0;
  std::string text;
};

class SvgPage {
 public:
  // White, sans-serif; `title` and `description` are for screen readers.
  SvgPage(double width, double height, std::string_view title, std::string_view description);

  void line(SvgPoint from, SvgPoint to, const Pen& pen);
  void polyline(std::span<const SvgPoint> points, const Pen& pen);
  void path(std::string_view commands, const Pen& pen);
  void circle(SvgPoint centre, double radius, const Pen& pen);
  void triangle(SvgPoint centre, double radius, const Pen& pen);  // of about a circle's area
  void text(SvgPoint at, std::string_view words, const TextStyle& style);

  // Axes of a panel with ticks, numbers and titles; ticks at round numbers where none are given.
  void axes(const Panel& panel, const AxisTitles& titles);
  void axes(const Panel& panel, const AxisTitles& titles, std::span<const Tick> x_ticks,
            std::span<const Tick> y_ticks);

  // The document; the page takes nothing more.
  [[nodiscard]] std::string finish() &&;

 private:
  std::string out_;
};

// Round numbers (1, 2 or 5 times a power of ten apart) inside low .. high, about so many.
[[nodiscard]] std::vector<double> round_ticks(double low, double high, int about);

// Ticks of a panel in powers of ten, low .. high being exponents: a number at every power (at 2 and
// 5 times one too where there are few), a mark at each digit between. REQUIRES: low <= high.
[[nodiscard]] std::vector<Tick> log_ticks(double low, double high);

// 0.5, 12,214 and a real minus sign.
[[nodiscard]] std::string axis_number(double value);

}  // namespace flymc
