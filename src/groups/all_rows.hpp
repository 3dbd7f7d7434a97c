// All rows at given coefficients, for moves with the coins summed out: the log likelihood, which is
// what rows add then, and every coin thrown anew where such a move has ended.
//
// Predictors of fixed effects are those of folded coefficients, as in every pass over all rows.
//
// Given all else coins are independent, dark with probability e^-h, h = gap + slack (a local bound
// whose level is outside: slack). So a Poisson process along the rows, of rate h in each, hits just
// the bright ones. Of a log-concave likelihood a gap is at most that of a straight line, k u^2/2: a
// process of that rate is thinned, and only the rows that it hits are looked at.
// See docs/method/groups.md, Coins summed out.
#pragma once

#include "groups/group_target.hpp"

namespace flymc {

class AllRows {
 public:
  // REQUIRES: the target outlives this.
  explicit AllRows(GroupTarget& target);

  // What follows is at these fixed effects. REQUIRES: a log-concave model, no shared parameters.
  void hold(const FixedEffects& fixed);
  [[nodiscard]] double log_likelihood(const Buffer<double>& du);
  // The bright rows, ascending.
  [[nodiscard]] std::span<const Datum> throw_coins(const GroupCoefficients& at, Stream& stream);

 private:
  void set_levels(const Buffer<double>& du);
  // Predictors of a block.
  void predict(RowRange range);
  template <class Visit>
  void for_blocks(const Visit& visit) const;

  GroupTarget& target_;
  const GroupProblem& problem_;
  const GroupBounds& bounds_;
  Matrix folded_;
  Buffer<double> fixed_;  // predictors without levels, one a row
  Buffer<double> u_;      // of levels
  Buffer<Datum> bright_;
  // Of a block.
  Buffer<double> raw_;
  Buffer<double> w_;
  Buffer<double> eta_;
  struct Hit {
    Datum row = 0;
    double most = 0.0;  // rate of the process that is thinned
    double times = 0.0;
    bool constant = false;
  };
  std::vector<Hit> hits_;
};

}  // namespace flymc
