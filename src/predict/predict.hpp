// `predict`: the posterior predictive of new rows, written as they are made.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "predict/new_data.hpp"

namespace flymc {

struct PredictOptions {
  std::string folder;  // of the run
  NewData data;
  std::string out = "-";
  bool overwrite = false;
  bool quiet = false;
  std::size_t draws = 0;         // at most so many; 0: all
  std::optional<double> prob{};  // of the interval; none: 0.9, and none of class probabilities
  bool predictive = false;       // of a new response; of classes which, and how often each
  std::string id{};              // a column to write before each line; empty: none
  std::string draws_out{};       // of the new responses, a column a draw; empty: none
};

// One line a row of the table, in its order, NA where it cannot be predicted (Missing::kKeep), or
// none (kDrop); what a user should know goes to standard error. Memory: the draws, the rows that
// are read at a time (RowBlocks), and a few blocks of rows a thread; never rows x draws. A mistake
// far down the rows is found when they are reached: standard output has the rows before it then, a
// file is not left behind. THROWS Error as read_run_draws, NewRows and StagedFile.
void predict(const PredictOptions& options);

}  // namespace flymc
