// One Markov chain over (theta, z): a z-update, then a theta-update, per iteration.
//
// WarmupChain adapts its tuning and hands out no draws; freeze() turns it into a Chain, whose
// tuning is const: the type says whether draws are valid. Everything that a restart needs is a
// value, ChainState. Random numbers are addressed by iteration, so a chain continued from its state
// goes on as if it had never stopped.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "flymc/detail/kernel/adaptation.hpp"
#include "flymc/kernel/theta_kernel.hpp"
#include "flymc/kernel/z_kernel.hpp"
#include "flymc/posterior/density.hpp"
#include "flymc/random.hpp"

namespace flymc {

// The parts of a chain. `brightness` is the same object as `density` for FlyMC and null for regular
// MCMC; without brightness there is no z-kernel.
struct ChainParts {
  std::unique_ptr<Density> density;
  Brightable* brightness = nullptr;
  std::unique_ptr<ThetaKernel> theta_kernel;
  std::unique_ptr<ZKernel> z_kernel;
  Streams streams;
};

// FlyMC's parts from one target, whatever its model.
template <class Target>
[[nodiscard]] ChainParts firefly_parts(std::unique_ptr<Target> target,
                                       std::unique_ptr<ThetaKernel> theta_kernel,
                                       std::unique_ptr<ZKernel> z_kernel, Streams streams) {
  Brightable* brightness = target.get();
  return {std::move(target), brightness, std::move(theta_kernel), std::move(z_kernel), streams};
}

// The point carries its cached factors, so that a restored chain goes on bit for bit and free of
// charge.
struct ChainState {
  Point current;
  std::vector<Datum> bright;  // in slot order
  std::uint64_t iteration = 0;
  Tuning tuning;
};

// Whether a state, from a file, is one that these parts can have been in: dimension, and every
// bright datum there, once, with its factor.
[[nodiscard]] bool fits(const ChainState& state, const ChainParts& parts);

// What one iteration cost and did.
struct IterationInfo {
  ThetaInfo theta;
  ZInfo z;
  std::uint64_t queries_theta = 0;
  std::uint64_t queries_z = 0;
  std::uint64_t evaluations = 0;
  std::size_t bright = 0;  // after the iteration
};

// What both phases share: the position, and one iteration under a given tuning.
class ChainCore {
 public:
  // Starts at theta, with every coin drawn from its law there (one query a datum), or dark where
  // the z-kernel finds that law by itself in a sweep and the coins are not to be thrown.
  ChainCore(ChainParts parts, const Vector& theta, bool throw_coins = false);
  // Continues from a state.
  ChainCore(ChainParts parts, const ChainState& state);

  IterationInfo iterate(const Tuning& tuning);
  // Back to a state it was in, bit for bit, also out of an iteration that was interrupted in its
  // theta-update.
  void restore(const ChainState& state);

  [[nodiscard]] const Point& current() const noexcept { return current_; }
  [[nodiscard]] const Density& density() const noexcept { return *parts_.density; }
  [[nodiscard]] const ThetaKernel& theta_kernel() const noexcept { return *parts_.theta_kernel; }
  [[nodiscard]] const Brightable* coins() const noexcept { return parts_.brightness; }
  [[nodiscard]] double smallest_q() const noexcept;  // one proposal a sweep: 1/N
  [[nodiscard]] ChainState state(const Tuning& tuning) const;

 private:
  template <class Choose>
  void light(Choose&& choose);

  ChainParts parts_;
  Point current_;
  std::uint64_t iteration_ = 0;
};

class Chain {
 public:
  Chain(ChainParts parts, const ChainState& state);
  Chain(ChainCore core, const Tuning& tuning) : core_(std::move(core)), tuning_(tuning) {}

  IterationInfo step() { return core_.iterate(tuning_); }
  void restore(const ChainState& state) { core_.restore(state); }

  [[nodiscard]] Index dimension() const noexcept { return core_.density().dimension(); }
  [[nodiscard]] double log_density() const noexcept { return core_.current().log_density; }
  void theta(Vector& out) const noexcept { core_.density().to_theta(core_.current(), out); }
  [[nodiscard]] const Vector& zeta() const noexcept { return core_.current().zeta; }
  [[nodiscard]] std::uint64_t queries_total() const noexcept {
    return core_.density().queries_total();
  }
  [[nodiscard]] const Tuning& tuning() const noexcept { return tuning_; }
  [[nodiscard]] const Brightable* coins() const noexcept { return core_.coins(); }
  [[nodiscard]] ChainState state() const { return core_.state(tuning_); }

 private:
  ChainCore core_;
  const Tuning tuning_;
};

class WarmupChain {
 public:
  // What can be adapted: the step size always, q only where the z-update uses it and none is given.
  struct Options {
    bool adapt_q = true;
    Tuning start;
    bool throw_coins = false;  // at the start, whatever the z-kernel would do
  };
  WarmupChain(ChainParts parts, const Vector& theta, const Options& options);

  IterationInfo step();
  void restart_averages() noexcept { adaptation_.restart(); }
  [[nodiscard]] Index dimension() const noexcept { return core_.density().dimension(); }
  [[nodiscard]] double log_density() const noexcept { return core_.current().log_density; }
  void theta(Vector& out) const noexcept { core_.density().to_theta(core_.current(), out); }
  [[nodiscard]] const Tuning& tuning() const noexcept { return adaptation_.tuning(); }

  [[nodiscard]] bool has_failed() const noexcept { return adaptation_.has_failed(); }

  // Ends adaptation for good.
  [[nodiscard]] Chain freeze() &&;

 private:
  ChainCore core_;
  Adaptation adaptation_;
};

}  // namespace flymc
