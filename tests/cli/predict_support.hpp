// Predictions read back, and the same numbers by the plainest code from the chain files.
#pragma once

#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/cli.hpp"
#include "cli/cli_data.hpp"
#include "diagnose/moments.hpp"
#include "flymc/detail/core/special.hpp"

namespace flymc::testing {

struct CsvTable {
  Words header;
  std::vector<std::vector<double>> rows;
};

inline CsvTable read_plain_csv(const std::string& text) {
  const Words lines = lines_of(text);
  CsvTable table;
  std::istringstream head(lines.at(0));
  for (std::string field; std::getline(head, field, ',');) {
    table.header.push_back(field);
  }
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::istringstream line(lines[i]);
    table.rows.emplace_back();
    for (std::string field; std::getline(line, field, ',');) {
      table.rows.back().push_back(std::stod(field));
    }
  }
  return table;
}

// One draw: all parameters of the chain files, by name.
using Draw = std::function<double(const std::string&)>;

// f of every draw of chains 1 and 2 of a run, in their order.
inline std::vector<double> of_each_draw(const std::vector<ChainDraws>& chains,
                                        const std::function<double(const Draw&)>& f) {
  std::vector<double> values;
  for (const ChainDraws& chain : chains) {
    for (std::size_t s = 0; s < chain.draws(); ++s) {
      values.push_back(f([&](const std::string& name) { return chain.column(name)[s]; }));
    }
  }
  return values;
}

inline void expect_close(double value, double expected) {
  EXPECT_NEAR(value, expected, 1e-12 + 1e-11 * std::abs(expected));
}

// mean, sd, q5, q95.
inline void expect_summary(const std::vector<double>& row, const std::vector<double>& draws) {
  ASSERT_GE(row.size(), 4U);
  expect_close(row[0], mean(draws));
  expect_close(row[1], standard_deviation(draws));
  expect_close(row[2], quantile(draws, 0.05));
  expect_close(row[3], quantile(draws, 0.95));
}

inline double log_mean_of_exp(const std::vector<double>& logs) {
  double sum = 0.0;
  for (const double value : logs) {
    sum += std::exp(value);
  }
  return std::log(sum / static_cast<double>(logs.size()));
}

class PredictCli : public Cli {
 protected:
  [[nodiscard]] std::vector<ChainDraws> chains() const {
    return {draws("out/chain-1.csv"), draws("out/chain-2.csv")};
  }
  [[nodiscard]] Outcome predict(const std::string& data, const Words& options = {}) const {
    return run(Words{"predict", "out", data} + options);
  }
  [[nodiscard]] CsvTable predicted(const std::string& data, const Words& options = {}) const {
    const Outcome outcome = predict(data, options);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? read_plain_csv(outcome.out) : CsvTable{};
  }
};

}  // namespace flymc::testing
