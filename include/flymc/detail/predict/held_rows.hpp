// Rows of whoever makes the columns of a fit: a front end whose formulas are its own, as R's are.
// The library asks for the rows that it takes at random and for what they become when an input is
// another.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "flymc/table.hpp"

namespace flymc {

// A variable that columns are made of: numbers, or a category, whose values are places among its
// levels. NaN where a level is missing; REQUIRES: no number is.
struct InputVariable {
  std::string name{};
  std::vector<double> values{};
  std::vector<std::string> levels{};  // empty: numbers. The others are compared with the first
};

// Rows are numbered from 0. Only the thread that asks the library calls these.
class HeldRows {
 public:
  virtual ~HeldRows() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;
  // Those that the fit was made of, in its order; else each counts once, whatever its weight.
  [[nodiscard]] virtual bool of_fit() const = 0;
  // These rows with all parts and with the columns that the fit's table had.
  [[nodiscard]] virtual Table table(std::span<const std::size_t> rows) const = 0;
  [[nodiscard]] virtual std::vector<InputVariable> inputs(
      std::span<const std::size_t> rows) const = 0;
  // The same columns, and the offset, were one of the inputs as it is here; no other part is read.
  [[nodiscard]] virtual Table changed(std::span<const std::size_t> rows,
                                      const InputVariable& input) const = 0;
};

}  // namespace flymc
