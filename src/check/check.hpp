// Whether a run can be trusted to predict: its rows, those that were kept out of the fit, or
// others.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "check/predictive_check.hpp"
#include "flymc/detail/check/checked_run.hpp"
#include "flymc/detail/predict/held_rows.hpp"
#include "flymc/load_spec.hpp"
#include "predict/row_sample.hpp"

namespace flymc {

struct CheckOptions {
  std::filesystem::path folder{};  // of the run
  std::string data{};              // rows to check; empty: those of the run
  Format format = Format::kAuto;   // of `data`
  std::size_t rows = 50'000;       // at most, taken at random; 0: all
  std::size_t draws = 400;         // at most, evenly spaced; 0: all
  double prob = 0.95;              // of the intervals
  bool verified = false;           // that the data are those of the run was seen already
  unsigned threads = 0;
};

// The rows that were kept out of the fit, where some were; else those of the fit. THROWS Error: as
// read_run_draws and NewRows; kUsage for a likelihood that does not say what to expect; kData where
// the data of the run cannot be had or have changed.
[[nodiscard]] CheckedRun check_run(const CheckOptions& options);

// Of rows that somebody holds, with their responses; of those of the fit which, as above.
// `options`: folder, data, format and draws are not asked. THROWS Error: as above.
[[nodiscard]] CheckedRun check_rows(const Predictor& predictor, NewData rows,
                                    const CheckOptions& options);

// The same of rows whose columns somebody else makes.
[[nodiscard]] CheckedRun check_rows(const Predictor& predictor, const HeldRows& rows,
                                    const CheckOptions& options);

// A misfit that more than 1 of 1,000 tables would show by chance is none.
[[nodiscard]] Verdict verdict_of(const PredictiveCheck& check);

}  // namespace flymc
