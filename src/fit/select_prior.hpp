// FitSettings::select_prior: the scale of the prior, and the setting of the family that is left to
// the data (Student-t: the scale of the noise), by which a fit to some rows predicts others best.
// See docs/method/families.md, Priors.
#pragma once

#include <cstddef>
#include <string>

#include "fit/prior_setup.hpp"
#include "fit/settings.hpp"
#include "flymc/dataset.hpp"
#include "flymc/message.hpp"

namespace flymc {

struct PriorChoice {
  FitSettings options;  // with prior.scale, and the family's setting, as chosen
  Message note;
};

// Tries 2^-10 .. 2^4 times the given scale of the slopes (an explicit prior's intercept goes with
// them unless it has its own); for a setting left to the data before and after it powers of sqrt(2)
// times the one that the training rows tell. Depends on the table and the seed, never on threads
// or the engine. THROWS Error(kData) for too few rows and where no scale can be judged.
// REQUIRES: an encoded response; a prior that is not flat.
[[nodiscard]] PriorChoice select_prior(const Table& table, const Dataset::Options& design,
                                       const FitSettings& options, const ResponseScale& response,
                                       std::size_t classes);

}  // namespace flymc
