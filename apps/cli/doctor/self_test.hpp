// A fit small enough for quadrature: whether this program, on this machine, samples the posterior
// it claims to sample.
//
//   p(theta | y) ~ exp(-theta^2 / 2) prod_n 1 / (1 + exp(-y_n x_n theta)),   200 rows, one slope.
#pragma once

namespace flymc::cli {

struct SelfTest {
  double mean = 0.0;        // of the draws
  double mcse = 0.0;        // its Monte Carlo standard error
  double quadrature = 0.0;  // the mean without Monte Carlo
  bool same_draws = false;  // on one thread and on all

  // Five standard errors: one machine in two million would be told so without cause, and the draws
  // are the same on all of a kind.
  [[nodiscard]] bool passed() const noexcept;
};

[[nodiscard]] SelfTest run_self_test();

}  // namespace flymc::cli
