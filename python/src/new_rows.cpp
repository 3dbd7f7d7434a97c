#include "new_rows.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "arrays.hpp"
#include "check/check.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "data/format/data_frame.hpp"
#include "data/table/formula.hpp"
#include "effects/effects.hpp"
#include "fit/words.hpp"
#include "flymc/detail/diagnose/class_answer.hpp"
#include "flymc/error.hpp"
#include "frame.hpp"
#include "predict/new_data.hpp"
#include "printed.hpp"
#include "report/check_text.hpp"
#include "report/effects_text.hpp"
#include "run/holdout.hpp"

namespace flymc::python {
namespace {

NewData new_data(const FrameArrays& arrays, const py::dict& how) {
  NewData data;
  data.path = "data";
  data.frame = &arrays.frame();
  data.threads = how["threads"].cast<unsigned>();
  data.new_levels = parse_word<NewLevels>(how["new_levels"].cast<std::string>(), "new_levels",
                                          words_of(NewLevels{}));
  data.with_trials = how["predictive"].cast<bool>();
  data.of_fit = how.contains("of_fit") && how["of_fit"].cast<bool>();
  return data;
}

// A row without a response has no likelihood.
void require_responses(const LoadSpec& spec, const DataFrame& frame) {
  const std::string name = spec.response.empty() ? left_side(spec.formula) : spec.response;
  for (const FrameColumn& column : frame.columns) {
    for (std::size_t row = 0; column.name == name && row < frame.rows; ++row) {
      const bool missing =
          column.is_number() ? std::isnan(column.numbers[row]) : column.codes[row] < 0;
      if (missing) {
        throw Error(ErrorKind::kData,
                    fmt::format("data: row {}: column {} is empty; a row without a response has no "
                                "likelihood",
                                row + 1, in_quotes(name)),
                    "leave such rows out of data.");
      }
    }
  }
}

// What f makes of every block of rows, in parallel; f is given the table and a range of it. Says
// how many rows there were.
template <class F>
std::size_t for_blocks(NewRows& rows, std::size_t step, unsigned threads, const F& f) {
  std::size_t first = 0;
  while (const auto table = rows.next()) {
    parallel_for((table->rows + step - 1) / step, threads, [&](std::size_t i) {
      f(*table, RowRange{i * step, std::min(table->rows, (i + 1) * step)}, first);
    });
    first += table->rows;
  }
  return first;
}

// 1 where a class is of those that hold what was asked of the draws, else 0.
RowMatrix in_set(const RowMatrix& shares, double tail, bool ordered) {
  RowMatrix result = RowMatrix::Zero(shares.rows(), shares.cols());
  for (Index i = 0; i < shares.rows(); ++i) {
    if (std::isnan(shares(i, 0))) {
      result.row(i).setConstant(shares(i, 0));
      continue;
    }
    const std::span<const double> row(&shares(i, 0), static_cast<std::size_t>(shares.cols()));
    for (const std::size_t k : class_answer(row, tail, ordered).set) {
      result(i, static_cast<Index>(k)) = 1.0;
    }
  }
  return result;
}

}  // namespace

FramePredictor::FramePredictor(const std::string& folder, std::size_t at_most)
    : predictor_(read_run_draws(folder, at_most)) {}

py::dict FramePredictor::predict(const py::dict& columns, const py::dict& asked) const {
  const FrameArrays arrays(columns);
  const NewData data = new_data(arrays, asked);
  PredictHow how;
  how.tail = 0.5 * (1.0 - asked["prob"].cast<double>());
  how.predictive = asked["predictive"].cast<bool>();
  how.class_intervals = true;
  const FamilyType& family = predictor_.draws().family->type();
  RowMatrix values(static_cast<Index>(arrays.frame().rows),
                   static_cast<Index>(predictor_.width(how)));
  std::vector<std::string> warnings;
  {
    const py::gil_scoped_release release;
    NewRows rows(predictor_.draws(), data);
    for_blocks(rows, predictor_.block_rows(), data.threads,
               [&](const Table& table, RowRange range, std::size_t first) {
                 PredictHow block = how;
                 block.first_row = first;
                 values.middleRows(static_cast<Index>(first + range.first),
                                   static_cast<Index>(range.size())) =
                     predictor_.predict(table, range, block).values;
               });
    warnings = rows.warnings();
  }
  py::dict result;
  result["values"] = to_array(values);
  result["warnings"] = warnings;
  result["classes"] = family.has_probabilities();
  if (how.predictive && family.has_probabilities()) {
    result["in_set"] = to_array(in_set(values, how.tail, family.is_ordered()));
  }
  return result;
}

py::array_t<double> FramePredictor::draws(const py::dict& columns, const py::dict& how) const {
  const FrameArrays arrays(columns);
  const NewData data = new_data(arrays, how);
  const bool predictive = how["predictive"].cast<bool>();
  const bool classes = !predictive && predictor_.draws().family->type().has_probabilities();
  const auto all = static_cast<Index>(arrays.frame().rows);
  const auto each = static_cast<Index>(classes ? predictor_.draws().predictors() : 1);
  RowMatrix values(static_cast<Index>(predictor_.draws().draws()), each * all);
  {
    const py::gil_scoped_release release;
    NewRows rows(predictor_.draws(), data);
    for_blocks(rows, predictor_.block_rows(), data.threads,
               [&](const Table& table, RowRange range, std::size_t first) {
                 const Matrix found = predictive ? predictor_.responses(table, range, first)
                                                 : predictor_.means(table, range);
                 const auto count = static_cast<Index>(range.size());
                 for (Index k = 0; k < each; ++k) {
                   values.middleCols(k * all + static_cast<Index>(first + range.first), count) =
                       found.middleCols(k * count, count);
                 }
               });
  }
  return to_array(values);
}

py::array_t<double> FramePredictor::log_likelihood(const py::dict& columns,
                                                   const py::dict& how) const {
  const FrameArrays arrays(columns);
  NewData data = new_data(arrays, how);
  data.with_response = true;
  const RunOptions& run = predictor_.draws().run.options;
  const bool of_fit = std::exchange(data.of_fit, false);  // each row counts once
  if (of_fit) {
    data.missing = Missing::kDrop;
  } else {
    require_responses(run.data, arrays.frame());
  }
  std::size_t read = 0;
  RowMatrix values(static_cast<Index>(predictor_.draws().draws()),
                   static_cast<Index>(arrays.frame().rows));
  {
    const py::gil_scoped_release release;
    NewRows rows(predictor_.draws(), data);
    read = for_blocks(rows, predictor_.block_rows(), data.threads,
                      [&](const Table& table, RowRange range, std::size_t first) {
                        values.middleCols(static_cast<Index>(first + range.first),
                                          static_cast<Index>(range.size())) =
                            predictor_.log_likelihoods(table, range);
                      });
  }
  if (!of_fit) {
    return to_array(values);
  }
  Index kept = 0;
  for (std::size_t row = 0; row < read; ++row) {
    if (!is_held_out(run, row)) {
      values.col(kept++) = values.col(static_cast<Index>(row));
    }
  }
  return to_array(RowMatrix(values.leftCols(kept)));
}

py::dict FramePredictor::check(const py::dict& columns, const py::dict& how) const {
  const FrameArrays arrays(columns);
  CheckOptions options;
  options.prob = how["prob"].cast<double>();
  options.rows = how["rows"].cast<std::size_t>();
  options.threads = how["threads"].cast<unsigned>();
  const NewData data = new_data(arrays, how);
  CheckedRun found;
  {
    const py::gil_scoped_release release;
    found = check_rows(predictor_, data, options);
  }
  return printed(check_table(found), check_json(found));
}

py::dict FramePredictor::effects(const py::dict& columns, const py::dict& how) const {
  const FrameArrays arrays(columns);
  EffectsOptions options;
  options.of = how["of"].cast<std::vector<std::string>>();
  options.rows = how["rows"].cast<std::optional<std::size_t>>();
  options.how.prob = how["prob"].cast<double>();
  options.how.threads = how["threads"].cast<unsigned>();
  const NewData data = new_data(arrays, how);
  Effects found;
  {
    const py::gil_scoped_release release;
    found = effects_of(predictor_, data, options);
  }
  return printed(effects_table(found), effects_json(found));
}

}  // namespace flymc::python
