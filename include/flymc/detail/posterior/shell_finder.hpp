// In which shell a position lies: by its distance from the anchor in the posterior norm, and by how
// far predictors that are the same for all data have moved. Of these, u_c = delta_c with covariance
// C in the posterior metric, w = L^-1 u_c, L L' = C, is the w of every row's region.
#pragma once

#include "flymc/dataset.hpp"
#include "flymc/detail/core/linalg.hpp"
#include "flymc/detail/posterior/tangents.hpp"
#include "flymc/posterior/frame.hpp"

namespace flymc {

class ShellFinder {
 public:
  // The shells outlive it.
  ShellFinder(const Tangents& tangents, const Dataset& data, const Frame& frame);

  // `norm` of zeta, see Frame::posterior_norm.
  [[nodiscard]] int shell(const Vector& zeta, double norm) const noexcept;

 private:
  const Shells& shells_;
  Matrix shared_;  // w = shared zeta
};

}  // namespace flymc
