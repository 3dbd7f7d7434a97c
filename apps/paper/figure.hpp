// The figure of an experiment of the paper (after Figure 4 of Maclaurin & Adams, 2014): log
// posterior, likelihood queries and autocorrelation of each algorithm, one panel below the other.
#pragma once

#include <string>

#include "paper/result.hpp"

namespace flymc::paper {

// A complete SVG document. Curves may be empty or hold NaN: what is not finite is not drawn.
[[nodiscard]] std::string paper_figure(const PaperResult& result);

}  // namespace flymc::paper
