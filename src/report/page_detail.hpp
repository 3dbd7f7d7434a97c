// The plots of the page as JSON. NaN and infinities become null.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/page_data.hpp"

namespace flymc {

// {"draws", "all", "series": [{"column", "chains"}]}: lp__, and bright__ where there is one.
[[nodiscard]] nlohmann::ordered_json page_traces(const RunChains& chains, const PageLimits& limits);

// Which parameters get detail, as indices: the worst by R-hat, the worst by bulk ESS, then those
// farthest from zero; all of them where the limit allows.
[[nodiscard]] std::vector<std::size_t> detailed(const Summary& summary, std::size_t most);

// {"bins", "draws", "all", "entries": [{"row", "ranks", "acf", "growth", "chains",
// "density"}]}: `row` counts the summary's parameters, the log density being the one after them.
[[nodiscard]] nlohmann::ordered_json page_detail(const Summary& summary, const RunChains& chains,
                                                 const PageLimits& limits);

}  // namespace flymc
