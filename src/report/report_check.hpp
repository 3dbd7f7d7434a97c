// What the model says about the rows it was fitted to, beside what they are: calibration of
// probabilities, residuals of means.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "fit/prepare.hpp"
#include "predict/fitted.hpp"

namespace flymc {

// {"words", "numbers": [[title, text], ...], "panels": [{"kind", ...}]}, for the page to draw.
[[nodiscard]] nlohmann::ordered_json check_fit(const Problem& problem, const Fitted& fit);

}  // namespace flymc
