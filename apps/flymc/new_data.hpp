// New rows for an old run: the columns of the fit by name, its levels, its classes.
#pragma once

#include <string>

#include "flymc/data/load.hpp"
#include "flymc/run_draws.hpp"

namespace flymc::app {

struct NewData {
  std::string path;
  // Columns, or files beside an X.npy; empty: as in the fit, where these were columns.
  std::string response;
  std::string offset;
  std::string trials;
  Missing missing = Missing::kError;
  Format format = Format::kAuto;
  unsigned threads = 0;
  bool with_response = false;  // read it, and the trials; else they need not be there
};

// The table has the columns of draws.features, in their order; the response as the model wants it,
// trials turned into weights. Weights of the fit play no part.
// THROWS Error as load(): kData for a column that is not there, for a level or class that the fit
// did not see; kUsage where a file of responses or offsets has to be named.
[[nodiscard]] Loaded load_new_data(const RunDraws& draws, const NewData& data);

}  // namespace flymc::app
