// The prior as asked for, turned into one on the engine's coordinates, and described.
#pragma once

#include <string>

#include "fit/settings.hpp"
#include "flymc/dataset.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/family/response.hpp"

namespace flymc {

// In words, as run.json shows it; no intercept: empty.
struct PriorUsed {
  std::string slopes;
  std::string intercept;
  std::vector<std::pair<std::string, std::string>> auxiliaries{};  // by name
  bool standardised = false;
};

// In words: "half_t(3, 2.5)".
[[nodiscard]] std::string describe(const PriorTerm& term);

struct PriorSetup {
  Prior prior;  // of every predictor in turn: intercept first, where there is one
  PriorUsed used;
  std::string note;
};

// Location and spread of a number less its offset, of a positive one on the log scale; {0, 1} for
// others.
struct ResponseScale {
  double median = 0.0;
  double sd = 1.0;
};
[[nodiscard]] ResponseScale response_scale(const Table& table, const FamilyType& family);

// Automatic: slopes normal(0, 2.5) per standardised column, intercept (at the column means)
// normal(0, 10); for numbers y less their offset o, times sd(y - o), the
// intercept about the median. Explicit priors apply
// to the coefficients as reported.
[[nodiscard]] PriorSetup set_up_prior(const FitSettings& options, const Dataset& data,
                                      const Family& family, const ResponseScale& response);

}  // namespace flymc
