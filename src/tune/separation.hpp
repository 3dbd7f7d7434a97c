// Separable data: some direction d has x_n.d on the open side of every row, and beyond 0 for one.
// Then the likelihood only rises along d, and with a flat prior there is no posterior.
// See docs/method/families.md, Priors.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "flymc/dataset.hpp"
#include "flymc/detail/posterior/tangents.hpp"
#include "flymc/detail/tune/newton.hpp"
#include "flymc/family/prior.hpp"
#include "flymc/family/response.hpp"

namespace flymc {

// Design columns (0 is the intercept, where there is one; it is not named) that make up a
// separating direction; empty where there is none. Newton from zero on `pass`, whose likelihood has
// these open sides: without such a direction it converges; else its steps turn into one, which is
// then checked row by row, so that a positive answer is a proof. REQUIRES: columns of full rank;
// one side a row held here. About 10 to 40 passes.
[[nodiscard]] std::vector<std::size_t> separating_columns(const Dataset& data,
                                                          std::span<const OpenSide> sides,
                                                          const LikelihoodPass& pass);

// A table of classes, or of successes of trials.
struct ClassTable {
  const Dataset& data;
  ResponseKind kind;
  int predictors = 1;
  unsigned threads = 0;
};

// What a first look at the mode found.
struct ModeFacts {
  Matrix precision;        // of the posterior
  double step = 0.0;       // from the point of that precision to the mode, in its norm
  Vector gradient;         // of the log likelihood at the mode
  double leverage = 0.0;   // the largest of a row held here
  double predictor = 0.0;  // the same
};
[[nodiscard]] ModeFacts mode_facts(const Anchor& mode, double step, const Vector& gradient,
                                   const TouchRows& rows);

// Whether the point at which the tangents touch has every row on its own side.
[[nodiscard]] bool separates_at_touch(const ClassTable& table, const Tangents& tangents);

// A proof from the mode alone, without a look at the rows, that no direction separates the classes
// (docs/method/families.md, Priors). `grows`: the information of a row may be larger than its
// slope, by its predictor.
[[nodiscard]] bool excludes_separation(const ClassTable& table, const Prior& prior,
                                       const ModeFacts& mode, bool grows);

// Whether a direction separates the classes: with several predictors, one that moves no other class
// above a row's own. Newton seeks it on some rows, those of the greatest leverage first (`tangents`
// null: spread evenly), and rows that it breaks join them. A positive answer is checked on every
// row, so that it is a proof. False, too, where there are more than 2,000 parameters.
[[nodiscard]] bool is_separable_table(const ClassTable& table, const Tangents* tangents);

}  // namespace flymc
