// The data of a finished run, loaded and prepared again as the run had them.
#pragma once

#include <optional>
#include <string>

#include "fit/prepare.hpp"
#include "flymc/message.hpp"
#include "run/run_config.hpp"

namespace flymc {

// Either the problem, or why it is not to be had, as a sentence: the file is gone or changed, the
// data were built in, or what they give now is not what the run had.
struct StoredData {
  std::optional<Problem> problem;
  Message why_not;
};

// Never throws an Error for data that cannot be used: a report goes on without them.
[[nodiscard]] StoredData load_stored_data(const std::filesystem::path& folder);

}  // namespace flymc
