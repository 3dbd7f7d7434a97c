// What a run left behind, read back: run.json and the chain files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "flymc/diagnose/draws.hpp"

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
  double seconds = kUnknown;     // of sampling, as the rest
  double iterations = kUnknown;  // of all chains together
  double evaluations = kUnknown;
  double queries_theta = kUnknown;
  double queries_z = kUnknown;
  double mean_bright = kUnknown;
};

// The path as messages and commands show it: escaped, with one slash at the end.
[[nodiscard]] std::string shown_folder(const std::filesystem::path& folder);

// Throws Error: kNoInput if the folder or its run.json is not there, kData if that is not ours.
[[nodiscard]] RunRecord read_run_record(const std::filesystem::path& folder);

struct RunChains {
  std::vector<ChainDraws> chains;  // at least one, all with the same columns and number of draws
  std::vector<std::string> notes;  // what was left out to make them so; one sentence each
};

// Reads chain-1.csv, chain-2.csv, ... of a run at any moment of its life. Chains that have less
// than half the draws of the longest are left out, the others cut to the shortest of them.
// Throws Error: kNoInput if no chain has a draw yet, kData if the columns differ, and as
// read_chain_csv.
[[nodiscard]] RunChains read_run_chains(const std::filesystem::path& folder);

// A column of all chains, one chain after the other; empty if the files do not have it.
[[nodiscard]] std::vector<double> gather(const RunChains& run, const std::string& column);

// The smallest bulk ESS over parameters; lp__ is not one.
[[nodiscard]] double fewest_effective(const RunChains& run,
                                      const std::vector<ParameterName>& parameters);

}  // namespace flymc
