#include "kernel/mode_jumps.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace flymc {

// A tenth of the proposals is dealt out evenly: Laplace's evidence may be wrong about a mode.
ModeMixture::ModeMixture(std::span<const Mode> modes, const Frame& frame)
    : logs_(modes.size()), scratch_(frame.dimension()) {
  double best = modes.front().log_evidence;
  for (const Mode& mode : modes) {
    best = std::max(best, mode.log_evidence);
  }
  double sum = 0.0;
  for (const Mode& mode : modes) {
    sum += std::exp(mode.log_evidence - best);
  }
  for (const Mode& mode : modes) {
    Component one;
    one.weight =
        0.9 * std::exp(mode.log_evidence - best) / sum + 0.1 / static_cast<double>(modes.size());
    one.centre = frame.from_theta(mode.anchor.theta);
    const Eigen::LLT<Matrix> cholesky(frame.pull_back_form(mode.anchor.precision));
    one.root = cholesky.matrixL();
    one.deviates = one.root.triangularView<Eigen::Lower>()
                       .solve(Matrix::Identity(one.root.rows(), one.root.cols()))
                       .transpose();
    one.log_factor = std::log(one.weight) + one.root.diagonal().array().log().sum();
    components_.push_back(std::move(one));
  }
}

void ModeMixture::draw(Stream& stream, Vector& zeta) noexcept {
  double left = stream.uniform();
  std::size_t k = 0;
  while (k + 1 < components_.size() && left > components_[k].weight) {
    left -= components_[k].weight;
    ++k;
  }
  for (Index j = 0; j < scratch_.size(); ++j) {
    scratch_[j] = stream.normal();
  }
  scratch_ *= std::sqrt(0.5 * kTails / stream.gamma(0.5 * kTails));  // sqrt(nu / chi^2_nu)
  zeta.noalias() = components_[k].deviates * scratch_;
  zeta += components_[k].centre;
}

double ModeMixture::log_density(const Vector& zeta) noexcept {
  const double power = 0.5 * (kTails + static_cast<double>(zeta.size()));
  for (std::size_t k = 0; k < components_.size(); ++k) {
    const Component& one = components_[k];
    for (Index j = 0; j < zeta.size(); ++j) {  // R_k' (zeta - m_k), without a temporary
      const Index rest = zeta.size() - j;
      scratch_[j] = one.root.col(j).tail(rest).dot((zeta - one.centre).tail(rest));
    }
    logs_[k] = one.log_factor - power * std::log1p(scratch_.squaredNorm() / kTails);
  }
  const double top = *std::max_element(logs_.begin(), logs_.end());
  double sum = 0.0;
  for (const double value : logs_) {
    sum += std::exp(value - top);
  }
  return top + std::log(sum);
}

ModeJumps::ModeJumps(std::unique_ptr<ThetaKernel> within, std::span<const Mode> modes,
                     const Frame& frame)
    : within_(std::move(within)), mixture_(modes, frame), proposal_(frame.dimension()) {}

ThetaInfo ModeJumps::step(Density& density, Point& current, const Tuning& tuning, Stream& stream) {
  const ThetaInfo info = within_->step(density, current, tuning, stream);
  mixture_.draw(stream, proposal_.zeta);
  density.evaluate(proposal_, order());
  const double log_ratio = proposal_.log_density - current.log_density +
                           mixture_.log_density(current.zeta) -
                           mixture_.log_density(proposal_.zeta);
  std::ignore = metropolis(current, proposal_, log_ratio, stream);
  return info;
}

}  // namespace flymc
