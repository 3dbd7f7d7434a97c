// Three levels, as small_groups.hpp, or two factors, as small_crossed.hpp, of counts of unknown
// size, or of Student's t of unknown scale.
#pragma once

#include <map>

#include "groups/small_crossed.hpp"
#include "groups/small_groups.hpp"

namespace flymc::test {

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
// Written down again, with libm's own log Gamma: of a response y at alpha, for any eta.
class LikelihoodAt {
 public:
  LikelihoodAt(Kind kind, double alpha, double y) : kind_(kind), value_(std::exp(alpha)), y_(y) {
    constant_ = kind == Kind::kSize ? std::lgamma(y + value_) - std::lgamma(value_) + value_ * alpha
                                    : -alpha;
  }
  [[nodiscard]] double operator()(double eta) const {
    if (kind_ == Kind::kSize) {
      return constant_ + y_ * eta - (y_ + value_) * std::log(value_ + std::exp(eta));
    }
    const double off = (y_ - eta) / value_;
    return constant_ - 0.5 * (kNu + 1.0) * std::log1p(off * off / kNu);
  }

 private:
  Kind kind_;
  double value_;
  double y_;
  double constant_ = 0.0;
};
inline double log_likelihood(Kind kind, double eta, double alpha, double y) {
  return LikelihoodAt(kind, alpha, y)(eta);
}

inline std::unique_ptr<RowModel> shared_model(Kind kind) {
  if (kind == Kind::kSize) {
    return std::make_unique<MatrixRowModel>(
        std::make_shared<MatrixModelOf<NegativeBinomialSize>>(NegativeBinomialSize{}));
  }
  return std::make_unique<MatrixRowModel>(
      std::make_shared<MatrixModelOf<StudentTScale>>(StudentTScale(kNu)));
}
inline double shared_response(Kind kind, Stream& stream, double eta) {
  return kind == Kind::kSize ? NegativeBinomial{2.0}.sample(stream, eta, Sampling{})
                             : StudentT(kNu, kScaleOfT).sample(stream, eta, Sampling{});
}
inline SmallGroups make_small_shared(Kind kind) {
  return {shared_model(kind),
          [=](Stream& stream, double eta) { return shared_response(kind, stream, eta); }, false,
          SharedLaws{.laws = {law_of(kind)}}};
}
inline SmallCrossed make_small_shared(Kind kind, Design design) {
  return {design,
          shared_model(kind),
          [=](Stream& stream, double eta) { return shared_response(kind, stream, eta); },
          {},
          SharedLaws{.laws = {law_of(kind)}}};
}

inline constexpr std::size_t kSharedMoments = 11;
using SharedMoments = std::array<double, kSharedMoments>;
inline SharedMoments shared_moments_at(double beta, const double* u, double psi, double alpha,
                                       double u0_squared) {
  return {beta,      u[0],       u[2],          psi,          alpha,      beta * beta,
          psi * psi, u0_squared, alpha * alpha, alpha * beta, alpha * psi};
}
inline SharedMoments shared_moments_of(const Vector& theta) {
  return shared_moments_at(theta[0], theta.data() + 1, theta[4], theta[5], theta[1] * theta[1]);
}

// By the trapezoidal rule over (beta, psi, alpha), for each over every level.
inline SharedMoments make_shared_quadrature(Kind kind, const SmallGroups& small) {
  constexpr int kBetas = 41, kPsis = 61, kAlphas = 45, kNodes = 51;
  SharedMoments sum{};
  double total = 0.0;
  for (int ia = 0; ia < kAlphas; ++ia) {
    const double low = kind == Kind::kSize ? -7.0 : -4.5, high = kind == Kind::kSize ? 4.5 : 2.5;
    const double alpha = low + (high - low) * ia / (kAlphas - 1);
    std::vector<LikelihoodAt> likelihood;
    for (std::size_t n = 0; n < small.data.rows(); ++n) {
      likelihood.emplace_back(kind, alpha, small.data.response(n));
    }
    for (int ip = 0; ip < kPsis; ++ip) {
      const double psi = -8.0 + 9.8 * ip / (kPsis - 1);
      const double tau = std::exp(psi);
      for (int ib = 0; ib < kBetas; ++ib) {
        const double beta = -6.5 + 13.0 * ib / (kBetas - 1);
        double log_weight = -0.5 * tau * tau + psi + log_prior_of_shared(kind, alpha) -
                            0.5 * beta * beta / (SmallGroups::kBetaSd * SmallGroups::kBetaSd);
        double first[3]{}, second[3]{};
        for (std::size_t g = 0; g < 3; ++g) {
          double zeroth = 0.0, most = -1e300, log_density[kNodes];
          for (int k = 0; k < kNodes; ++k) {
            const double v = -6.0 + 12.0 * k / (kNodes - 1);
            log_density[k] = -0.5 * v * v;
            for (const std::size_t n : small.grouping.rows(g)) {
              log_density[k] += likelihood[n](beta + tau * v + small.data.offset(n));
            }
            most = std::max(most, log_density[k]);
          }
          for (int k = 0; k < kNodes; ++k) {
            const double u = tau * (-6.0 + 12.0 * k / (kNodes - 1));
            const double density = std::exp(log_density[k] - most);
            zeroth += density;
            first[g] += density * u;
            second[g] += density * u * u;
          }
          log_weight += std::log(zeroth) + most;
          first[g] /= zeroth;
          second[g] /= zeroth;
        }
        const double weight = std::exp(log_weight + (kind == Kind::kSize ? 0.0 : 10.0));
        const SharedMoments here = shared_moments_at(beta, first, psi, alpha, second[0]);
        for (std::size_t i = 0; i < kSharedMoments; ++i) {
          sum[i] += weight * here[i];
        }
        total += weight;
      }
    }
  }
  for (double& moment : sum) {
    moment /= total;
  }
  return sum;
}

// Of make_small_shared(kind), made once.
inline const SharedMoments& shared_quadrature(Kind kind) {
  static std::map<Kind, SharedMoments> known;
  if (!known.contains(kind)) {
    known[kind] = make_shared_quadrature(kind, make_small_shared(kind));
  }
  return known[kind];
}

}  // namespace flymc::test
