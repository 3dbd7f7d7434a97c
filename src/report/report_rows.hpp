// The rows most often bright: those whose likelihood the bound fits worst, often outliers or wrong
// labels.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "fit/prepare.hpp"
#include "run/run_folder.hpp"

namespace flymc {

// {"titles", "rows"} from run.json's "brightest" and "beacon_rows"; null where it has neither. With
// the data at hand each row's response, what the model expects of it and its extreme features.
[[nodiscard]] nlohmann::ordered_json bright_rows(const nlohmann::json& run, const Problem* problem,
                                                 const RunChains& chains);

}  // namespace flymc
