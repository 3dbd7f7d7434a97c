#include "flymc/chain/chain.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include "core/message.hpp"
#include "flymc/detail/core/interruption.hpp"
#include "flymc/detail/core/numeric.hpp"
#include "flymc/error.hpp"

namespace flymc {

// Lights the data for which choose(datum, log(L/B - 1)) holds, querying in batches.
template <class Choose>
void ChainCore::light(Choose&& choose) {
  Brightable& target = *parts_.brightness;
  constexpr std::size_t kBatch = 4096;
  std::vector<Datum> batch;
  for (std::size_t first = 0; first < target.rows(); first += kBatch) {
    poll_interruption();
    batch.clear();
    for (std::size_t n = first; n < std::min(first + kBatch, target.rows()); ++n) {
      batch.push_back(static_cast<Datum>(n));
    }
    const auto log_factors = target.query(current_, batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (choose(batch[i], log_factors[i])) {
        target.brighten(current_, i);
      }
    }
  }
}

ChainCore::ChainCore(ChainParts parts, const Vector& theta, bool throw_coins)
    : parts_(std::move(parts)), current_(parts_.density->dimension()) {
  parts_.density->from_theta(theta, current_);
  if (parts_.brightness != nullptr && (throw_coins || !parts_.z_kernel->starts_dark())) {
    Stream stream = parts_.streams.at(0, Purpose::kInit);
    light([&](Datum, double log_factor) { return stream.uniform() < sigmoid(log_factor); });
  }
  parts_.density->evaluate(current_, parts_.theta_kernel->order());
  if (!std::isfinite(current_.log_density)) {
    throw Error(ErrorKind::kData,
                "the posterior density at the starting point is zero or not a number",
                message("use {} or rescale the columns.", Setting{"init", "map"}));
  }
}

ChainCore::ChainCore(ChainParts parts, const ChainState& state)
    : parts_(std::move(parts)), current_(state.current), iteration_(state.iteration) {
  if (parts_.brightness != nullptr) {
    parts_.brightness->restore(state.bright);
  }
}

void ChainCore::restore(const ChainState& state) {
  if (parts_.brightness != nullptr) {
    while (parts_.brightness->bright_count() > 0) {
      parts_.brightness->darken(current_, parts_.brightness->bright_count() - 1);
    }
    parts_.brightness->restore(state.bright);
  }
  current_ = state.current;
  iteration_ = state.iteration;
}

IterationInfo ChainCore::iterate(const Tuning& tuning) {
  IterationInfo info;
  Density& density = *parts_.density;
  const std::uint64_t queries_before = density.queries_total();
  const std::uint64_t evaluations_before = density.evaluations_total();
  if (parts_.brightness != nullptr) {
    Stream stream = parts_.streams.at(iteration_, Purpose::kZUpdate);
    info.z = parts_.z_kernel->step(*parts_.brightness, current_, tuning, iteration_, stream);
    parts_.brightness->refresh(current_, parts_.theta_kernel->order());
  }
  const std::uint64_t queries_between = density.queries_total();
  Stream stream = parts_.streams.at(iteration_, Purpose::kThetaUpdate);
  info.theta = parts_.theta_kernel->step(density, current_, tuning, stream);
  ++iteration_;
  info.queries_z = queries_between - queries_before;
  info.queries_theta = density.queries_total() - queries_between;
  info.evaluations = density.evaluations_total() - evaluations_before;
  info.bright = parts_.brightness != nullptr ? parts_.brightness->bright_count() : 0;
  return info;
}

double ChainCore::smallest_q() const noexcept {
  return parts_.brightness == nullptr ? 1.0 : 1.0 / static_cast<double>(parts_.brightness->rows());
}

ChainState ChainCore::state(const Tuning& tuning) const {
  ChainState state{current_, {}, iteration_, tuning};
  for (std::size_t slot = 0;
       parts_.brightness != nullptr && slot < parts_.brightness->bright_count(); ++slot) {
    state.bright.push_back(parts_.brightness->bright_at(slot));
  }
  return state;
}

bool fits(const ChainState& state, const ChainParts& parts) {
  const Index dimension = parts.density->dimension();
  if (state.current.zeta.size() != dimension || state.current.gradient.size() != dimension) {
    return false;
  }
  if (parts.brightness == nullptr) {
    return state.bright.empty();
  }
  std::vector<Datum> sorted = state.bright;
  std::sort(sorted.begin(), sorted.end());
  return state.current.log_factors.size() == sorted.size() &&
         (sorted.empty() || sorted.back() < parts.brightness->rows()) &&
         std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

Chain::Chain(ChainParts parts, const ChainState& state)
    : core_(std::move(parts), state), tuning_(state.tuning) {}

WarmupChain::WarmupChain(ChainParts parts, const Vector& theta, const Options& options)
    : core_(std::move(parts), theta, options.throw_coins),
      adaptation_({.adapts = core_.theta_kernel().adapts(),
                   .target_accept_prob = core_.theta_kernel().target_accept_prob(),
                   .adapt_q = options.adapt_q,
                   .smallest_q = core_.smallest_q()},
                  options.start) {}

IterationInfo WarmupChain::step() {
  const IterationInfo info = core_.iterate(adaptation_.tuning());
  adaptation_.update(info.theta, static_cast<double>(info.queries_theta) * core_.smallest_q());
  return info;
}

Chain WarmupChain::freeze() && { return {std::move(core_), adaptation_.frozen()}; }

}  // namespace flymc
