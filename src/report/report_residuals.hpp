// Residuals for responses that are numbers or counts, as panels of the report page.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/report_check.hpp"

namespace flymc {

// The same shape as check_fit. REQUIRES: a family of numbers or counts.
[[nodiscard]] nlohmann::ordered_json check_residuals(const Problem& problem, const Fitted& fit);

}  // namespace flymc
