// What each column of the input does to the expected response in a run, on average over its rows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "effects/average_effects.hpp"
#include "flymc/detail/effects/effects.hpp"
#include "flymc/detail/predict/held_rows.hpp"
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

// THROWS Error: as read_run_draws and NewRows; kUsage for a column that the model does not have;
// kData where the data of the run cannot be had or have changed.
[[nodiscard]] Effects effects_of(const EffectsOptions& options);

// Of rows that somebody holds, each of which counts once, but for those of the fit. `options`:
// folder, data, format and draws are not asked. THROWS Error: as above.
[[nodiscard]] Effects effects_of(const Predictor& predictor, NewData rows,
                                 const EffectsOptions& options);

// The same of rows whose columns somebody else makes. THROWS Error: kUsage for a column that the
// model does not have, or where draws of levels were not kept.
[[nodiscard]] Effects effects_of(const Predictor& predictor, const HeldRows& rows,
                                 const EffectsOptions& options);

}  // namespace flymc
