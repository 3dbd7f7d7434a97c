// A kernel that also moves between the modes of a posterior: after every step of the kernel within
// a mode, one independence step with proposals from a mixture over all of them,
//   Q(zeta) = sum_k w_k t_4(zeta; m_k, (F' H_k F)^-1),
// accepted with probability min(1, p(zeta') Q(zeta) / (p(zeta) Q(zeta'))). Q is fixed at set-up and
// has heavier tails than the posterior; both steps leave p invariant, so their sequence does.
// See docs/method/engine.md, More than one mode.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "flymc/kernel/theta_kernel.hpp"
#include "flymc/posterior/anchor.hpp"
#include "flymc/posterior/frame.hpp"

namespace flymc {

class ModeMixture {
 public:
  ModeMixture(std::span<const Mode> modes, const Frame& frame);

  void draw(Stream& stream, Vector& zeta) noexcept;
  // Up to a constant.
  [[nodiscard]] double log_density(const Vector& zeta) noexcept;

 private:
  static constexpr double kTails = 4.0;  // degrees of freedom

  struct Component {
    double weight = 0.0;
    double log_factor = 0.0;  // log w_k + log |det R_k|, R_k R_k' = F' H_k F
    Vector centre;
    Matrix root;      // R_k
    Matrix deviates;  // R_k^-T
  };
  std::vector<Component> components_;
  std::vector<double> logs_;
  Vector scratch_;
};

class ModeJumps final : public ThetaKernel {
 public:
  ModeJumps(std::unique_ptr<ThetaKernel> within, std::span<const Mode> modes, const Frame& frame);

  [[nodiscard]] Adapts adapts() const noexcept override { return within_->adapts(); }
  [[nodiscard]] Order order() const noexcept override { return within_->order(); }
  [[nodiscard]] double target_accept_prob() const noexcept override {
    return within_->target_accept_prob();
  }
  [[nodiscard]] double initial_step_size() const noexcept override {
    return within_->initial_step_size();
  }
  // What it tells is the step within: that is what warm-up adapts.
  ThetaInfo step(Density& density, Point& current, const Tuning& tuning, Stream& stream) override;

 private:
  std::unique_ptr<ThetaKernel> within_;
  ModeMixture mixture_;
  Point proposal_;
};

}  // namespace flymc
