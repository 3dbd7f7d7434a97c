// Rows worth a look: those that the model explains worst, and, for the curious, those most often
// bright, whose likelihood the bound fits worst.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "fit/prepare.hpp"
#include "predict/fitted.hpp"
#include "run/run_folder.hpp"

namespace flymc {

// {"titles", "rows", "numbers" in the data}: of the rows that were fitted, those with the least
// probable class, or the response farthest from its mean in units of its spread, the worst first;
// with their features. REQUIRES: the family says a mean.
[[nodiscard]] nlohmann::ordered_json worst_rows(const Problem& problem, const Fitted& fit);

// {"titles", "rows"} from run.json's "brightest" and "beacon_rows"; null where it has neither. With
// the data at hand each row's response, what the model expects of it and its extreme features.
[[nodiscard]] nlohmann::ordered_json bright_rows(const nlohmann::json& run, const Problem* problem,
                                                 const RunChains& chains);

}  // namespace flymc
