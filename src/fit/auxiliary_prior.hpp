// The prior of an auxiliary parameter as written: a law of the parameter on its own scale.
#pragma once

#include <string>

#include "flymc/family/prior.hpp"
#include "flymc/family/setting.hpp"

namespace flymc {

// "half_normal(1)": of a positive parameter flat, half_normal(s), half_cauchy(s), half_t(df, s),
// exponential(rate), gamma(a, rate), inv_gamma(a, b), or normal(m, s) of its logarithm; of a share
// flat, or normal(m, s) of its logit; of a predictor of one's own normal(m, s). THROWS
// Error(kUsage) that names the setting prior_aux and what can be written; kData for a flat law
// without a proper posterior.
[[nodiscard]] PriorTerm parse_law(const std::string& text, const Auxiliary& auxiliary);
// Of the standard deviation of a group term's coefficient, "g" or "g.x": a proper law of a positive
// parameter. THROWS Error(kUsage) that names the setting prior_sd.
[[nodiscard]] PriorTerm parse_sd_law(const std::string& text, const std::string& name);

// As it is written.
[[nodiscard]] std::string to_text(const PriorTerm& term);

}  // namespace flymc
