#include "flymc/diagnose/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "diagnose/modes_note.hpp"
#include "diagnose/moments.hpp"
#include "diagnose/rank_ess.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

// run.json lists the parameters once set-up is done; before, the columns themselves tell.
[[nodiscard]] std::vector<ParameterName> parameter_names(const RunRecord& record,
                                                         const RunChains& run) {
  if (!record.parameters.empty()) {
    return record.parameters;
  }
  std::vector<ParameterName> names;
  for (const std::string& column : run.chains.front().columns) {
    if (!column.ends_with("__")) {
      names.push_back({.column = column, .label = column});
    }
  }
  return names;
}

void require_columns(const std::vector<ParameterName>& names, const RunChains& run,
                     const std::string& shown) {
  for (const ParameterName& name : names) {
    if (!run.chains.front().has(name.column)) {
      throw Error(ErrorKind::kData, shown + ": the chain files have no column " +
                                        in_quotes(name.column) +
                                        "; they belong to another run than run.json.");
    }
  }
}

[[nodiscard]] double known_or(double value, double otherwise) {
  return std::isfinite(value) ? value : otherwise;
}

[[nodiscard]] SamplingCost sampling_cost(const RunRecord& record, const RunChains& run) {
  const auto bright = gather(run, "bright__");
  const auto queries = gather(run, "queries__");
  const double kept = static_cast<double>(run.chains.size() * run.chains.front().draws());
  const bool recorded = record.iterations > 0.0;
  const double iterations = recorded ? record.iterations : kept * known_or(record.thin, 1.0);
  const double from_draws = std::accumulate(queries.begin(), queries.end(), 0.0);
  const double total =
      recorded ? known_or(record.queries_theta + record.queries_z, from_draws) : from_draws;
  const double evaluations = recorded ? known_or(record.evaluations, iterations) : iterations;
  return {.seconds_setup = record.setup_seconds,
          .passes_setup = record.setup_passes,
          .seconds_sampling = record.seconds,
          .queries_total = total,
          .queries_per_iteration = total / iterations,
          .regular_queries_per_iteration = static_cast<double>(record.n) * evaluations / iterations,
          .mean_bright = known_or(record.mean_bright, mean(bright)),
          .max_bright = bright.empty() ? RunRecord::kUnknown : *std::ranges::max_element(bright),
          .seconds_total = record.status == "running" ? RunRecord::kUnknown  // so far
                                                      : record.clock_seconds};
}

}  // namespace

std::vector<double> gather(const RunChains& run, const std::string& column) {
  std::vector<double> values;
  for (const ChainDraws& chain : run.chains) {
    if (chain.has(column)) {
      const auto draws = chain.column(column);
      values.insert(values.end(), draws.begin(), draws.end());
    }
  }
  return values;
}

double fewest_effective(const RunChains& run, const std::vector<ParameterName>& parameters) {
  double fewest = std::numeric_limits<double>::infinity();
  for (const ParameterName& parameter : parameters) {
    const std::vector<double> values = gather(run, parameter.column);
    fewest = std::min(fewest, ess_bulk(Chains(values, run.chains.size())));
  }
  return fewest;
}

Summary summarise(const RunRecord& record, const RunChains& run, const std::string& shown) {
  auto names = parameter_names(record, run);
  names.push_back({.column = "lp__", .label = "log density"});
  require_columns(names, run, shown);
  std::vector<ParameterSummary> summaries(names.size());
  parallel_for(names.size(), 0, [&](std::size_t i) {
    const auto values = gather(run, names[i].column);
    summaries[i] = {.column = names[i].column,
                    .label = names[i].label,
                    .estimate = estimate(Chains(values, run.chains.size()))};
  });
  std::vector<std::string> notes = run.notes;
  if (std::string modes = modes_note(record.mode_nats); !modes.empty()) {
    notes.push_back(std::move(modes));
  }
  ParameterSummary log_density = std::move(summaries.back());
  summaries.pop_back();
  return {.folder = shown,
          .model = record.model,
          .engine = record.engine,
          .status = record.status,
          .exact = record.exact,
          .n = record.n,
          .d = record.d,
          .chains = run.chains.size(),
          .draws = run.chains.front().draws(),
          .warmup = known_or(record.warmup, 1000.0),
          .cost = sampling_cost(record, run),
          .parameters = std::move(summaries),
          .log_density = std::move(log_density),
          .notes = std::move(notes)};
}

}  // namespace flymc
