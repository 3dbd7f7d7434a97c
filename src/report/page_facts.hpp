// The words of the page: what was run, whether to trust it, what it cost.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "flymc/diagnose/summary.hpp"
#include "flymc/message.hpp"

namespace flymc {

// {"passed", "words", "checks": [{"claim", "passed", "words"}], "next"}.
[[nodiscard]] nlohmann::ordered_json page_verdict(const Summary& summary, const Wording& wording);

// [[title, words], ...].
[[nodiscard]] nlohmann::ordered_json page_facts(const Summary& summary, const nlohmann::json& run);
// The same of the engine and its cost.
[[nodiscard]] nlohmann::ordered_json page_engine(const Summary& summary, const nlohmann::json& run);

}  // namespace flymc
