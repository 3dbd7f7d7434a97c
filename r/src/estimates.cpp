#include "estimates.hpp"

#include <array>
#include <span>

#include "flymc/diagnose/summary.hpp"
#include "glue.hpp"

namespace flymc::r {

SEXP estimate_draws(SEXP draws) {
  return called([&]() -> SEXP {
    const int* const shape = INTEGER(Rf_getAttrib(draws, R_DimSymbol));
    const auto chains = static_cast<std::size_t>(shape[1]);
    const std::size_t size = static_cast<std::size_t>(shape[0]) * chains;
    constexpr int kNumbers = 9;
    cpp11::writable::doubles_matrix<> result(kNumbers, shape[2]);
    for (int p = 0; p < shape[2]; ++p) {
      const std::span values(REAL(draws) + static_cast<std::size_t>(p) * size, size);
      const Estimate e = estimate(Chains(values, chains));
      const std::array<double, kNumbers> numbers = {e.mean, e.sd,       e.mcse_mean, e.q5,  e.q50,
                                                    e.q95,  e.ess_bulk, e.ess_tail,  e.rhat};
      for (int i = 0; i < kNumbers; ++i) {
        result(i, p) = numbers[static_cast<std::size_t>(i)];
      }
    }
    return result;
  });
}

}  // namespace flymc::r
