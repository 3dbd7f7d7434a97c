// A checked run as a table for people, as JSON for machines and as a part of the page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "check/check.hpp"
#include "flymc/answers.hpp"

namespace flymc {

// {"run","model","rows","rows_of","draws","which": "fitted", "held out" or "other","prob","fits",
// "verdict","scores":[{"name","mean","lower","upper","without"}],"calibration":[{"given","share",
// "low","high","weight"}],"residuals":{"bins","distance","by_chance","within_50","within_95"},
// "counts":[{"count","observed","expected"}],"notes"}. Classes have no residuals, numbers no
// calibration: null. So is a number that is none.
[[nodiscard]] std::string check_json(const CheckedRun& run);

// Numbers and a panel for the section that check_fit (report_check.hpp) makes.
void add_check_to_page(const CheckedRun& run, nlohmann::ordered_json& section);

}  // namespace flymc
