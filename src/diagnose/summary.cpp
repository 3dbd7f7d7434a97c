#include "flymc/diagnose/summary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/message.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "diagnose/class_contrasts.hpp"
#include "diagnose/contrast.hpp"
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

// A level that has an indicator of its own is not what others are compared with.
[[nodiscard]] std::vector<std::string> without_columns(std::vector<std::string> references,
                                                       const std::vector<ParameterName>& names) {
  std::erase_if(references, [&](const std::string& reference) {
    return std::ranges::any_of(names, [&](const ParameterName& name) {
      return name.label == reference || name.label.ends_with(": " + reference);
    });
  });
  return references;
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
                                                      : record.clock_seconds,
          .seconds_reanchor = record.reanchor_seconds};
}

// What the draws of one quantity answer.
[[nodiscard]] Answer answer_of(const std::string& label, std::vector<double> values,
                               std::size_t chains, const Questions& questions) {
  const auto positive = std::ranges::count_if(values, [](double value) { return value > 0.0; });
  if (questions.exp) {
    std::ranges::transform(values, values.begin(), [](double value) { return std::exp(value); });
  }
  const double tail = 0.5 * (1.0 - questions.prob);
  return {.label = label,
          .mean = mean(values),
          .median = quantile(values, 0.5),
          .sd = standard_deviation(values),
          .mcse_mean = mcse_mean(Chains(values, chains)),
          .lower = quantile(values, tail),
          .upper = quantile(values, 1.0 - tail),
          .prob_positive = static_cast<double>(positive) / static_cast<double>(values.size())};
}

// Where slopes are wanted per standard deviation: of the column; else, and of the others, 1.
[[nodiscard]] double unit_of(const ParameterName& parameter, const Questions& questions) {
  return questions.per_sd && std::isfinite(parameter.column_sd) ? parameter.column_sd : 1.0;
}

void require_units(const std::vector<ParameterName>& names, const Questions& questions) {
  if (questions.per_sd && std::ranges::none_of(names, [](const ParameterName& name) {
        return std::isfinite(name.column_sd);
      })) {
    throw Error(ErrorKind::kUsage,
                message("{}: the run has no column with a standard deviation; its run.json may be "
                        "of an older version.",
                        Setting{"per_sd"}));
  }
}

[[nodiscard]] std::vector<double> drawn(const RunChains& run, const std::string& column,
                                        double unit) {
  std::vector<double> values = gather(run, column);
  for (double& value : values) {
    value *= unit;
  }
  return values;
}

[[nodiscard]] Answer answer_contrast(const Contrast& contrast,
                                     const std::vector<ParameterName>& names, const RunChains& run,
                                     const Questions& questions) {
  std::vector<double> total(run.chains.size() * run.chains.front().draws(), 0.0);
  for (const auto& [parameter, weight] : contrast.weights) {
    const ParameterName& name = names[parameter];
    const auto values = drawn(run, name.column, weight * unit_of(name, questions));
    std::ranges::transform(total, values, total.begin(), std::plus<>());
  }
  return answer_of(contrast.text, std::move(total), run.chains.size(), questions);
}

[[nodiscard]] std::vector<Answer> answer_contrasts(const std::vector<ParameterName>& names,
                                                   const RunRecord& record, const RunChains& run,
                                                   const Questions& questions) {
  std::vector<Answer> answers;
  if (questions.contrasts.empty()) {
    return answers;
  }
  std::vector<Contrast> others = class_pairs(record);
  for (const std::string& level : record.references) {
    others.push_back({level, {}});
  }
  for (const std::string& text : questions.contrasts) {
    answers.push_back(answer_contrast(parse_contrast(text, names, others), names, run, questions));
  }
  return answers;
}

[[nodiscard]] Answer answer_parameter(const ParameterName& name, const RunChains& run,
                                      const Questions& questions) {
  return answer_of(name.label, drawn(run, name.column, unit_of(name, questions)), run.chains.size(),
                   questions);
}

[[nodiscard]] ParameterSummary summarise_parameter(const ParameterName& name,
                                                   const RunChains& run) {
  const std::vector<double> values = gather(run, name.column);
  return {.column = name.column,
          .label = name.label,
          .estimate = estimate(Chains(values, run.chains.size()))};
}

// The reference, and what the draws say of the differences to it.
struct ClassAnswers {
  std::string reference{};
  std::vector<Answer> answers{};
  std::vector<ParameterSummary> estimates{};
};

[[nodiscard]] ClassAnswers answer_classes(const RunRecord& record, const RunChains& run,
                                          const Questions& questions) {
  if (!has_class_vectors(record)) {
    if (!questions.reference.empty()) {
      throw Error(ErrorKind::kUsage,
                  message("{}: the run has one vector of coefficients, not one for every class.",
                          Setting{"reference", shortened(questions.reference)}));
    }
    return {};
  }
  ClassDifferences compared = compare_classes(record, run, questions.reference);
  const std::vector<ParameterName>& names = compared.record.parameters;
  ClassAnswers found{std::move(compared.reference), std::vector<Answer>(names.size()),
                     std::vector<ParameterSummary>(names.size())};
  parallel_for(names.size(), 0, [&](std::size_t i) {
    found.answers[i] = answer_parameter(names[i], compared.run, questions);
    found.estimates[i] = summarise_parameter(names[i], compared.run);
  });
  return found;
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

Summary summarise(const RunRecord& record, const RunChains& run, const std::string& shown,
                  const Questions& questions) {
  auto names = parameter_names(record, run);
  require_columns(names, run, shown);
  require_units(names, questions);
  std::vector<Answer> contrasts = answer_contrasts(names, record, run, questions);
  ClassAnswers classes = answer_classes(record, run, questions);
  std::vector<Answer> answers(names.size());
  names.push_back({.column = "lp__", .label = "log density"});
  require_columns(names, run, shown);
  std::vector<ParameterSummary> summaries(names.size());
  parallel_for(names.size(), 0, [&](std::size_t i) {
    summaries[i] = summarise_parameter(names[i], run);
    if (i < answers.size()) {
      answers[i] = answer_parameter(names[i], run, questions);
    }
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
          .notes = std::move(notes),
          .references = without_columns(record.references, names),
          .conversions = record.conversions,
          .questions = questions,
          .answers = std::move(answers),
          .contrasts = std::move(contrasts),
          .reference_class = std::move(classes.reference),
          .class_contrasts = std::move(classes.answers),
          .class_estimates = std::move(classes.estimates)};
}

}  // namespace flymc
