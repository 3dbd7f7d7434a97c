// The toy figure of Firefly Monte Carlo (after Figure 2 of Maclaurin & Adams, 2014): the line of
// equal class probability and the bright data at three iterations; below, all of theta, all of z
// and the number of bright data over a whole short chain.
#pragma once

#include <string>

#include "cli/demo/toy_chain.hpp"

namespace flymc::cli {

// A complete SVG document. REQUIRES: a trace of at least two iterations.
[[nodiscard]] std::string toy_figure(const ToyTrace& trace);

}  // namespace flymc::cli
