// The options of a run as run.json keeps them, and back: one list of settings read in both
// directions, so that what is written is what a later command finds.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "flymc/load.hpp"
#include "flymc/table.hpp"
#include "run/run_options.hpp"

namespace flymc {

// One key per option, named without dashes: the run again. What was left to us is written as
// chosen.
[[nodiscard]] nlohmann::ordered_json describe_config(const RunOptions& options);

// What run.json says of a run, for those who go on with it: resume, predict, report.
struct StoredRun {
  RunOptions options;                // data.path and out as well
  std::string status;                // running, interrupted, complete
  std::string version;               // of the program that made it
  std::string data_checksum;         // empty for built-in data
  std::vector<FileChecksum> files;   // beside the data, that hold columns of theirs
  std::vector<std::string> columns;  // of the table, where predictors have their own of them
  std::vector<std::string> labels;   // of the parameters, in the order of the chain files
  std::vector<std::string> classes;
  Levels levels;        // of the categorical columns
  Constants constants;  // of the formula
  Settings chosen;      // settings of the family that the data chose, as used

  // What the run chose from its data is not chosen anew.
  [[nodiscard]] Settings settings() const;
};

// Settings that an older version did not write keep their defaults.
// THROWS Error as read_run_json, and kData for a value of the wrong kind.
[[nodiscard]] StoredRun read_stored_run(const std::filesystem::path& folder);

}  // namespace flymc
