// A summary as a table for people and as JSON for machines.
#pragma once

#include <cstddef>
#include <string>

#include "flymc/diagnose/summary.hpp"
#include "flymc/message.hpp"

namespace flymc {

// {"n","d","exact","engine","seconds_setup","seconds_sampling","queries_per_iteration",
// "mean_bright","parameters":[{"column","label","mean","sd","mcse_mean","q5","q50","q95",
// "ess_bulk","ess_tail","ess_coda","rhat"}],"lp__":{the same keys}}; numbers to the last bit, null
// where not finite. Where the summary has answers each parameter has "lower", "upper" and
// "prob_positive", too; where ratios or slopes per standard deviation were asked, these as "answer"
// in place of the interval. Then there are "prob", "contrasts", "references" and "conversions".
[[nodiscard]] std::string to_json(const Summary& summary);

struct TableOptions {
  enum class Part { kAll, kAnswers, kEngine };

  bool all = false;         // else at most 20 parameters
  Part part = Part::kAll;   // answers with the checks; or diagnostics, cost and checks; or both
  std::size_t width = 120;  // labels are shortened to fit, to 16 at least; 0: never
};

// For people: the answers, a table with as many digits as the MCSE supports, then what it cost and
// the checks.
// What to do next is said in the words of the front end. Valid UTF-8 without control characters but
// newlines.
[[nodiscard]] std::string to_table(const Summary& summary, const Wording& wording,
                                   const TableOptions& options = {});

}  // namespace flymc
