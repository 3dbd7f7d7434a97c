// What each column of the input does to the expected response in a run, on average over its rows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "effects/average_effects.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

struct EffectsOptions {
  std::filesystem::path folder{};     // of the run
  std::string data{};                 // rows to average over; empty: those of the run
  Format format = Format::kAuto;      // of `data`
  std::vector<std::string> of{};      // these columns, with their curves; none: all, without
  std::size_t curves = 0;             // where none is named: of so many, those that do most
  std::optional<std::size_t> rows{};  // at most, 0: all; none: 100,000, fewer where it takes long
  std::size_t draws = 1000;           // at most, evenly spaced; 0: all
  std::size_t points = 21;            // of a curve
  double most_work = 5e10;  // rows x draws x columns x ..., beyond which rows become fewer
  bool verified = false;    // that the data are those of the run was seen already
  EffectsHow how{};
};

struct Effects {
  std::string folder;  // as messages show it
  std::string model;
  std::vector<std::string> outcomes;  // what changes: "the probability of y = yes"; one a class
  double prob = 0.95;
  std::size_t rows = 0;
  std::size_t rows_of = 0;  // that they were taken from, at random
  std::size_t draws = 0;
  std::vector<AverageEffect> effects;
  std::vector<EffectCurve> curves;
  std::vector<std::string> notes;  // what a user should know
};

// THROWS Error: as read_run_draws and NewRows; kUsage for a column that the model does not have;
// kData where the data of the run cannot be had or have changed.
[[nodiscard]] Effects effects_of(const EffectsOptions& options);

// Of rows that somebody holds, each of which counts once, but for those of the fit. `options`:
// folder, data, format and draws are not asked. THROWS Error: as above.
[[nodiscard]] Effects effects_of(const Predictor& predictor, NewData rows,
                                 const EffectsOptions& options);

}  // namespace flymc
