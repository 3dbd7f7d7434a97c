// One page on an experiment of the paper: what was compared, the table, the figure, how to repeat.
#pragma once

#include <string>

#include "paper/result.hpp"

namespace flymc::paper {

// A self-contained HTML document, for screens (light or dark), phones and paper. All text of the
// result is escaped; `figure_svg` is put in as it is: paper_figure() makes it.
[[nodiscard]] std::string paper_page(const PaperResult& result, const std::string& figure_svg);

}  // namespace flymc::paper
