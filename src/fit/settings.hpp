// Settings of a fit as text, and what holds between them: checked once, before anything is read.
#pragma once

#include <string>
#include <vector>

#include "flymc/family/family.hpp"
#include "flymc/fit.hpp"
#include "flymc/load_spec.hpp"

namespace flymc {

// THROWS Error(kUsage) that names the option, as the caller calls it.
[[nodiscard]] PriorSpec parse_prior(const std::string& text, const std::string& option);
[[nodiscard]] std::string to_text(const PriorSpec& spec);

// The family as these settings have it: where one is to be inferred, the variant that samples it.
[[nodiscard]] const FamilyType& family_type(const FitSettings& settings);

// Whether the family, or its variant that infers, has a setting of this name.
[[nodiscard]] bool takes_setting(const FitSettings& settings, const char* name);

// The setting that is sampled where it could be a number chosen from the data; null: none is.
[[nodiscard]] const OwnSetting* sampled_choice(const FitSettings& settings);

// Of the first predictor: as asked for, but none where cut points stand for it.
[[nodiscard]] bool has_intercept(const FitSettings& settings);

// Whether a likelihood as text has names for its predictors. THROWS Error(kUsage).
void require_own_likelihood(const FitSettings& settings);

// What to say of a formula for a predictor that the family does not have.
[[nodiscard]] Message no_such_predictor(const FamilyType& family, const std::string& name);

// What follows from other settings. An explicit bound or z-update is FlyMC's, whatever a forecast
// would say. What could be chosen from the data is sampled where nothing else is asked.
// THROWS Error(kUsage) for a family that there is not.
void settle(FitSettings& settings);

// The parts of a table that only some families take.
struct TableParts {
  bool trials = false;
  bool offset = false;
  bool censored = false;                  // of a Table: as `trials`, which hold either
  std::vector<std::string> predictors{};  // beside the first, that have a formula
};
[[nodiscard]] TableParts parts_of(const LoadSpec& spec);
[[nodiscard]] TableParts parts_of(const Table& table);

// THROWS Error(kUsage) with the setting, its value and what is wrong with it.
void validate(const FitSettings& settings, const TableParts& parts);

}  // namespace flymc
