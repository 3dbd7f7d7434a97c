// Whether a run can be trusted to predict, in numbers: what src/check makes of rows and draws.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace flymc {

struct CalibrationBin {
  double given = 0.0;
  double share = 0.0;
  double sd = 0.0;   // of the share, if what is given is right,
  double low = 0.0;  // and where it then falls in 9 of 10 cases
  double high = 0.0;
  double weight = 0.0;
};

// A number for every draw: its mean, and where it lies for rows of the same kind, as far as draws
// and rows can tell; beside them what no columns at all would give.
struct Score {
  std::string name{};
  double mean = 0.0;
  double lower = 0.0;
  double upper = 0.0;
  double without = 0.0;  // NaN: there is no such number
};

// How often a count came, and how often it should have.
struct CountBar {
  double observed = 0.0;
  double expected = 0.0;
};

struct ResidualCheck {
  std::vector<double> bins{};  // twenty: the share of rows whose residual falls there
  double distance = 0.0;       // the largest between the share of residuals below u, and u
  double by_chance = 0.0;      // that 999 of 1,000 tables of as many rows stay below
  double within_50 = 0.0;      // share of rows inside the central interval of half the responses,
  double within_95 = 0.0;      // of 95 %
};

struct PredictiveCheck {
  std::vector<Score> scores{};
  std::vector<CalibrationBin> calibration{};  // of classes
  ResidualCheck residuals{};                  // of numbers and counts
  std::vector<CountBar> counts{};             // of counts, 0, 1, ...
};

enum class CheckedRows { kFitted, kHeldOut, kOther };

// What the numbers say.
struct Verdict {
  bool fits = true;
  std::string words;
};

struct CheckedRun {
  std::string folder;  // as messages show it
  std::string model;
  CheckedRows which = CheckedRows::kFitted;
  std::size_t rows = 0;
  std::size_t rows_of = 0;  // that they were taken from, at random
  std::size_t draws = 0;
  double prob = 0.95;
  PredictiveCheck check;
  Verdict verdict;
  std::vector<std::string> notes;
};

}  // namespace flymc
