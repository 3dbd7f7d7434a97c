// Columns of a smooth term, as the command line makes them.
#include "smooth.hpp"

#include "flymc/detail/data/table/smooth_basis.hpp"
#include "glue.hpp"

namespace flymc::r {

SEXP smooth_constants_of(SEXP values, SEXP knots) {
  return called([&]() -> SEXP {
    const auto count = static_cast<std::size_t>(cpp11::as_cpp<double>(knots));
    return cpp11::as_sexp(find_smooth_constants(count, numbers(values)));
  });
}

SEXP smooth_values(SEXP values, SEXP knots, SEXP constants) {
  return called([&]() -> SEXP {
    const auto count = static_cast<std::size_t>(cpp11::as_cpp<double>(knots));
    const std::vector<double> own = numbers(constants);
    const std::vector<double> at = numbers(values);
    const std::size_t columns = smooth_columns(count);
    cpp11::writable::doubles all(static_cast<R_xlen_t>(at.size() * columns));
    double* const out = REAL(all.data());
    std::vector<double> row(columns);
    for (std::size_t n = 0; n < at.size(); ++n) {
      set_smooth_basis(count, own, at[n], row.data());
      for (std::size_t j = 0; j < columns; ++j) {
        out[j * at.size() + n] = row[j];
      }
    }
    all.attr("dim") =
        cpp11::writable::integers({static_cast<int>(at.size()), static_cast<int>(columns)});
    return all;
  });
}

}  // namespace flymc::r
