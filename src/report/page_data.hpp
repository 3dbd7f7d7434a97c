// What the report page shows of a run, as JSON: words are composed here, pictures drawn there.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "flymc/diagnose/summary.hpp"
#include "flymc/message.hpp"
#include "run/run_folder.hpp"

namespace flymc {

// Bounds that keep the page small whatever the run; the page says where they bite.
struct PageLimits {
  std::size_t table_rows = 4000;
  std::size_t detailed = 64;        // parameters with ranks, autocorrelation, growth and trace
  std::size_t trace_points = 8000;  // of one quantity, all chains together
  std::size_t detail_trace_points = 60'000;  // of all detailed parameters
  std::size_t levels = 10'000;               // of one coefficient that varies
};

// {"title", "verdict", "notes", "facts", "table", "traces", "detail", "run"}. `run` is run.json;
// what to do next is said in the words of the front end. Uses all cores, one parameter each.
// REQUIRES: summary and chains are of the same run.
[[nodiscard]] nlohmann::ordered_json page_data(const Summary& summary, const RunChains& chains,
                                               const nlohmann::json& run, const Wording& wording,
                                               const PageLimits& limits = {});

}  // namespace flymc
