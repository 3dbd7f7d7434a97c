#include "flymc/detail/kernel/adaptation.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/split_hmc.hpp"

namespace flymc {
namespace {

constexpr double kShrinkage = 0.05;      // gamma
constexpr double kStabilisation = 10.0;  // t0
constexpr double kDecay = 0.75;          // kappa
constexpr double kMovedToWidth = 2.5;    // a slice is about this many mean moves wide

}  // namespace

Adaptation::Adaptation(const Options& options, const Tuning& start)
    : options_(options), tuning_(start) {
  restart();
}

void Adaptation::restart() noexcept {
  centre_ = std::log(tuning_.step_size) + std::log(2.0);
  log_step_average_ = std::log(tuning_.step_size);
  count_ = 0.0;
  accept_error_ = 0.0;
  moved_average_ = 0.0;
  query_average_ = 0.0;
}

void Adaptation::adapt_to_acceptance(double accept_prob) noexcept {
  const double weight = 1.0 / (count_ + kStabilisation);
  accept_error_ += weight * (options_.target_accept_prob - accept_prob - accept_error_);
  const double log_step = centre_ - std::sqrt(count_) / kShrinkage * accept_error_;
  const double share = std::pow(count_, -kDecay);
  log_step_average_ += share * (log_step - log_step_average_);
  tuning_.step_size = std::exp(std::clamp(log_step, -60.0, 60.0));
}

void Adaptation::adapt_to_distance(double moved) noexcept {
  moved_average_ += (moved - moved_average_) / count_;
  constexpr double kTrusted = 10.0;
  if (count_ >= kTrusted && moved_average_ > 0.0) {
    tuning_.step_size = kMovedToWidth * moved_average_;
    log_step_average_ = std::log(tuning_.step_size);
  }
}

void Adaptation::adapt_kicks(double accept_prob) noexcept {
  constexpr int kWindow = 40;
  constexpr double kTooLow = 0.80;
  constexpr double kTooHigh = 0.95;
  constexpr double kHopeless = 0.5;
  window_accept_ += accept_prob / kWindow;
  if (++window_ < kWindow) {
    return;
  }
  const bool most = tuning_.kicks == SplitHmc::kMostKicks;
  windows_at_most_ = most && window_accept_ < kHopeless ? windows_at_most_ + 1 : 0;
  if (window_accept_ < kTooLow && !most) {
    tuning_.kicks =
        std::min(tuning_.kicks + (window_accept_ < kHopeless ? 2 : 1), SplitHmc::kMostKicks);
  } else if (window_accept_ > kTooHigh && tuning_.kicks > SplitHmc::kFewestKicks) {
    --tuning_.kicks;
  }
  window_ = 0;
  window_accept_ = 0.0;
}

bool Adaptation::has_failed() const noexcept {
  constexpr int kWindows = 5;  // 200 iterations
  return windows_at_most_ >= kWindows;
}

void Adaptation::update(const ThetaInfo& info, double query_frac) noexcept {
  count_ += 1.0;
  switch (options_.adapts) {
    case ThetaKernel::Adapts::kAcceptance:
      adapt_to_acceptance(info.accept_prob);
      break;
    case ThetaKernel::Adapts::kDistance:
      adapt_to_distance(info.moved);
      break;
    case ThetaKernel::Adapts::kKicks:
      adapt_kicks(info.accept_prob);
      break;
    case ThetaKernel::Adapts::kNothing:
      break;
  }
  query_average_ += (query_frac - query_average_) / count_;
  if (options_.adapt_q) {
    tuning_.dark_to_bright = std::clamp(query_average_, options_.smallest_q, 1.0);
  }
}

Tuning Adaptation::frozen() const noexcept {
  Tuning result = tuning_;
  if (count_ > 0.0 && options_.adapts != ThetaKernel::Adapts::kKicks) {
    result.step_size = std::exp(log_step_average_);
  }
  return result;
}

}  // namespace flymc
