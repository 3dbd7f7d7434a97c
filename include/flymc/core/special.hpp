// Special functions the standard library lacks.
#pragma once

namespace flymc {

// Phi^-1(p), the standard normal quantile, to about 1e-16 relative error: algorithm AS 241 (PPND16)
// of Wichura (1988), as in R's qnorm. p = 0 and 1 give -inf and +inf; outside [0, 1] and NaN give
// NaN.
[[nodiscard]] double normal_quantile(double p) noexcept;

}  // namespace flymc
