// The summary of a run: what its draws say about every parameter, what they cost, whether to trust
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "flymc/diagnose/estimate.hpp"
#include "flymc/report/run_folder.hpp"

namespace flymc {

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

// Reads run.json and every chain-K.csv; a run that is not complete is summarised as far as it got.
// What run.json does not record yet is worked out from the chain files. Throws Error as
// run_folder.hpp. Uses all cores, one parameter each.
[[nodiscard]] Summary summarise(const std::filesystem::path& run_folder);

// The same of a run that is in no folder; messages call it `shown`. THROWS Error(kData) where the
// chains lack a parameter of the record.
[[nodiscard]] Summary summarise(const RunRecord& record, const RunChains& run,
                                const std::string& shown);

// {"n","d","exact","engine","seconds_setup","seconds_sampling","queries_per_iteration",
// "mean_bright","parameters":[{"column","label","mean","sd","mcse_mean","q5","q50","q95",
// "ess_bulk","ess_tail","ess_coda","rhat"}],"lp__":{the same keys}}; numbers to the last bit, null
// where not finite.
[[nodiscard]] std::string to_json(const Summary& summary);

struct TableOptions {
  bool all = false;         // else at most 20 parameters
  std::size_t width = 120;  // labels are shortened to fit, to 16 at least; 0: never
};

// For people: a table with as many digits as the MCSE supports, then what it cost and the checks.
// Valid UTF-8 without control characters but newlines.
[[nodiscard]] std::string to_table(const Summary& summary, const TableOptions& options = {});

}  // namespace flymc
