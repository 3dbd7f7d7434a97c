// What a summary answers: an interval and a probability for every coefficient and contrast.
#pragma once

#include <string>
#include <vector>

#include "flymc/diagnose/summary.hpp"
#include "report/text_table.hpp"

namespace flymc {

// e to the power of a coefficient means something in this model.
[[nodiscard]] bool has_ratios(const std::string& model);

// "odds ratio", "rate ratio": what e to the power of a coefficient is in this model. THROWS Error
// kUsage where it is nothing of the kind.
[[nodiscard]] std::string ratio_name(const std::string& model);

// The answer to a parameter is shown: of ratios only those of coefficients.
[[nodiscard]] bool is_answered(const Summary& summary, std::size_t parameter);

// An answer, and whether its sign is a question.
struct AnswerLine {
  const Answer* answer;
  bool has_sign = true;
};

// Those of the parameters in reading order, or of the differences of classes in their place; at
// most so many of them. Then all contrasts.
[[nodiscard]] std::vector<AnswerLine> answer_lines(const Summary& summary, std::size_t most);

// label, estimate (posterior mean; of a ratio the median), the ends of the interval, P(> 0).
[[nodiscard]] std::vector<TextColumn> answer_columns(const Summary& summary,
                                                     const std::vector<AnswerLine>& lines);

}  // namespace flymc
