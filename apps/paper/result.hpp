// What one experiment of the paper found: the numbers behind its table, its page and its figure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace flymc::paper {

// A curve over iterations, mean and one standard deviation over runs.
struct PaperCurve {
  std::vector<double> x;  // iterations since the start of a chain, warm-up included; or lags
  std::vector<double> mean;
  std::vector<double> sd;
};

// One algorithm: means over runs, after warm-up.
struct PaperRow {
  std::string algorithm;   // regular, untuned, map-tuned, flymc, regular-best
  std::string kernel;      // as --kernel has it
  std::size_t warmup = 0;  // iterations
  std::size_t iterations = 0;
  double queries_theta = 0.0;  // an iteration
  double queries_z = 0.0;
  double mean_bright = 0.0;
  double ess_per_1000 = 0.0;  // coda, mean over parameters
  double ess_min_per_1000 = 0.0;
  double speedup = 0.0;        // mean ESS per query against the regular row
  double seconds = 0.0;        // for 1,000 effective draws (of the mean parameter), with set-up
  double largest_z = 0.0;      // of posterior means against the flymc row
  PaperCurve log_posterior;    // full data, computed afterwards and not counted
  PaperCurve queries;          // an iteration
  PaperCurve autocorrelation;  // by lag in iterations, mean over parameters

  [[nodiscard]] double queries_per_iteration() const noexcept { return queries_theta + queries_z; }
};

struct PaperResult {
  std::string name;   // of its files: mnist, cifar, opv, opv-full
  std::string title;  // "MNIST 7 against 9: logistic regression"
  std::string data;   // what was read, or that it was simulated
  bool simulated = false;
  std::size_t rows_n = 0;
  std::size_t columns = 0;            // with the bias
  std::vector<std::string> settings;  // a line each: prior, kernels, schedules, seeds
  std::string command;                // that makes this page again
  std::vector<std::string> notes;     // what a reader must know before comparing
  std::vector<PaperRow> rows;
};

}  // namespace flymc::paper
