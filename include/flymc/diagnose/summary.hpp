// The summary of a run: what its draws say about every parameter, what they cost, whether to trust
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "flymc/diagnose/draws.hpp"
#include "flymc/diagnose/estimate.hpp"

namespace flymc {

// A parameter under the two names it has: in the chain files, and in the input.
struct ParameterName {
  std::string column;
  std::string label;
};

// run.json as far as reports need it. A number the file does not hold (yet) is NaN.
struct RunRecord {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  std::uint64_t n = 0;
  std::uint64_t d = 0;
  std::string model;
  std::string engine;
  std::string status;  // running, interrupted or complete
  bool exact = false;
  std::vector<ParameterName> parameters;
  double thin = kUnknown;
  double warmup = kUnknown;
  double setup_seconds = kUnknown;
  double setup_passes = kUnknown;
  std::vector<double> mode_nats;  // of each mode's log evidence below the best's; none: one mode
  double clock_seconds = kUnknown;  // from the start of the command to the last draw
  double seconds = kUnknown;        // of sampling, as the rest
  double iterations = kUnknown;   // of all chains together
  double evaluations = kUnknown;
  double queries_theta = kUnknown;
  double queries_z = kUnknown;
  double mean_bright = kUnknown;
};

struct RunChains {
  std::vector<ChainDraws> chains;  // at least one, all with the same columns and number of draws
  std::vector<std::string> notes;  // what was left out to make them so; one sentence each
};

// A column of all chains, one chain after the other; empty if the files do not have it.
[[nodiscard]] std::vector<double> gather(const RunChains& run, const std::string& column);

// The smallest bulk ESS over parameters; lp__ is not one.
[[nodiscard]] double fewest_effective(const RunChains& run,
                                      const std::vector<ParameterName>& parameters);

struct ParameterSummary {
  std::string column;  // as in the chain files: beta.1
  std::string label;   // as in the input; untrusted text
  Estimate estimate;
};

// Means per iteration are over iterations after warm-up; a number nobody recorded is NaN.
struct SamplingCost {
  double seconds_setup = 0.0;
  double passes_setup = 0.0;  // over the data
  double seconds_sampling = 0.0;
  double queries_total = 0.0;
  double queries_per_iteration = 0.0;
  double regular_queries_per_iteration = 0.0;  // n times the density evaluations of an iteration
  double mean_bright = 0.0;
  double max_bright = 0.0;  // over the kept draws
  // By the clock, for all chains: reading, set-up, pilot runs, warm-up and sampling.
  double seconds_total = RunRecord::kUnknown;
};

struct Summary {
  std::string folder;  // as messages show it
  std::string model;
  std::string engine;  // fly or regular
  std::string status;  // running, interrupted or complete
  bool exact = false;
  std::uint64_t n = 0;
  std::uint64_t d = 0;
  std::size_t chains = 0;
  std::size_t draws = 0;  // per chain
  double warmup = 0.0;
  SamplingCost cost;
  std::vector<ParameterSummary> parameters;
  ParameterSummary log_density;    // lp__
  std::vector<std::string> notes;  // what is unusual about the folder
};

// Messages call the run `shown`. Uses all cores, one parameter each. THROWS Error(kData) where the
// chains lack a parameter of the record.
[[nodiscard]] Summary summarise(const RunRecord& record, const RunChains& run,
                                const std::string& shown);

}  // namespace flymc
