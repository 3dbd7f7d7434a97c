// Independent priors on the coordinates of theta: normal, Laplace (double exponential) or flat.
// See docs/method/families.md, Priors.
#pragma once

#include <vector>

#include "flymc/detail/core/linalg.hpp"
#include "flymc/random.hpp"

namespace flymc {

enum class PriorKind { kNormal, kLaplace, kFlat };

struct PriorTerm {
  PriorKind kind = PriorKind::kNormal;
  double location = 0.0;
  double scale = 1.0;  // normal: standard deviation; Laplace: b in exp(-|t|/b)
};

// Immutable; all functions are O(dimension), allocate nothing and leave out constants.
class Prior {
 public:
  explicit Prior(std::vector<PriorTerm> terms);  // throws where a scale is not positive and finite

  [[nodiscard]] Index dimension() const noexcept { return static_cast<Index>(terms_.size()); }
  [[nodiscard]] const std::vector<PriorTerm>& terms() const noexcept { return terms_; }
  [[nodiscard]] Vector location() const;
  [[nodiscard]] bool has_laplace() const noexcept;  // false: the log prior is a parabola
  [[nodiscard]] bool has_flat() const noexcept;     // true: improper by itself

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
