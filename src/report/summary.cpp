#include "flymc/report/summary.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "flymc/core/error.hpp"
#include "flymc/core/parallel.hpp"
#include "flymc/core/text.hpp"
#include "flymc/diagnose/moments.hpp"
#include "flymc/report/run_folder.hpp"

namespace flymc {
namespace {

using Json = nlohmann::ordered_json;

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
          .max_bright = bright.empty() ? RunRecord::kUnknown : *std::ranges::max_element(bright)};
}

[[nodiscard]] Json to_object(const ParameterSummary& parameter) {
  const Estimate& e = parameter.estimate;
  return {{"column", parameter.column},
          {"label", parameter.label},
          {"mean", e.mean},
          {"sd", e.sd},
          {"mcse_mean", e.mcse_mean},
          {"q5", e.q5},
          {"q50", e.q50},
          {"q95", e.q95},
          {"ess_bulk", e.ess_bulk},
          {"ess_tail", e.ess_tail},
          {"ess_coda", e.ess_coda},
          {"rhat", e.rhat}};
}

// JSON need not escape DEL and the C1 controls (C2 80 to C2 9F), but a terminal would obey them.
[[nodiscard]] std::string without_controls(const std::string& json) {
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const auto byte = static_cast<unsigned char>(json[i]);
    const auto next = static_cast<unsigned char>(i + 1 < json.size() ? json[i + 1] : 0);
    if (byte == 0x7F) {
      out += "\\u007f";
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      constexpr char kDigits[] = "0123456789abcdef";
      out += std::string("\\u00") + kDigits[next / 16] + kDigits[next % 16];
      ++i;
    } else {
      out += json[i];
    }
  }
  return out;
}

}  // namespace

Summary summarise(const std::filesystem::path& run_folder) {
  const RunRecord record = read_run_record(run_folder);  // first: it tells what is no run
  return summarise(record, read_run_chains(run_folder), shown_folder(run_folder));
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
          .notes = run.notes};
}

std::string to_json(const Summary& summary) {
  Json parameters = Json::array();
  for (const ParameterSummary& parameter : summary.parameters) {
    parameters.push_back(to_object(parameter));
  }
  const Json json = {{"n", summary.n},
                     {"d", summary.d},
                     {"exact", summary.exact},
                     {"engine", summary.engine},
                     {"seconds_setup", summary.cost.seconds_setup},
                     {"seconds_sampling", summary.cost.seconds_sampling},
                     {"queries_per_iteration", summary.cost.queries_per_iteration},
                     {"mean_bright", summary.cost.mean_bright},
                     {"parameters", std::move(parameters)},
                     {"lp__", to_object(summary.log_density)}};
  return without_controls(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace flymc
