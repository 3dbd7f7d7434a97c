// From the recorded runs of one algorithm to its row of the table.
#pragma once

#include <memory>
#include <vector>

#include "fit/engine.hpp"
#include "paper/plan.hpp"
#include "paper/recorder.hpp"
#include "paper/result.hpp"

namespace flymc::paper {

struct PaperRun {
  EngineResult engine;
  std::unique_ptr<PaperRecorder> recorder;
};

// Posterior means over all runs of an algorithm, and their Monte Carlo variances.
struct PaperMeans {
  Vector mean;
  Vector error_square;
};

struct MeasuredRow {
  PaperRow row;
  PaperMeans means;
};

// REQUIRES: at least one run, all whole. Evaluates the log posterior at every waypoint.
[[nodiscard]] MeasuredRow measure(const PaperAlgorithm& algorithm, const Problem& problem,
                                  const std::vector<PaperRun>& runs, unsigned threads);

// The largest difference of two posterior means in its standard errors, over parameters.
[[nodiscard]] double largest_z(const PaperMeans& a, const PaperMeans& b);

}  // namespace flymc::paper
