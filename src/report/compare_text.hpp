// Compared runs as a table for people and as JSON for machines.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "compare/comparison.hpp"
#include "flymc/message.hpp"
#include "report/text_table.hpp"

namespace flymc {

// What of a run is not available, and why: one sentence each; empty: nothing.
[[nodiscard]] std::string why_not(const ComparedRun& run, const Wording& wording);

// A list, one object a run: {"run","model","elpd_loo","elpd_loo_se","elpd_loo_mcse","khat_max",
// "khat_high","log_evidence","log_evidence_se"}, null with "why" where one is not available; then
// the differences to the first run: {"elpd_diff","elpd_diff_se","elpd_diff_mcse",
// "log_bayes_factor","log_bayes_factor_se"}; "parameters": [{"label","mean","sd"}]; "notes".
[[nodiscard]] std::string compare_json(std::span<const ComparedRun> runs, const Wording& wording);

// What table and page (compare_page.hpp) show. REQUIRES: at least one run. Coefficients: at most
// 20, or all.
struct CompareTables {
  std::vector<TextColumn> runs{};
  std::vector<TextColumn> differences{};  // to the first; none of one run
  std::vector<TextColumn> coefficients{};
  std::size_t hidden = 0;               // of these
  std::vector<std::string> verdicts{};  // sentences
  std::vector<std::string> remarks{};   // notes, and why a number is not available
};
[[nodiscard]] CompareTables compare_tables(std::span<const ComparedRun> runs,
                                           const Wording& wording, bool all);

[[nodiscard]] std::string compare_table(std::span<const ComparedRun> runs, const Wording& wording,
                                        bool all);

}  // namespace flymc
