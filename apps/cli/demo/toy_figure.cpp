#include "cli/demo/toy_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "cli/demo/toy_parts.hpp"

namespace flymc::cli {
namespace {

// How far the line turns and shifts from one iteration to the next, in rough units of the page.
double line_move(const ToyState& from, const ToyState& to) {
  const auto direction = [](const ToyState& s) { return std::atan2(s.theta[2], s.theta[1]); };
  const auto distance = [](const ToyState& s) {
    return s.theta[0] / std::hypot(s.theta[1], s.theta[2]);
  };
  const double turn = std::remainder(direction(to) - direction(from), 2.0 * std::numbers::pi);
  return std::abs(turn) + std::abs(distance(to) - distance(from));
}

// The iteration to show with its successor: of those with a handful of bright data, some of which
// change, the one after which the line moves most.
std::size_t telling_iteration(const ToyTrace& trace) {
  constexpr std::size_t kFewest = 6;
  constexpr std::size_t kMost = 24;
  std::size_t best = 0;
  double best_move = -1.0;
  for (std::size_t t = 1; t + 1 < trace.states.size(); ++t) {
    const ToyState& now = trace.states[t];
    const ToyState& next = trace.states[t + 1];
    const bool telling = now.bright.size() >= kFewest && now.bright.size() <= kMost &&
                         next.bright.size() >= kFewest && next.bright != now.bright;
    const double move = line_move(now, next) - (telling ? 0.0 : 100.0);
    if (best == 0 || move > best_move) {
      best = t;
      best_move = move;
    }
  }
  return best;
}

// Mean number of bright data over the second half.
double settled_bright(const ToyTrace& trace) {
  double sum = 0.0;
  const std::size_t first = trace.states.size() / 2;
  for (std::size_t i = first; i < trace.states.size(); ++i) {
    sum += static_cast<double>(trace.states[i].bright.size());
  }
  return sum / static_cast<double>(trace.states.size() - first);
}

std::vector<std::string> caption(const ToyTrace& trace) {
  return {
      fmt::format("{} simulated data in two classes; logistic regression; one chain of {} "
                  "random-walk Metropolis iterations, started at a draw from the prior.",
                  trace.table.rows, trace.states.size() - 1),
      "Each iteration redraws z given \u03B8, then moves \u03B8, evaluating the bright data only; "
      "the dark ones enter through one quadratic bound, made once.",
      fmt::format("Bounds touch the likelihood at the mode (MAP-tuned): the nearer \u03B8, the "
                  "fewer lights. Second half of the chain: {:.1f} of {} bright on average.",
                  settled_bright(trace), trace.table.rows)};
}

}  // namespace

std::string toy_figure(const ToyTrace& trace) {
  constexpr double kWidth = 1000.0;
  constexpr double kHeight = 1050.0;
  const std::string title = "Firefly Monte Carlo: the posterior of all data from the bright ones";
  SvgPage page(kWidth, kHeight, title,
               "Three scatter plots of two classes with the line of equal class probability and "
               "the bright data, then traces of theta, z and the number of bright data.");
  page.text({kLeft, 28.0}, title, {.size = 18.0, .fill = colour::kBlack, .bold = true});
  const std::size_t t = telling_iteration(trace);
  draw_scatter_row(page, trace, t, 66.0);
  draw_legend(page, 392.0);
  double y = 440.0;
  y += draw_strips(page, trace, t, y) + 26.0;
  for (const std::string& words : caption(trace)) {
    page.text({kLeft, y}, words, {.size = 12.5});
    y += 18.0;
  }
  return std::move(page).finish();
}

}  // namespace flymc::cli
