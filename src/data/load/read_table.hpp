// A whole table from the files of any format, before the products of a formula are made.
#pragma once

#include <new>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "core/message.hpp"
#include "core/text.hpp"
#include "data/load/input_kind.hpp"
#include "data/table/formula.hpp"
#include "flymc/error.hpp"

namespace flymc {

struct ReadTable {
  TableRead read;
  InputKind kind;
  std::vector<FileChecksum> checksums{};  // as Loaded has them
};

// `formula`: that of the specification, or none. `taken`: of standard input, what was read from it
// already. THROWS Error as load().
[[nodiscard]] ReadTable read_table(const LoadSpec& spec, const Formula& formula,
                                   std::string_view taken = {});

// The formula of the specification's first predictor, empty where it has none. THROWS Error kUsage.
[[nodiscard]] inline Formula formula_of(const LoadSpec& spec) {
  if (spec.formula.empty()) {
    return {};
  }
  Formula formula = parse_formula(spec.formula);
  formula.every_level = spec.matches_earlier;
  formula.constants = spec.constants;
  formula.keeps_missing = spec.missing == Missing::kKeep;
  return formula;
}

// Rows that ranks share stay where they are: a function without a number is a mistake there.
[[nodiscard]] inline bool drops_valueless_rows(const LoadSpec& spec) {
  return spec.missing == Missing::kDrop && spec.ranks->size() == 1;
}

// What f() returns; memory that ran out becomes an Error kMemory.
template <class F>
[[nodiscard]] auto within_memory(const LoadSpec& spec, const F& f) {
  const auto fail_memory = [&] {
    return Error(ErrorKind::kMemory, escaped(spec.path) + ": the table does not fit in memory",
                 message("read fewer columns ({}, {}), or a .fly file ({}), which stays on the "
                         "disk.",
                         Setting{"features"}, Setting{"drop"}, Command{"convert"}));
  };
  try {
    return f();
  } catch (const std::bad_alloc&) {
    throw fail_memory();
  } catch (const std::length_error&) {
    throw fail_memory();
  }
}

}  // namespace flymc
