// Rows whose input can be changed, and the columns of the fit that come of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "effects/input_columns.hpp"
#include "flymc/detail/predict/held_rows.hpp"
#include "predict/new_data.hpp"
#include "predict/row_sample.hpp"

namespace flymc {

// Sets one column of rows as they were read.
using Change = std::function<void(Table& rows)>;
// A part of the rows of a sample after one of several changes, as the columns of the fit. Thread
// safe.
using ChangedRows = std::function<Table(std::size_t change, RowRange part)>;

class InputRows {
 public:
  virtual ~InputRows() = default;

  // At most so many, at random; 0: all. THROWS Error as NewRows::next().
  [[nodiscard]] virtual RowSample sample(std::size_t most, std::uint64_t seed) = 0;
  // Of how many rows to ask for so many changes at once.
  [[nodiscard]] virtual std::size_t rows_at_once(std::size_t changes) const = 0;
  // REQUIRES: the sample is of these rows and outlives the result, as the changes do; `range` is of
  // the sample, the parts asked for are within.
  [[nodiscard]] virtual ChangedRows change(const RowSample& sample, RowRange range,
                                           const InputColumn& column,
                                           const std::vector<Change>& changes) const = 0;
};

// Of a file or a data frame, whose formula is ours. REQUIRES: the rows outlive it.
class LoadedRows final : public InputRows {
 public:
  explicit LoadedRows(NewRows& rows) : rows_(rows) {}

  [[nodiscard]] RowSample sample(std::size_t most, std::uint64_t seed) override;
  [[nodiscard]] std::size_t rows_at_once(std::size_t changes) const override;
  [[nodiscard]] ChangedRows change(const RowSample& sample, RowRange range,
                                   const InputColumn& column,
                                   const std::vector<Change>& changes) const override;

 private:
  NewRows& rows_;
};

// Of somebody who makes the columns. The last column of its samples is the number of the row, which
// is no input. REQUIRES: rows and draws outlive it.
class HeldInput final : public InputRows {
 public:
  // THROWS Error as LevelCodes.
  HeldInput(const HeldRows& rows, const RunDraws& draws)
      : rows_(rows), draws_(draws), levels_(draws) {}

  [[nodiscard]] RowSample sample(std::size_t most, std::uint64_t seed) override;
  [[nodiscard]] std::size_t rows_at_once(std::size_t changes) const override;
  // Makes the columns at once: in the thread that calls.
  [[nodiscard]] ChangedRows change(const RowSample& sample, RowRange range,
                                   const InputColumn& column,
                                   const std::vector<Change>& changes) const override;
  [[nodiscard]] std::vector<std::string> warnings() const { return levels_.warnings(); }

 private:
  const HeldRows& rows_;
  const RunDraws& draws_;
  LevelCodes levels_;
};

}  // namespace flymc
