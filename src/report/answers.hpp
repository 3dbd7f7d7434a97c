// What a summary answers: an interval and a probability for every coefficient and contrast.
#pragma once

#include <string>
#include <vector>

#include "flymc/diagnose/summary.hpp"
#include "report/text_table.hpp"

namespace flymc {

// "odds ratio", "rate ratio": what e to the power of a coefficient is in this model. THROWS Error
// kUsage where it is nothing of the kind.
[[nodiscard]] std::string ratio_name(const std::string& model);

// The answer to a parameter is shown: of ratios only those of coefficients.
[[nodiscard]] bool is_answered(const Summary& summary, std::size_t parameter);

// label, estimate (posterior mean; of a ratio the median), the ends of the interval, P(> 0): first
// those of the parameters with these numbers, then of all contrasts.
[[nodiscard]] std::vector<TextColumn> answer_columns(const Summary& summary,
                                                     const std::vector<std::size_t>& parameters);

}  // namespace flymc
