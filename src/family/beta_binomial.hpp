// Beta-binomial regression: successes s of m trials whose chance is itself drawn, with mean
// p = 1 / (1 + e^-mu) and precision f = e^phi: shape parameters a = p f and b = (1 - p) f. With
// x^(n) = Gamma(x + n) / Gamma(x),
//     L = a^(s) b^(m-s) / f^(m),
// and the binomial coefficient is left out. The variance of s is m p (1 - p) (f + m) / (f + 1): a
// binomial as f grows. The text reads s and m off the tally y (flymc/family/response.hpp).
#pragma once

#include <cmath>

#include "family/auto/typed_density.hpp"
#include "flymc/detail/core/numeric.hpp"
#include "flymc/family/binomial.hpp"
#include "flymc/family/family.hpp"

namespace flymc {

class BetaBinomial : public Typed<2> {
 public:
  BetaBinomial()
      : Typed(
            "m = floor(y / 67108864); s = y - 67108864*m; f = exp(phi);"
            "lrising(sigmoid(mu)*f, s) + lrising(sigmoid(-mu)*f, m - s) - lrising(f, m)",
            {"mu", "phi"}) {}

  static constexpr const char* kWord = "beta-binomial";
  static constexpr ResponseKind kResponse = ResponseKind::kTallies;
  static constexpr const char* kLink = "logit";
  static constexpr Auxiliary kAuxiliaries[] = {concentration("phi", 10.0, 1.5, "a binomial")};

  // Of one trial.
  [[nodiscard]] double mean(const double* eta) const noexcept { return sigmoid(eta[0]); }
  // Of the share of successes.
  [[nodiscard]] double spread(const double* eta, double trials) const noexcept {
    const double f = std::exp(eta[1]);
    return Binomial{}.spread(sigmoid(eta[0]), trials) * std::sqrt((f + trials) / (f + 1.0));
  }
  [[nodiscard]] double log_constant(double response, double /*trials*/) const noexcept {
    const Tally tally = Tally::of(response);
    return Binomial{}.log_constant(tally.share(), tally.trials);
  }
  [[nodiscard]] static OpenSide open_side(double response) noexcept {
    return Binomial::open_side(Tally::of(response).share());
  }
  // Polya's urn: every outcome makes its like more likely.
  [[nodiscard]] double sample(Stream& stream, const double* eta,
                              const Sampling& how) const noexcept {
    if (how.certain) {
      return Binomial{}.sample(stream, eta[0], how);
    }
    const double p = sigmoid(eta[0]);
    const double weight = std::exp(-eta[1]);  // of one outcome beside the beginning
    double successes = 0.0;
    for (double trial = 0.0; trial < how.trials; trial += 1.0) {
      const double chance = (p + weight * successes) / (1.0 + weight * trial);
      successes += stream.uniform() < chance ? 1.0 : 0.0;
    }
    return successes;
  }
};

static_assert(BoundedMatrix<BetaBinomial>);

}  // namespace flymc
