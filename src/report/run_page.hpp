// The whole page about a run, in a folder or in memory, sections that need its data and all.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "flymc/detail/predict/held_rows.hpp"
#include "flymc/fit.hpp"
#include "flymc/message.hpp"
#include "predict/new_data.hpp"
#include "run/run_options.hpp"

namespace flymc {

// For report_page(), in the words of the front end; "command", which makes the run again (empty:
// none does; null: not said), is for the caller to add. Where the data are not to be had the page
// says why. `reference`: as of compare_classes(). THROWS Error as read_run_chains, and where the
// machine fails: a page must not differ by accident.
[[nodiscard]] nlohmann::ordered_json run_page(const std::filesystem::path& folder,
                                              const Wording& wording,
                                              const std::string& reference = "");

// The same of a fit in memory, which has its rows but not the input they were made of: that is
// `input`, or others with responses, for average effects and predictive checks (THROWS Error as
// they do; of the fit's own rows the page says why there are none). `asked`: what the fit was asked
// of its columns. REQUIRES: fit.draws() > 0.
[[nodiscard]] nlohmann::ordered_json run_page(const Fit& fit, const RunSettings& asked,
                                              const Wording& wording, const NewData& input);
// The input is rows whose columns somebody else makes.
[[nodiscard]] nlohmann::ordered_json run_page(const Fit& fit, const RunSettings& asked,
                                              const Wording& wording, const HeldRows& input);

}  // namespace flymc
