#include "cli/inspect/inspect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/data_options.hpp"
#include "cli/inspect/inspect_columns.hpp"
#include "core/text.hpp"
#include "data/table/merge_rows.hpp"
#include "fit/prepare.hpp"
#include "flymc/fit.hpp"

namespace flymc::cli {
namespace {

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) {
    return *middle;
  }
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

void set_moments(const std::vector<double>& values, ColumnFacts& facts) {
  const auto n = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double value : values) {
    sum += value;
  }
  facts.mean = sum / n;
  double squares = 0.0;
  for (const double value : values) {
    squares += (value - facts.mean) * (value - facts.mean);
  }
  facts.sd = n > 1.0 ? std::sqrt(squares / (n - 1.0)) : 0.0;
}

bool all_whole(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return value == std::floor(value); });
}

std::vector<ClassCount> text_classes(const Response& response) {
  std::vector<ClassCount> classes;
  for (const std::string& label : response.labels) {
    classes.push_back({label, 0});
  }
  for (const double value : response.values) {
    ++classes[static_cast<std::size_t>(value)].rows;
  }
  return classes;
}

ResponseSummary describe_response(const Response& response) {
  ResponseSummary summary;
  summary.name = response.name;
  summary.text = !response.labels.empty();
  if (summary.text) {
    summary.classes = text_classes(response);
    return summary;
  }
  const Distinct distinct = describe(response.values, summary.numbers);
  set_moments(response.values, summary.numbers);
  summary.median = median_of(response.values);
  if (distinct.count() && all_whole(distinct.values())) {
    for (std::size_t i = 0; i < distinct.values().size(); ++i) {
      summary.classes.push_back({fmt::format("{}", distinct.values()[i]), distinct.rows()[i]});
    }
  }
  return summary;
}

// Counts start at 0 and thin out; of classes even the last is rarely a tenth of its equal share.
bool thin_out(const std::vector<ClassCount>& classes, std::size_t rows) {
  return classes.front().label == "0" && 10 * classes.back().rows * classes.size() < rows;
}

// 1, 2, .. K without a gap, as ratings and grades are.
bool are_ratings(const std::vector<ClassCount>& classes) {
  constexpr std::size_t kMostRatings = 10;
  bool in_a_row = classes.size() >= 3 && classes.size() <= kMostRatings;
  for (std::size_t k = 0; in_a_row && k < classes.size(); ++k) {
    in_a_row = classes[k].label == fmt::format("{}", k + 1);
  }
  return in_a_row;
}

Suggestion suggest(const Table& table, const ResponseSummary& response) {
  const std::size_t classes = response.classes.size();
  if (!table.trials.empty()) {
    return {"binomial", "successes of trials"};
  }
  if (classes == 1 || (classes == 0 && response.numbers.distinct == 1U)) {
    return {"", "the response never changes: nothing to learn"};
  }
  if (classes == 2) {
    return {"logistic", "two classes"};
  }
  constexpr std::size_t kMostClasses = 1000;
  if (response.text) {
    return classes > kMostClasses ? Suggestion{"", "text of too many values to be classes"}
                                  : Suggestion{"softmax", "text of a few values"};
  }
  if (are_ratings(response.classes)) {
    return {"softmax",
            fmt::format("whole numbers from 1 to {}: if they are in an order, ordinal; if "
                        "counts, poisson; if amounts, student-t",
                        classes)};
  }
  if (classes > 0 && !thin_out(response.classes, table.rows)) {
    return {"softmax", "few whole numbers: if they are counts, poisson; if amounts, student-t"};
  }
  if (response.numbers.min >= 0.0 && all_whole(table.response.values)) {
    return {"poisson", "whole numbers >= 0: if they are classes, softmax; if amounts, student-t"};
  }
  if (response.numbers.min > 0.0 && response.numbers.max < 1.0) {
    return {"beta", "numbers between 0 and 1, as shares are: if they are no shares, student-t"};
  }
  if (response.numbers.min >= 0.0 && response.numbers.max <= 1.0) {
    return {
        "student-t",
        "numbers from 0 to 1: if they are shares, beta, which needs them to be neither 0 nor 1"};
  }
  return {"student-t", "numbers"};
}

// The rows of the table (unless they stay in their file), response (8 bytes), anchor and leverage
// (16), rate and alias (14) of each row, and its place among the bright in every chain (4).
double fit_bytes(const Table& table) {
  constexpr double kRowBytes = 38.0;
  const auto rows = static_cast<double>(table.rows);
  const auto chains = static_cast<double>(FitSettings{}.chains);
  const auto features =
      table.source.empty() ? 8.0 * static_cast<double>(table.columns.size()) : 0.0;
  constexpr double kChainRowBytes = 4.0;
  return rows * (features + kRowBytes + kChainRowBytes * chains);
}

// As fit does: where the response is successes, rows of the same fraction are equal.
std::size_t count_equal_rows(Table& table, unsigned threads) {
  table.response.values.resize(table.rows);
  for (std::size_t n = 0; n < table.trials.size(); ++n) {
    table.response.values[n] /= table.trials[n];
  }
  table.trials.clear();
  const std::size_t rows = table.rows;
  (void)merge_equal_rows(table, threads);
  return rows - table.rows;
}

// A constant column says what the intercept says: fit leaves it out, and so does the search for
// columns that explain others.
void drop_constant(Table& table, ColumnMoments& moments, unsigned threads) {
  std::vector<std::size_t> constant;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    if (is_constant(moments, static_cast<Index>(column))) {
      constant.push_back(column);
    }
  }
  if (!constant.empty()) {
    drop_columns(table, constant);
    moments = column_moments(table, threads);
  }
}

}  // namespace

Inspection inspect(Loaded loaded, const LoadSpec& spec) {
  Table table = std::move(loaded.table);
  Inspection result;
  result.path = spec.path;
  result.note = std::move(loaded.note);
  result.format = loaded.format;
  result.counts = std::move(loaded.counts);
  result.rows = table.rows;
  result.memory_bytes = fit_bytes(table);
  ColumnMoments moments = column_moments(table, spec.threads);
  result.columns = describe_columns(table, moments, spec);
  if (!table.response.values.empty()) {
    result.response = describe_response(table.response);
    result.suggestion = suggest(table, *result.response);
  }
  const bool softmax = result.suggestion.model == "softmax";
  result.time = estimate_time(table, softmax ? result.response->classes.size() : 1, spec.threads);
  if (!result.suggestion.model.empty()) {
    result.command =
        fmt::format("flymc fit {} --model {} --out run/", to_words(spec), result.suggestion.model);
  }
  result.leaks = find_leaks(table, moments);
  result.equal_rows = count_equal_rows(table, spec.threads);
  drop_constant(table, moments, spec.threads);
  result.dependent = equal_columns(table, spec.threads);
  result.dependence_unknown = add_dependent_columns(std::move(table), moments, result.dependent);
  return result;
}

}  // namespace flymc::cli
