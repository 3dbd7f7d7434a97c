// The words of the page: what was run, what it cost, whether to trust it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "flymc/diagnose/summary.hpp"
#include "flymc/message.hpp"

namespace flymc {

// {"passed", "words", "checks": [{"claim", "passed", "words"}], "next"}.
[[nodiscard]] nlohmann::ordered_json page_verdict(const Summary& summary, const Wording& wording);

// [[title, words], ...].
[[nodiscard]] nlohmann::ordered_json page_facts(const Summary& summary, const nlohmann::json& run);

}  // namespace flymc
