// A table as it was read: numeric features in row-major order, one response, nothing transformed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "flymc/core/buffer.hpp"

namespace flymc {

// The observed values. Where the file holds text, `labels` are its distinct values in sort order
// and `values[n]` is the index of row n's label; where it holds numbers, `labels` is empty.
struct Response {
  std::string name{};
  std::vector<double> values{};
  std::vector<std::string> labels{};
};

// REQUIRES: x.size() == rows * columns.size(); every number finite; weights, offset and trials
// empty or of length rows; weights >= 0.
struct Table {
  std::size_t rows = 0;
  std::vector<std::string> columns{};  // names of the features
  Buffer<double> x{};                  // row-major, rows x columns
  Response response{};
  std::vector<double> weights{};
  std::vector<double> offset{};
  std::vector<double> trials{};  // of a binomial response, as read
  std::size_t left_out = 0;      // rows of the file that are not here
};

}  // namespace flymc
