// Numbers of 113 bits on every processor: references are held to digits that doubles do not have. A
// long double has them on some; on others it has 64.
#pragma once

#include <cfloat>
#include <cmath>
#include <limits>
#include <type_traits>

#if LDBL_MANT_DIG < 113
#include <boost/multiprecision/float128.hpp>
#endif

namespace flymc::unit {

#if LDBL_MANT_DIG < 113
using Real = boost::multiprecision::float128;
namespace real_functions = boost::multiprecision;
// Boost's own want the compiler's extensions to the language.
inline Real erfc(const Real& x) { return Real(erfcq(x.backend().value())); }
inline Real expm1(const Real& x) { return Real(expm1q(x.backend().value())); }
inline Real lgamma(const Real& x) { return Real(lgammaq(x.backend().value())); }
inline Real log1p(const Real& x) { return Real(log1pq(x.backend().value())); }
#else
using Real = long double;
namespace real_functions = std;
#endif
static_assert(std::numeric_limits<Real>::digits >= 113);

// Of a double or a Real.
#define FLYMC_OF_BOTH(name) \
  using std::name;          \
  using real_functions::name;
FLYMC_OF_BOTH(abs)
FLYMC_OF_BOTH(atan)
FLYMC_OF_BOTH(cos)
FLYMC_OF_BOTH(exp)
FLYMC_OF_BOTH(floor)
FLYMC_OF_BOTH(isfinite)
FLYMC_OF_BOTH(isnan)
FLYMC_OF_BOTH(log)
FLYMC_OF_BOTH(pow)
FLYMC_OF_BOTH(sqrt)
FLYMC_OF_BOTH(tanh)
#undef FLYMC_OF_BOTH
using std::erfc;
using std::expm1;
using std::lgamma;
using std::log1p;

inline const Real kPi = 4 * atan(Real{1});
static_assert(std::is_same_v<decltype(4 * atan(Real{1})), Real>);  // not C's, of a double

}  // namespace flymc::unit
