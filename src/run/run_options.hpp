// What a run in a folder is asked for beside the fit itself.
#pragma once

#include <optional>
#include <string>

#include "flymc/fit.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

struct RunSettings {
  LoadSpec data;
  std::string source = "built in";  // what run.json calls data without a path
  std::string out = "run";
  bool overwrite = false;
  bool save_warmup = false;
  double holdout = 0.0;  // share of the rows that the fit does not see (run/holdout.hpp)
  std::optional<double> max_time_s;
  double checkpoint_every_s = 30.0;
};

// What run.json keeps, and a resumed run starts from.
struct RunOptions : FitSettings, RunSettings {};

}  // namespace flymc
