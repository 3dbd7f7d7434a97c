// Special functions the standard library lacks.
#pragma once

namespace flymc {

// Phi^-1(p), the standard normal quantile, to about 1e-16 relative error: algorithm AS 241 (PPND16)
// of Wichura (1988), as in R's qnorm. p = 0 and 1 give -inf and +inf; outside [0, 1] and NaN give
// NaN.
[[nodiscard]] double normal_quantile(double p) noexcept;

// log |Gamma(x)|. std::lgamma writes a global: it is not for threads.
[[nodiscard]] double log_gamma(double x) noexcept;

// log Phi(y), the log of the standard normal distribution function, and what its derivatives are
// made of: with m = Phi'(y) / Phi(y), the inverse Mills ratio,
//     (log Phi)' = m,   -(log Phi)'' = m (y + m).
// Relative error below 1e-15, of `excess` 5e-15, as long as nothing underflows. Not NaN unless y
// is. `excess` is there because y + m, formed by the caller, cancels on the left.
struct LogNormalCdf {
  double value;   // log Phi(y)
  double slope;   // m(y) > 0, about -y far on the left
  double excess;  // y + m(y) > 0, about -1/y far on the left
};
[[nodiscard]] LogNormalCdf log_normal_cdf(double y) noexcept;

}  // namespace flymc
