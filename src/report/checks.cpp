#include "report/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/message.hpp"
#include "core/text.hpp"
#include "report/numbers.hpp"

namespace flymc {
namespace {

// Above this, more draws of the same chains would only repeat the disagreement.
constexpr double kChainsDisagree = 1.1;
// Asks for a little more than the forecast, so that one more round is enough.
constexpr double kMargin = 1.2;

[[nodiscard]] double mcse_per_sd(const Estimate& e) { return e.mcse_mean / e.sd; }

// How far a number is on the wrong side of its limit: above 1 it fails; undefined is worst.
[[nodiscard]] double badness(double ratio) {
  return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
}

struct Question {
  const char* claim;
  double (*excess)(const Estimate&);      // >= 1 where the claim fails, larger is worse
  std::string (*shown)(const Estimate&);  // the number the claim is about
};

const Question kQuestions[] = {
    {"R-hat < 1.01", [](const Estimate& e) { return badness(e.rhat / kMaxRhat); },
     [](const Estimate& e) { return fmt::format("{:.4f}", e.rhat); }},
    {"bulk ESS > 400", [](const Estimate& e) { return badness(kMinBulkEss / e.ess_bulk); },
     [](const Estimate& e) { return rounded_count(e.ess_bulk); }},
    {"MCSE < 5 % of sd", [](const Estimate& e) { return badness(mcse_per_sd(e) / kMaxMcsePerSd); },
     [](const Estimate& e) { return percent(mcse_per_sd(e)); }},
};

[[nodiscard]] Check ask(const Question& question, const std::vector<ParameterSummary>& all) {
  Check check = {
      .claim = question.claim, .worst = "", .worst_column = "", .worst_label = "", .failures = 0};
  double worst = -1.0;
  for (const ParameterSummary& parameter : all) {
    const double excess = question.excess(parameter.estimate);
    check.failures += excess >= 1.0 ? 1U : 0U;
    if (excess > worst) {
      worst = excess;
      check.worst = std::isinf(excess) ? "undefined" : question.shown(parameter.estimate);
      check.worst_column = escaped(parameter.column);
      check.worst_label = escaped(parameter.label);
    }
  }
  return check;
}

// The largest excess over parameters; excesses of 1 and more fail.
[[nodiscard]] double worst_excess(const Summary& summary, const Question& question) {
  double worst = 0.0;
  for (const ParameterSummary& parameter : checked_parameters(summary)) {
    worst = std::max(worst, question.excess(parameter.estimate));
  }
  return worst;
}

// Up to two significant digits: 3,741 -> 3,800.
[[nodiscard]] std::uint64_t round_up(double draws) {
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(draws)) - 1.0));
  return static_cast<std::uint64_t>(std::ceil(draws / unit) * unit);
}

}  // namespace

const std::vector<ParameterSummary>& checked_parameters(const Summary& summary) {
  return summary.class_estimates.empty() ? summary.parameters : summary.class_estimates;
}

std::vector<Check> run_checks(const Summary& summary) {
  std::vector<Check> checks;
  for (const Question& question : kQuestions) {
    checks.push_back(ask(question, checked_parameters(summary)));
  }
  return checks;
}

bool checks_pass(const Summary& summary) {
  return std::ranges::all_of(run_checks(summary), &Check::passed);
}

Message next_step(const Summary& summary) {
  if (checks_pass(summary)) {
    return {};
  }
  if (summary.status != "complete") {
    return message("the run did not finish; go on with {}", Refit{{"resume", summary.folder}});
  }
  const std::vector<ParameterSummary>& all = checked_parameters(summary);
  const auto stuck =
      std::ranges::find_if(all, [](const ParameterSummary& p) { return p.estimate.sd == 0.0; });
  if (stuck != all.end()) {
    return message("{} never moves; look at its column, or try another {}", escaped(stuck->column),
                   Setting{"kernel"});
  }
  const double rhat = worst_excess(summary, kQuestions[0]);
  if (std::isfinite(rhat) && rhat * kMaxRhat > kChainsDisagree) {
    return message("the chains disagree; repeat the fit with a longer warm-up: {}",
                   Refit{{"warmup", fmt::format("{:.0f}", 2.0 * summary.warmup)}});
  }
  // ESS grows with the draws, MCSE with their root.
  const double bulk = worst_excess(summary, kQuestions[1]);
  const double mcse = worst_excess(summary, kQuestions[2]);
  const double wanted = kMargin * std::max(bulk, mcse * mcse);
  const double factor = std::isfinite(wanted) ? std::max(2.0, wanted) : 2.0;
  const double draws = std::max(100.0, factor * static_cast<double>(summary.draws));
  return message("draw more; repeat the fit with {}",
                 Refit{{"draws", std::to_string(round_up(draws))}});
}

}  // namespace flymc
