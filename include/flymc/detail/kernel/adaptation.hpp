// Warm-up adaptation: step size towards an acceptance probability (dual averaging, Hoffman & Gelman
// 2014), slice width towards the distance moved, and the implicit update's q so that a sweep
// proposes as many dark data as the theta-update pays queries: bright/N for a kernel of one
// evaluation, a few times that for HMC, whose longer moves want fresher coins. Split HMC has kicks
// in place of a step size: the fewest that accept well, looked at every 40 iterations.
// Only a warm-up chain holds one of these; freezing a chain leaves it behind.
#pragma once

#include <cstdint>

#include "flymc/kernel/theta_kernel.hpp"

namespace flymc {

class Adaptation {
 public:
  struct Options {
    ThetaKernel::Adapts adapts = ThetaKernel::Adapts::kAcceptance;
    double target_accept_prob = 0.8;
    bool adapt_q = true;
    // One dark proposal a sweep on average: a smaller q would let the bright set die out in warm-up
    // and never come back.
    double smallest_q = 1e-6;
  };

  Adaptation(const Options& options, const Tuning& start);

  // What to use in the next warm-up iteration.
  [[nodiscard]] const Tuning& tuning() const noexcept { return tuning_; }
  // What to keep: averages over warm-up, with less noise than the last values.
  [[nodiscard]] Tuning frozen() const noexcept;

  // `query_frac` is the number of queries of the theta-update over the number of data.
  void update(const ThetaInfo& info, double query_frac) noexcept;

  // Forgets the averages but not the current values: called after the chain has found the typical
  // set, so that what it saw on its way there does not count.
  void restart() noexcept;

  // Split HMC only: the most kicks were not enough, acceptance stayed below one half for the last
  // 200 iterations: this engine does not fit this problem.
  [[nodiscard]] bool has_failed() const noexcept;

 private:
  void adapt_to_acceptance(double accept_prob) noexcept;
  void adapt_to_distance(double moved) noexcept;
  void adapt_kicks(double accept_prob) noexcept;

  Options options_;
  Tuning tuning_;
  double centre_ = 0.0;  // log step size that dual averaging shrinks to
  double count_ = 0.0;
  double accept_error_ = 0.0;
  double log_step_average_ = 0.0;
  double moved_average_ = 0.0;
  double query_average_ = 0.0;
  int window_ = 0;  // iterations since the kicks were last looked at
  double window_accept_ = 0.0;
  int windows_at_most_ = 0;  // in a row, with the most kicks and an acceptance below one half
};

}  // namespace flymc
