#include "data/table/row_filter.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "core/text.hpp"
#include "flymc/error.hpp"

namespace flymc {

RowFilter::RowFilter(const Table& table, Names names, std::size_t first, Missing missing)
    : table_(table),
      names_(std::move(names)),
      first_(first),
      drop_missing_(missing == Missing::kDrop),
      scratch_(table.columns.size()) {
  for (const std::string& column : table.columns) {
    counts_.missing_in.push_back({column, 0});
  }
  for (const std::string& part : names_.parts) {
    counts_.missing_in.push_back({part, 0});
  }
  counts_.rows = table.rows;
  for (std::size_t row = 0; row < table.rows; ++row) {
    inspect(row);
  }
}

RowCounts RowFilter::settle(Ranks& ranks) const {
  RowCounts counts = counts_;
  counts.add_up(ranks);
  fail_together(ranks, [&] {
    if (first_problem_) {
      throw Error(ErrorKind::kData, first_problem_->missing
                                        ? first_problem_->text + " " + missing_advice(counts)
                                        : first_problem_->text);
    }
  });
  require_rows(counts, names_.x);
  return counts;
}

void RowFilter::inspect(std::size_t row) {
  const std::size_t width = table_.columns.size();
  const double* const x = table_.row(row, scratch_.data());
  bool missing = false;
  for (std::size_t j = 0; j < width; ++j) {
    missing |= !std::isfinite(x[j]) && is_missing(x[j], row, j);
  }
  std::size_t column = width;
  for (const std::vector<double>* const part :
       {&table_.response.values, &table_.weights, &table_.offset, &table_.trials}) {
    const double value = part->empty() ? 0.0 : (*part)[row];
    missing |= !std::isfinite(value) && is_missing(value, row, column);
    ++column;
  }
  const double weight = table_.weights.empty() ? 1.0 : table_.weights[row];
  if (weight < 0.0) {
    note({fmt::format("{}: row {} is {}; weights must be >= 0.", names_.parts[1], first_ + row + 1,
                      weight)});
  }
  counts_.missing += missing ? 1 : 0;
  counts_.weightless += !missing && weight == 0.0 ? 1 : 0;
  keep(row, !missing && weight != 0.0);
}

// Of a number that is not finite; columns are features, then parts.
bool RowFilter::is_missing(double value, std::size_t row, std::size_t column) {
  const std::size_t width = table_.columns.size();
  const bool missing = std::isnan(value);
  counts_.missing_in[column].rows += missing ? 1 : 0;
  if (!missing || !drop_missing_) {
    const bool is_feature = column < width;
    note({fmt::format("{}: row {}{} is {}.", is_feature ? names_.x : names_.parts[column - width],
                      first_ + row + 1,
                      is_feature ? ", column " + in_quotes(table_.columns[column]) : "",
                      missing       ? "nan"
                      : value > 0.0 ? "inf"
                                    : "-inf"),
          missing});
  }
  return missing;
}

// Rows are listed from the first that is left out on: a table that keeps all needs no list.
void RowFilter::keep(std::size_t row, bool kept) {
  if (!kept && !left_out_) {
    left_out_ = true;
    kept_.resize(row);
    std::iota(kept_.begin(), kept_.end(), 0);
  }
  if (kept && left_out_) {
    kept_.push_back(row);
  }
}

void RowFilter::note(Problem problem) {
  if (!first_problem_) {
    first_problem_ = std::move(problem);
  }
}

}  // namespace flymc
