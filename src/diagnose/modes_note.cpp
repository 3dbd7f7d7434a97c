#include "diagnose/modes_note.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/text.hpp"
#include "flymc/detail/core/numeric.hpp"

namespace flymc {

std::string modes_note(const std::vector<double>& nats) {
  if (nats.size() < 2) {
    return "";
  }
  std::vector<double> visited;
  double mass = 0.0;
  for (const double below : nats) {
    if (below <= kNatsThatMatter) {
      visited.push_back(std::exp(-below));
      mass += visited.back();
    }
  }
  if (visited.size() == 1) {
    return fmt::format(
        "The posterior has {}, {:.0f} nats below the best (e^-{:.0f} of its mass): "
        "the draws are of the best.",
        nats.size() == 2 ? std::string("another mode")
                         : fmt::format("{} other modes, the next", nats.size() - 1),
        nats[1], nats[1]);
  }
  std::string shares;
  for (std::size_t k = 0; k < visited.size(); ++k) {
    const double percent = 100.0 * visited[k] / mass;
    shares += (k == 0                    ? ""
               : k + 1 == visited.size() ? " and "
                                         : ", ") +
              (percent < 0.1 ? std::string("less than 0.1") : fmt::format("{:.2g}", percent)) +
              " %";
  }
  return fmt::format(
      "The posterior has {} modes, of about {} of its mass: chains start in all of "
      "them and jump between them.",
      visited.size(), shares);
}

}  // namespace flymc
