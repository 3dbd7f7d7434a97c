// Small simulated tables for tests of the command line, the same in every run.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "cli/cli.hpp"
#include "flymc/random.hpp"

namespace flymc::testing {

// y on two columns, eta = 0.5 + 1.0 a - 0.5 b.
struct Simulated {
  std::vector<double> a, b, eta;
  std::vector<double> binary, classes, numbers;  // responses: 0/1, 0/1/2, eta + 0.5 normal
};

inline Simulated simulated(std::size_t rows, std::uint64_t seed = 7) {
  Stream stream(seed, 0, Purpose::kInit, 1);
  Simulated s;
  for (std::size_t n = 0; n < rows; ++n) {
    s.a.push_back(stream.normal());
    s.b.push_back(stream.normal());
    s.eta.push_back(0.5 + s.a[n] - 0.5 * s.b[n]);
    s.binary.push_back(stream.uniform() < 1.0 / (1.0 + std::exp(-s.eta[n])) ? 1.0 : 0.0);
    const double u = stream.uniform() * (1.0 + std::exp(s.a[n]) + std::exp(s.b[n]));
    s.classes.push_back(u < 1.0 ? 0.0 : u < 1.0 + std::exp(s.a[n]) ? 1.0 : 2.0);
    s.numbers.push_back(s.eta[n] + 0.5 * stream.normal());
  }
  return s;
}

struct Column {
  std::string name;
  std::vector<double> values;
};

inline std::string csv(const std::vector<Column>& columns) {
  std::string text;
  for (const Column& column : columns) {
    text += (text.empty() ? "" : ",") + column.name;
  }
  text += "\n";
  for (std::size_t n = 0; n < columns[0].values.size(); ++n) {
    for (std::size_t j = 0; j < columns.size(); ++j) {
      char number[32];
      std::snprintf(number, sizeof number, "%.17g", columns[j].values[n]);
      text += (j > 0 ? "," : "") + std::string(number);
    }
    text += "\n";
  }
  return text;
}

inline std::string binary_csv(std::size_t rows = 200) {
  const Simulated s = simulated(rows);
  return csv({{"a", s.a}, {"b", s.b}, {"y", s.binary}});
}

inline std::string classes_csv(std::size_t rows = 200) {
  const Simulated s = simulated(rows);
  return csv({{"a", s.a}, {"b", s.b}, {"y", s.classes}});
}

inline std::string numbers_csv(std::size_t rows = 200) {
  const Simulated s = simulated(rows);
  return csv({{"a", s.a}, {"b", s.b}, {"y", s.numbers}});
}

inline std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& value : values) {
    value *= factor;
  }
  return values;
}

inline std::vector<double> constant(std::size_t rows, double value) {
  return std::vector<double>(rows, value);
}

}  // namespace flymc::testing
