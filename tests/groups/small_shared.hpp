// Three levels, as small_groups.hpp, of counts of unknown size, or of Student's t of unknown scale.
#pragma once

#include "flymc/family/negative_binomial.hpp"
#include "flymc/family/student_t.hpp"
#include "groups/small_groups.hpp"

namespace flymc::test {

inline constexpr double kNu = 4.0;

enum class Kind { kSize, kScale };

// The law of e^alpha: of a size gamma(2, 1/2), of a scale exponential(1).
inline PriorTerm law_of(Kind kind) {
  return kind == Kind::kSize ? PriorTerm{.kind = PriorKind::kGamma, .scale = 2.0, .shape = 2.0}
                             : PriorTerm{.kind = PriorKind::kExponential, .scale = 1.0};
}
inline double log_prior_of_shared(Kind kind, double alpha) {
  const double value = std::exp(alpha);
  return kind == Kind::kSize ? 2.0 * alpha - 0.5 * value : alpha - value;
}
// Written down again, with libm's own log Gamma.
inline double log_likelihood(Kind kind, double eta, double alpha, double y) {
  const double value = std::exp(alpha);
  if (kind == Kind::kSize) {
    const double mean = std::exp(eta);
    return std::lgamma(y + value) - std::lgamma(value) + value * alpha + y * eta -
           (y + value) * std::log(value + mean);
  }
  const double off = (y - eta) / value;
  return -0.5 * (kNu + 1.0) * std::log1p(off * off / kNu) - alpha;
}

template <class M>
SmallGroups shared_problem(const M& model, Kind kind,
                           const std::function<double(Stream&, double)>& respond) {
  return {std::make_unique<MatrixRowModel>(std::make_shared<MatrixModelOf<M>>(model)), respond, 5,
          SharedLaws{.laws = {law_of(kind)}}};
}
inline SmallGroups make_small_shared(Kind kind) {
  if (kind == Kind::kSize) {
    return shared_problem(NegativeBinomialSize{}, kind, [](Stream& stream, double eta) {
      return NegativeBinomial{2.0}.sample(stream, eta, Sampling{});
    });
  }
  return shared_problem(StudentTScale(kNu), kind, [](Stream& stream, double eta) {
    return StudentT(kNu, 0.6).sample(stream, eta, Sampling{});
  });
}

}  // namespace flymc::test
