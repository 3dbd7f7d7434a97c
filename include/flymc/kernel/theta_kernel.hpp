// A theta-update: one Markov transition that leaves a density invariant, in frame coordinates.
//
// A kernel owns its scratch and nothing else: what warm-up adapts is a value, Tuning, handed in
// const, so a kernel cannot adapt itself. The same kernel runs on the joint density and on the full
// posterior.
// See docs/method/paper.md, Updates of theta given z.
#pragma once

#include <memory>

#include "flymc/posterior/density.hpp"
#include "flymc/posterior/frame.hpp"
#include "flymc/random.hpp"

namespace flymc {

// Everything warm-up adapts. Frozen, and const, once draws count.
struct Tuning {
  double step_size = 1.0;        // random walk: sd; Langevin, HMC: step; slice: width
  double dark_to_bright = 0.01;  // q of the implicit z-update
  int kicks = 2;                 // of split HMC's trajectory
};

struct ThetaInfo {
  double accept_prob = 1.0;
  bool accepted = true;
  double moved = 0.0;  // distance in zeta
};

class ThetaKernel {
 public:
  virtual ~ThetaKernel() = default;

  // What warm-up adapts: a step size towards an acceptance probability, or towards the distance
  // moved (slice), the number of kicks (split HMC), or nothing.
  enum class Adapts { kAcceptance, kDistance, kKicks, kNothing };
  [[nodiscard]] virtual Adapts adapts() const noexcept { return Adapts::kAcceptance; }

  [[nodiscard]] virtual Order order() const noexcept = 0;
  [[nodiscard]] virtual double target_accept_prob() const noexcept { return 0.0; }
  [[nodiscard]] virtual double initial_step_size() const noexcept { return 1.0; }

  // REQUIRES: `current` was evaluated with order(). On return it is the new position, evaluated.
  // Allocates nothing once the number of bright data has been as large before.
  virtual ThetaInfo step(Density& density, Point& current, const Tuning& tuning,
                         Stream& stream) = 0;
};

enum class KernelKind { kSplitHmc, kHmc, kMala, kRandomWalk, kSlice, kElliptical, kIndependence };

// The kernel with what suits the frame: lengths of trajectories in its units, the Laplace
// approximation it was made of.
[[nodiscard]] std::unique_ptr<ThetaKernel> make_theta_kernel(KernelKind kind, const Frame& frame);

// Metropolis-Hastings: swaps the proposal in with probability min(1, e^log_ratio).
[[nodiscard]] ThetaInfo metropolis(Point& current, Point& proposal, double log_ratio,
                                   Stream& stream) noexcept;

}  // namespace flymc
