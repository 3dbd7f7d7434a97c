// What each experiment of the paper runs: its model, its rows of the table, and how long.
#pragma once

#include <string>
#include <vector>

#include "cli/fit/fit_options.hpp"
#include "paper/data.hpp"

namespace flymc::paper {

// The paper's table at its own length; quick: for a look; whole: OPV with 1.8 million rows.
enum class PaperSize { kTable, kQuick, kWhole };

struct PaperAlgorithm {
  std::string name;  // regular, untuned, map-tuned, flymc, regular-best
  cli::FitOptions options;
};

struct PaperPlan {
  std::string name;
  std::string title;
  cli::FitOptions base;   // model and kind of prior; its scale is still to be chosen
  std::size_t rows = 0;   // 0: all
  std::string published;  // the paper's own table
};
[[nodiscard]] PaperPlan make_plan(Experiment experiment, PaperSize size);

// The rows of the table, in order, once the prior is settled: the paper's three (its kernel, plain
// frame, chains from draws of the prior, implicit z-updates with q = 0.1 untuned and 0.01 tuned),
// then our default, then our best kernel on all data.
[[nodiscard]] std::vector<PaperAlgorithm> algorithms(Experiment experiment, PaperSize size,
                                                     const cli::FitOptions& base);

}  // namespace flymc::paper
