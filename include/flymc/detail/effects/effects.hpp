// What inputs of a model do to its expected response on average over rows, as found for every draw
// (src/effects/average_effects.hpp has the equations).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace flymc {

// A number for every draw, in words: mean, standard deviation, interval, P(> 0).
struct DrawSummary {
  double mean = 0.0;
  double sd = 0.0;
  double lower = 0.0;
  double upper = 0.0;
  double prob_positive = 0.0;
};

struct AverageEffect {
  std::string column{};
  std::string level{};  // against the reference; empty: of one more of a number
  std::string reference{};
  double column_sd = 0.0;  // of a number
  std::vector<DrawSummary> outcomes{};
  std::size_t skipped = 0;  // rows at which a function of the formula has no derivative
};

struct CurvePoint {
  double at = 0.0;
  std::string level{};  // of a category or a flag
  std::vector<DrawSummary> outcomes{};
};

struct EffectCurve {
  std::string column{};
  bool has_levels = false;
  std::vector<CurvePoint> points{};
  std::size_t skipped = 0;  // rows that have no number at some point
};

struct Effects {
  std::string folder;  // as messages show it
  std::string model;
  std::vector<std::string> outcomes;  // what changes: "the probability of y = yes"; one a class
  double prob = 0.95;
  std::size_t rows = 0;
  std::size_t rows_of = 0;  // that they were taken from, at random
  std::size_t draws = 0;
  std::vector<AverageEffect> effects;
  std::vector<EffectCurve> curves;
  std::vector<std::string> notes;  // what a user should know
};

}  // namespace flymc
