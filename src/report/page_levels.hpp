// Levels of group terms on the page: their intervals in the order of their means, the rows that
// they have, and how far levels differ.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "fit/prepare.hpp"
#include "flymc/diagnose/summary.hpp"
#include "report/page_data.hpp"
#include "run/level_estimates.hpp"

namespace flymc {

// {"scales": [{"label", "x", "y"}], "terms": [{"name", "sd", "levels", "every", "labels", "number",
// "mean", "lower", "upper"}]}: densities of the scales; the levels of each coefficient, by mean,
// the `every`-th of them where there are too many. Null for a run without group terms.
[[nodiscard]] nlohmann::ordered_json page_levels(const Summary& summary, const RunChains& chains,
                                                 const std::vector<LevelEstimates>& levels,
                                                 const PageLimits& limits = {});

// Adds to each term of page_levels() "rows": of each level, how many rows of the data have it.
void add_level_rows(const Problem& problem, nlohmann::ordered_json& levels);

}  // namespace flymc
