// What JointTarget does for the coins: which dark data are looked at, wherever they lie, and the
// rows of those that turned bright.
#pragma once

#include "flymc/detail/posterior/joint_target_impl.hpp"
#include "flymc/posterior/joint_target.hpp"

namespace flymc {

template <BoundedLikelihood M>
double JointTarget<M>::rate_scale(const Point& current) {
  const double total = bounds_.rates.total();
  if (!(total > 0.0)) {
    return 1.0;
  }
  const double norm = frame_.posterior_norm(current.zeta, theta_);
  const int shell = bounds_.shell_of(norm);
  double scale = std::max(1.0, norm * norm / static_cast<double>(frame_.dimension()));
  if (shell > 0 && !bounds_.is_exact(shell)) {
    scale *= std::max(1.0, setting_->baseline.expected_bright(shell) / bounds_.expected_bright);
  }
  constexpr double kLargest = 20.0;
  return std::max(1.0, std::min({scale, kLargest, static_cast<double>(rows()) / total}));
}

template <BoundedLikelihood M>
void JointTarget<M>::draw_hits(double scale, Stream& stream, Buffer<Datum>& hits) {
  const Rates& rates = bounds_.rates;
  hits_.clear();
  for (std::uint64_t left = stream.poisson(scale * rates.total()); left > 0; --left) {
    hits_.push_back(rates.hit(stream));
  }
  remote_rows_.fetch_hits(rates, hits_, hits);
  at_hand_ = true;
}

// What other ranks hold they evaluate, unless its records are here: then every rank does.
template <BoundedLikelihood M>
std::span<const double> JointTarget<M>::query(const Point& current, std::span<const Datum> data) {
  probed_.assign(data.begin(), data.end());
  probe_factors_.resize(data.size());
  probe_slopes_.resize(data.size() * width());
  probe_rates_.resize(data.size());
  if (data.empty()) {
    return probe_factors_;
  }
  const int shell = shell_of(current);
  u_.resize(std::max(u_.size(), width()));
  frame_.to_delta(current.zeta, delta_);
  counter_.query(data.size(), [&](std::size_t i) {
    if (at_hand_ || setting_->data.shard().holds(probed_[i])) {
      probe(i, shell);
    }
  });
  if (is_split() && !at_hand_) {
    share_probes();
  }
  return probe_factors_;
}

template <BoundedLikelihood M>
void JointTarget<M>::share_probes() {
  const std::size_t record = 1 + width();
  std::size_t i = 0;  // rows are written in the order asked
  const Buffer<double> all =
      collect_records(setting_->data.shard(), probed_, record, [&](std::size_t n, double* out) {
        while (probed_[i] != n) {
          ++i;
        }
        *out = probe_factors_[i];
        std::copy_n(probe_slopes_.data() + i * width(), width(), out + 1);
      });
  for (i = 0; i < probed_.size(); ++i) {
    probe_factors_[i] = all[i * record];
    std::copy_n(all.data() + i * record + 1, width(), probe_slopes_.data() + i * width());
  }
}

// A datum's row enters the frame once, when it turns bright.
template <BoundedLikelihood M>
void JointTarget<M>::gather_new() {
  if (bright_.size() == set_.bright_count()) {
    return;
  }
  if (is_split() && !at_hand_) {
    std::vector<Datum> fresh;
    for (std::size_t slot = bright_.size(); slot < set_.bright_count(); ++slot) {
      fresh.push_back(set_.bright_at(slot));
    }
    remote_rows_.fetch(fresh);
  }
  while (bright_.size() < set_.bright_count()) {
    const RemoteRow n = remote_rows_.at(set_.bright_at(bright_.size()), raw_.data());
    const auto slot = bright_.append(setting_->facts(n));
    setting_->fill(n, slot, row_, theta_gradient_);
    for (int shell = 0; shell < bounds_.tangent_shells(); ++shell) {
      shell_curvature(setting_->model, bounds_, n.touch(), shell, curvature_.data(),
                      slot.curvature + shell * bounds_.pairs);
    }
  }
}

}  // namespace flymc
