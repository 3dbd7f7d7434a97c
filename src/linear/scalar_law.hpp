// The law of one number of which the log density is known, up to a constant, and cheap: where it
// is highest, draws of a proposal that is nearly it, and its integral. A proposal is a mixture, one
// Student-t at each maximum,
//
//   g(x) = sum_k share_k t_5((x - mean_k)/width_k)/width_k,   share_k ~ width_k e^f(mean_k),
// whose tails are wider than any that fall as an exponential: Metropolis steps with proposals from
// g get from anywhere to everywhere.
// See docs/method/families.md, Normal by sums.
#pragma once

#include <functional>
#include <vector>

#include "flymc/random.hpp"

namespace flymc {

class ScalarLaw {
 public:
  using LogDensity = std::function<double(double)>;

  // All maxima between `from` and `to` that are a tenth apart. REQUIRES: the log density is a
  // number, or minus infinity, there, and finite somewhere.
  ScalarLaw(const LogDensity& log_density, double from, double to);

  // Where it is highest.
  [[nodiscard]] double top() const noexcept { return modes_.front().mean; }

  [[nodiscard]] double propose(Stream& stream) const noexcept;
  // Up to a constant.
  [[nodiscard]] double log_proposal(double x) const noexcept;

  // log of the integral of e^f, to rounding where tails fall as an exponential.
  [[nodiscard]] double log_integral(const LogDensity& log_density) const;

 private:
  struct Mode {
    double mean = 0.0;
    double width = 1.0;
    double narrow = 1.0;  // of the steeper side
    double share = 1.0;
    double height = 0.0;
  };
  std::vector<Mode> modes_;  // the highest first
};

}  // namespace flymc
