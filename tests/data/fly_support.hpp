// A table of every kind of part, and its .fly file as bytes.
#pragma once

#include <string>
#include <vector>

#include "data/format/fly_format.hpp"
#include "data/format/fly_writer.hpp"
#include "data/load_support.hpp"

namespace flymc::testing {

// `rows` rows of columns a, "b\n\"", c; labels, weights, offset and trials where asked for.
struct FlyKind {
  std::size_t rows = 5;
  bool features = true;
  bool response = true;
  bool labels = false;
  bool extras = false;
  bool float32 = false;
};

inline Table made_table(const FlyKind& kind) {
  Table table;
  table.rows = kind.rows;
  table.left_out = 3;
  if (kind.features) {
    table.columns = {"a", "b\n\"", "c"};
  }
  for (std::size_t n = 0; n < kind.rows; ++n) {
    const auto value = static_cast<double>(n);
    if (kind.features) {
      table.x.insert(table.x.end(), {0.1 * value, value, -1e-3 * value * value});
    }
    if (kind.response) {
      table.response.values.push_back(static_cast<double>(n % 2));
    }
    if (kind.extras) {
      table.weights.push_back(1.0 + value);
      table.offset.push_back(-0.3 * value);
      table.trials.push_back(2.0 + value);
    }
  }
  table.response.name = kind.response ? "y" : "";
  table.response.labels =
      kind.labels ? std::vector<std::string>{"no", "yes"} : std::vector<std::string>{};
  return table;
}

inline FlyOptions fly_options(const FlyKind& kind, const std::string& path) {
  FlyOptions options{.path = path, .float32 = kind.float32};
  if (kind.extras) {
    options.weights = "w";
    options.offset = "o";
    options.trials = "m";
  }
  return options;
}

inline std::string bytes_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Features of a table, wherever they lie.
inline std::vector<double> features_of(const Table& table) {
  std::vector<double> scratch(table.rows * table.columns.size());
  const double* const x = table.block({0, table.rows}, scratch.data());
  return {x, x + scratch.size()};
}

}  // namespace flymc::testing
