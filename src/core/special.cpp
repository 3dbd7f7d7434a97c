#include "flymc/detail/core/special.hpp"

#include <math.h>  // lgamma_r

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace flymc {
namespace {

using Coefficients = std::array<double, 8>;

// A ratio of two polynomials of degree 7, lowest power first.
struct Rational {
  Coefficients numerator;
  Coefficients denominator;

  [[nodiscard]] double operator()(double x) const noexcept {
    double top = numerator.back();
    double bottom = denominator.back();
    for (std::size_t power = numerator.size() - 1; power-- > 0;) {
      top = top * x + numerator[power];
      bottom = bottom * x + denominator[power];
    }
    return top / bottom;
  }
};

// |p - 1/2| <= 0.425, in 0.425^2 - (p - 1/2)^2.
constexpr Rational kCentre = {
    {3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
     45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727},
    {1.0, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077, 21213.794301586595867,
     39307.89580009271061, 28729.085735721942674, 5226.495278852545925}};

// r = sqrt(-log tail) <= 5, in r - 1.6.
constexpr Rational kTail = {
    {1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
     1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833,
     7.7454501427834140764e-4},
    {1.0, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455,
     0.14810397642748007459, 0.0151986665636164571966, 5.475938084995344946e-4,
     1.05075007164441684324e-9}};

// r > 5, in r - 5.
constexpr Rational kFarTail = {
    {6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
     0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5,
     2.01033439929228813265e-7},
    {1.0, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525,
     7.868691311456132591e-4, 1.8463183175100546818e-5, 1.4215117583164458887e-7,
     2.04426310338993978564e-15}};

// 1/r and 1/r - z of the Mills ratio r(z) = (1 - Phi(z)) / Phi'(z), z >= 0.
struct Mills {
  double inverse;
  double excess;
};

// Laplace's continued fraction 1/r - z = 1/(z + 2/(z + 3/(z + ...))). For the last digit it takes
// 38 terms at z = 4, 14 at z = 10, 5 at z = 100.
Mills mills_far(double z) noexcept {
  const int terms = 7 + static_cast<int>(130.0 / z);
  double fraction = z;
  for (int k = terms; k >= 2; --k) {
    fraction = z + k / fraction;
  }
  return {z + 1.0 / fraction, 1.0 / fraction};
}

// r = sqrt(pi/2) e^(w^2) erfc(w), w = z / sqrt 2. The rounding of w cancels, as both factors see
// the same w; that of w^2 is put back.
Mills mills_near(double z) noexcept {
  const double w = z * (0.5 * std::numbers::sqrt2);
  const double square = w * w;
  const double lost = std::fma(w, w, -square);
  constexpr double kRootHalfPi = 1.25331413731550025121;
  const double ratio = kRootHalfPi * std::exp(square) * (1.0 + lost) * std::erfc(w);
  return {1.0 / ratio, 1.0 / ratio - z};
}

Mills mills(double z) noexcept {
  constexpr double kFar = 4.0;
  return z < kFar ? mills_near(z) : mills_far(z);
}

constexpr double kRootTwoPi = 2.50662827463100050242;

// e^(-y^2/2) / sqrt(2 pi), the rounding of y^2 put back: it would grow to y^2 / 2 last digits.
double normal_density(double y) noexcept {
  const double square = y * y;
  const double lost = std::isfinite(square) ? std::fma(y, y, -square) : 0.0;
  return std::exp(-0.5 * square) * (1.0 - 0.5 * lost) / kRootTwoPi;
}

}  // namespace

double log_gamma(double x) noexcept {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

LogNormalCdf log_normal_cdf(double y) noexcept {
  if (y > 0.0) {
    const double density = normal_density(y);
    const double upper = density / mills(y).inverse;  // 1 - Phi(y)
    const double slope = density / (1.0 - upper);
    return {std::log1p(-upper), slope, y + slope};
  }
  const Mills tail = mills(-y);
  return {-0.5 * y * y - std::log(kRootTwoPi * tail.inverse), tail.inverse, tail.excess};
}

double normal_quantile(double p) noexcept {
  const double offset = p - 0.5;
  if (std::abs(offset) <= 0.425) {
    return offset * kCentre(0.425 * 0.425 - offset * offset);
  }
  const double tail = offset < 0.0 ? p : 1.0 - p;
  if (!(tail > 0.0)) {
    return tail == 0.0 ? std::copysign(std::numeric_limits<double>::infinity(), offset)
                       : std::numeric_limits<double>::quiet_NaN();
  }
  const double r = std::sqrt(-std::log(tail));
  const double magnitude = r <= 5.0 ? kTail(r - 1.6) : kFarTail(r - 5.0);
  return std::copysign(magnitude, offset);
}

}  // namespace flymc
