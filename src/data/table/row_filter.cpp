#include "data/table/row_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"
#include "core/text.hpp"
#include "data/table/fill_missing.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/data/table/sequential_read.hpp"
#include "flymc/error.hpp"

namespace flymc {
namespace {

constexpr std::size_t kFilterRows = 4096;  // looked at together

}  // namespace

RowFilter::RowFilter(const Table& table, Names names, std::size_t first, const LoadSpec& spec)
    : table_(table),
      names_(std::move(names)),
      first_(first),
      missing_(spec.missing),
      leaves_out_(spec.leaves_out()),
      scratch_(table.columns.size()) {
  for (const std::string& column : table.columns) {
    counts_.missing_in.push_back({column, 0});
    filled_.push_back(is_filled(spec, column));
  }
  for (const std::string& part : names_.parts) {
    counts_.missing_in.push_back({part, 0});
  }
  counts_.rows = table.rows;
  const std::size_t blocks = (table.rows + kFilterRows - 1) / kFilterRows;
  const auto block = [&](std::size_t i) {
    return RowRange{i * kFilterRows, std::min(table.rows, (i + 1) * kFilterRows)};
  };
  std::vector<char> ordinary(blocks);
  const SequentialRead in_order(table.source);
  parallel_for(blocks, spec.threads, [&](std::size_t i) { ordinary[i] = is_ordinary(block(i)); });
  for (std::size_t i = 0; i < blocks; ++i) {
    for (std::size_t row = block(i).first; row < block(i).last && !ordinary[i]; ++row) {
      inspect(row);
    }
    for (std::size_t row = block(i).first; row < block(i).last && ordinary[i] && left_out_; ++row) {
      keep(row, true);
    }
  }
}

// Every number is finite, every weight above zero: x - x is 0 or NaN.
bool RowFilter::is_ordinary(RowRange rows) const {
  const auto all_finite = [](const double* numbers, std::size_t count) {
    const ConstVectorView x(numbers, static_cast<Index>(count));
    return (x - x).sum() == 0.0;
  };
  const std::size_t width = table_.columns.size();
  Buffer<double> scratch(table_.source.empty() ? 0 : rows.size() * width);
  bool ordinary = all_finite(table_.block(rows, scratch.data()), rows.size() * width);
  for (const std::vector<double>* const part :
       {&table_.response.values, &table_.weights, &table_.offset, &table_.trials}) {
    ordinary = ordinary && (part->empty() || all_finite(part->data() + rows.first, rows.size()));
  }
  return ordinary && (table_.weights.empty() || ConstVectorView(table_.weights.data() + rows.first,
                                                                static_cast<Index>(rows.size()))
                                                        .minCoeff() > 0.0);
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
  constexpr std::size_t kOffsetPart = 2;
  if (missing && column < width && filled_[column]) {
    return false;
  }
  if (missing && missing_ == Missing::kKeep && (column < width || column == width + kOffsetPart)) {
    return false;
  }
  if (!missing || !leaves_out_) {
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
