// The summary of a run: what its draws say about every parameter, what they cost, whether to trust
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "flymc/detail/diagnose/estimate.hpp"
#include "flymc/diagnose/draws.hpp"

namespace flymc {

// A parameter under the two names it has: in the chain files, and in the input.
struct ParameterName {
  std::string column;
  std::string label;
  // Of the input column that it is the slope of; unknown where there is none, and of the indicators
  // of a category.
  double column_sd = std::numeric_limits<double>::quiet_NaN();
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
  std::vector<std::string> references{};   // levels that others are compared with: "city=Oslo"
  std::vector<std::string> conversions{};  // of columns, in words: 'when' in days since 2024-01-31
  std::vector<std::string> classes{};      // of the response; empty: numbers
  std::vector<double> class_rows{};        // of each of them
  double thin = kUnknown;
  double warmup = kUnknown;
  double setup_seconds = kUnknown;
  double setup_passes = kUnknown;
  double reanchor_seconds = kUnknown;  // of pilot runs that moved the anchor, not of set-up
  std::vector<double> mode_nats;    // of each mode's log evidence below the best's; none: one mode
  double clock_seconds = kUnknown;  // from the start of the command to the last draw
  double seconds = kUnknown;        // of sampling, as the rest
  double iterations = kUnknown;     // of all chains together
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
  double seconds_reanchor = RunRecord::kUnknown;
};

// What people ask of the draws.
struct Questions {
  double prob = 0.95;                    // of the central interval; in (0, 1)
  bool exp = false;                      // ratios: e to the power of each coefficient
  bool per_sd = false;                   // slopes per standard deviation of their column
  std::vector<std::string> contrasts{};  // linear expressions of coefficients, per unit
  std::string reference{};               // the class that others are compared with; empty: the
                                         // most frequent
};

// A coefficient or a contrast, as asked.
struct Answer {
  std::string label;
  double mean = 0.0;
  double median = 0.0;
  double sd = 0.0;
  double mcse_mean = 0.0;
  double lower = 0.0;  // of the interval
  double upper = 0.0;
  double prob_positive = 0.0;  // of the coefficient; of a ratio, that it is above 1
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
  std::vector<std::string> references{};
  std::vector<std::string> conversions{};
  Questions questions{};
  std::vector<Answer> answers{};    // one a parameter, as `parameters`
  std::vector<Answer> contrasts{};  // as the questions have them
  // Where every class has a vector of coefficients: the class that the others are compared with,
  // and what the differences answer, which is what the data tell; else empty.
  std::string reference_class{};
  std::vector<Answer> class_contrasts{};
  std::vector<ParameterSummary> class_estimates{};  // of the same differences, per unit
  std::size_t streamed = 0;  // so many parameters, the last, were summed up without their draws
};

// Messages call the run `shown`. Uses all cores, one parameter each. THROWS Error(kData) where the
// chains lack a parameter of the record, kUsage for a contrast of what is not there, and for slopes
// per standard deviation where the run does not know any.
[[nodiscard]] Summary summarise(const RunRecord& record, const RunChains& run,
                                const std::string& shown, const Questions& questions = {});

}  // namespace flymc
