// Independent priors on the coordinates of theta: normal, Laplace (double exponential) or flat; and
// for a coordinate t that is the logarithm of a positive parameter s, or the logit of a share, laws
// of the parameter itself, here as densities of t. All are log-concave in t.
// See docs/method/families.md, Priors.
#pragma once

#include <optional>
#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/random.hpp"

namespace flymc {

enum class PriorKind {
  kNormal,
  kLaplace,
  kFlat,
  // Of s = e^t:
  kExponential,   // mean `scale`
  kHalfNormal,    // standard deviation of the whole normal `scale`
  kHalfT,         // `shape` degrees of freedom; half-Cauchy with 1
  kGamma,         // `shape`, rate 1 / `scale`
  kInverseGamma,  // `shape`, scale `scale`
  kUniform,       // on all of (0, inf): improper
  // Of s = 1 / (1 + e^-t):
  kUniformShare,
};

struct PriorTerm {
  PriorKind kind = PriorKind::kNormal;
  double location = 0.0;          // of other laws than normal and Laplace: where to begin a search
  double scale = 1.0;             // normal: standard deviation; Laplace: b in exp(-|t|/b)
  double shape = 1.0;             // normal and Laplace have none
  std::optional<double> start{};  // where to begin a search; none: the location
};

// Whether it is the law of s, a function of t.
[[nodiscard]] constexpr bool is_natural(PriorKind kind) noexcept { return kind > PriorKind::kFlat; }

// Immutable; all functions are O(dimension), allocate nothing and leave out constants.
class Prior {
 public:
  explicit Prior(std::vector<PriorTerm> terms);  // throws where a scale is not positive and finite

  [[nodiscard]] Index dimension() const noexcept { return static_cast<Index>(terms_.size()); }
  [[nodiscard]] const std::vector<PriorTerm>& terms() const noexcept { return terms_; }
  [[nodiscard]] Vector location() const;
  [[nodiscard]] Vector start() const;               // of a search
  [[nodiscard]] bool is_parabola() const noexcept;  // normal and flat terms alone
  [[nodiscard]] bool has_flat() const noexcept;     // or a uniform one: improper by itself

  [[nodiscard]] double log_density(const Vector& theta) const noexcept;
  void add_gradient(const Vector& theta, Vector& gradient) const noexcept;

  // The same with |t| replaced by sqrt(t^2 + smoothing_j^2) in Laplace terms, and the diagonal of
  // minus the Hessian: what a Newton search climbs.
  [[nodiscard]] double smooth_log_density(const Vector& theta,
                                          const Vector& smoothing) const noexcept;
  void add_smooth_derivatives(const Vector& theta, const Vector& smoothing, Vector& gradient,
                              Vector& precision) const noexcept;

  // One draw; flat coordinates, which have no law to draw from, are left at their location.
  void sample(Stream& stream, Vector& theta) const noexcept;

 private:
  std::vector<PriorTerm> terms_;
};

}  // namespace flymc
