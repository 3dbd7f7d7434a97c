// Average effects as a table for people, as JSON for machines and as a section of the page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "effects/effects.hpp"
#include "flymc/answers.hpp"

namespace flymc {

// What is averaged over: "over 5,000 of 300,000 rows, taken at random, and 1,000 draws".
[[nodiscard]] std::string averaged_over(const Effects& effects);

// {"run","model","prob","rows","rows_of","draws","effects":[{"column","level","reference","outcome",
// "mean","sd","lower","upper","prob_positive","words"}],"curves":[{"column","points":[{"at" or
// "level","outcome","mean","lower","upper"}]}],"notes"}. A number that is none is null.
[[nodiscard]] std::string effects_json(const Effects& effects);

// {"words", "what", "outcomes", "effects": [[change, outcome, effect, interval], ...], "curves":
// [{"column", "levels", "at", "outcomes": [{"mean", "lower", "upper"}]}], "notes"}.
[[nodiscard]] nlohmann::ordered_json page_effects(const Effects& effects);

}  // namespace flymc
