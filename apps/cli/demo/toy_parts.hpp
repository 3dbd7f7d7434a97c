// The parts of the toy figure, each drawn from the top of its place downwards.
#pragma once

#include "cli/demo/toy_chain.hpp"
#include "report/svg.hpp"

namespace flymc::cli {

inline constexpr double kLeft = 62.0;  // of every panel: room for numbers and a title

// The data in the plane at the start, at iteration t and at t + 1.
void draw_scatter_row(SvgPage& page, const ToyTrace& trace, std::size_t t, double top);
void draw_legend(SvgPage& page, double y);

// Three strips over the iterations, one below the other: theta, z, and the number of bright data.
// The iterations shown above are marked. Returns the height used.
double draw_strips(SvgPage& page, const ToyTrace& trace, std::size_t t, double top);

}  // namespace flymc::cli
