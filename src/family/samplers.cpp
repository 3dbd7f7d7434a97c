#include "flymc/detail/family/samplers.hpp"

#include <fmt/format.h>

#include <cmath>

#include "flymc/error.hpp"

namespace flymc {

double sample_t(Stream& stream, double nu) noexcept {
  const double normal = stream.normal();
  return normal / std::sqrt(stream.gamma(0.5 * nu) / (0.5 * nu));
}

double sample_count(Stream& stream, double mean) {
  constexpr double kGreatestMean = 1e15;  // the count stays below 2^53
  if (!(mean <= kGreatestMean)) {
    throw Error(ErrorKind::kUsage, fmt::format("a row has a mean count of {:.3g}", mean));
  }
  return static_cast<double>(stream.poisson(mean));
}

}  // namespace flymc
