// Simulated data on disk: X.npy, y.npy and truth.json in a folder, made in bounded memory; of
// successes y.npy has the numbers and trials.npy the trials of every row. Or one data.fly in
// place of the arrays, for rows that no memory holds. With factors, which have names and are no
// numbers to multiply, one data.csv: factors, columns, response, trials.
#pragma once

#include <string>

#include "family/simulate.hpp"

namespace flymc::cli {

struct SimulateFiles {
  SimulateOptions data;
  std::string out;
  bool fly = false;      // data.fly
  bool float32 = false;  // of its features
  bool overwrite = false;
};

// Makes the files and returns what to tell the user: what was made, and the fit to try next.
// The bytes depend on the options but never on the threads. THROWS Error: kUsage, kCannotCreate
// (where files are there and overwrite is off, too), kPermission, kIo; nothing half-written stays.
[[nodiscard]] std::string simulate_to_folder(const SimulateFiles& files);

// The text of truth.json: the options that matter and the coefficients under the names of `fit`.
[[nodiscard]] std::string describe_truth(const Simulator& simulator);

}  // namespace flymc::cli
