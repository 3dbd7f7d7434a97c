// The prior as asked for, turned into one on the engine's coordinates, and described.
#pragma once

#include <map>
#include <string>

#include "fit/parameters.hpp"
#include "fit/settings.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/family/response.hpp"
#include "flymc/table.hpp"

namespace flymc {

// In words, as run.json shows it; no intercept: empty.
struct PriorUsed {
  std::string slopes;
  std::string intercept;
  // By name: of the parameter, or with a formula of its intercept, sigma_alpha, as the law of the
  // parameter where that is, and of its slopes, sigma_beta.
  std::vector<std::pair<std::string, std::string>> auxiliaries{};
  bool standardised = false;
};

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
  std::vector<double> cuts{};  // of ordered classes: where the shares of the rows put cut points
  std::map<std::string, double> offsets{};  // of auxiliary parameters by name: their means
};
[[nodiscard]] ResponseScale response_scale(const Table& table, const FamilyType& family);

// Automatic: slopes normal(0, 2.5) per standardised column, intercept (at the column means)
// normal(0, 10); for numbers y less their offset o, times sd(y - o), the
// intercept about the median. Explicit priors apply
// to the coefficients as reported. An auxiliary parameter with a formula has its own prior
// where its slopes do not matter (at the column means, or where columns are 0) and its offset is at
// its mean (a law that was asked for: at 0), and slopes normal(0, 2.5) per standardised column on
// the scale of its link; an explicit prior is theirs, too.
[[nodiscard]] PriorSetup set_up_prior(const FitSettings& options,
                                      const std::vector<PredictorDesign>& predictors,
                                      const Family& family, const ResponseScale& response);

}  // namespace flymc
