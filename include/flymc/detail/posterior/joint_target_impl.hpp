// Evaluation of JointTarget: the loops over bright data and beacons.
#pragma once

#include "flymc/posterior/joint_target.hpp"

namespace flymc {

// log(L/B - 1) of one datum and its derivative in the predictors. A gap that rounds to zero or
// below has density zero: the datum cannot be bright here.
template <BoundedLikelihood M>
template <Order order>
double JointTarget<M>::bright_factor(const Tangent& tangent, const BrightRows::Facts& facts,
                                     const double* u, double* slopes) const noexcept {
  double unused = 0.0;  // a slope nobody reads is not computed
  double* out = order == Order::kValue && ScalarLikelihood<M> ? &unused : slopes;
  const double gap =
      facts.weight * evaluate_gap(setting_->model, tangent, facts.memo, u, out) + facts.slack;
  if (!(gap > 0.0)) {
    return -std::numeric_limits<double>::infinity();
  }
  const LogExpm1 factor = log_expm1(gap);
  for (std::size_t k = 0; k < width(); ++k) {
    out[k] *= facts.weight * factor.derivative;
  }
  return factor.value;
}

// With several predictors rows are read several times: this many stay in the nearest cache.
inline constexpr Index kNearRows = 32;

// u = predictor minus touching point, of a range of gathered rows.
template <BoundedLikelihood M>
void JointTarget<M>::predict(const BrightRows& from, std::size_t first, std::size_t last,
                             const Point& point) {
  const auto rows = from.rows(first, last);
  if (rows.rows() == 0) {
    return;
  }
  u_.resize(std::max(u_.size(), (last - first) * width()));
  RowMatrixView u(u_.data(), rows.rows(), bounds_.predictors);
  if (setting_->framed_rows()) {
    u.col(0).noalias() = rows * point.zeta;
  } else {
    frame_.to_delta(point.zeta, delta_);
    for (Index i = 0; i < u.rows(); i += kNearRows) {
      const Index count = std::min(kNearRows, u.rows() - i);
      for (Index k = 0; k < u.cols(); ++k) {
        u.col(k).segment(i, count).noalias() = rows.middleRows(i, count) * as_matrix(delta_).col(k);
      }
    }
  }
  u += ConstRowMatrixView(from.shift(first), u.rows(), u.cols());
}

// The force of one part: rows' slopes, in frame coordinates.
template <BoundedLikelihood M>
void JointTarget<M>::set_force(const ConstRowMatrixView& rows, const double* slopes, Point& point,
                               Index part) {
  const ConstRowMatrixView by_row(slopes, rows.rows(), bounds_.predictors);
  if (rows.rows() == 0) {
    point.forces.col(part).setZero();
  } else if (setting_->framed_rows()) {
    point.forces.col(part).noalias() = rows.transpose() * by_row.col(0);
  } else {
    theta_gradient_.setZero();
    for (Index i = 0; i < rows.rows(); i += kNearRows) {
      const Index count = std::min(kNearRows, rows.rows() - i);
      for (Index k = 0; k < by_row.cols(); ++k) {
        theta_gradient_.segment(k * rows.cols(), rows.cols()).noalias() +=
            rows.middleRows(i, count).transpose() * by_row.col(k).segment(i, count);
      }
    }
    frame_.pull_back(theta_gradient_, delta_);
    point.forces.col(part) = delta_;
  }
}

template <BoundedLikelihood M>
void JointTarget<M>::evaluate_bright(Point& point, Order order) {
  ++evaluations_;
  if (point.parts.size() < kFirstLevel) {
    resize(point, kFirstLevel);
  }
  gather_new();
  point.log_factors.resize(bright_.size());
  point.slopes.resize(bright_.size() * width());
  const int shell = shell_of(point);
  if (bounds_.is_exact(shell)) {  // B = L e^-slack: nothing to evaluate
    for (std::size_t slot = 0; slot < bright_.size(); ++slot) {
      point.log_factors[slot] = log_expm1(bright_.slack(slot)).value;
    }
    std::fill(point.slopes.begin(), point.slopes.end(), 0.0);
  } else {
    predict(bright_, 0, bright_.size(), point);
    counter_.query(bright_.size(), [&](std::size_t slot) {
      const BrightRows::Facts facts{0.0, bright_.weight(slot), bright_.memo(slot),
                                    bright_.slack(slot)};
      const double* u = u_.data() + slot * width();
      double* slopes = point.slopes.data() + slot * width();
      const Tangent tangent = bright_.tangent(slot, shell);
      point.log_factors[slot] = order == Order::kGradient
                                    ? bright_factor<Order::kGradient>(tangent, facts, u, slopes)
                                    : bright_factor<Order::kValue>(tangent, facts, u, slopes);
    });
  }
  sum_bright(point, order);
  evaluate_region(point, shell, order);
}

template <BoundedLikelihood M>
void JointTarget<M>::sum_bright(Point& point, Order order) noexcept {
  double sum = 0.0;
  for (const double factor : point.log_factors) {
    sum += factor;
  }
  point.parts[kBrightPart] = sum;
  if (order == Order::kGradient) {
    set_force(bright_.rows(), point.slopes.data(), point, kBrightPart);
  }
}

// What stands between the innermost shell's parabola and the bounds that hold here.
template <BoundedLikelihood M>
void JointTarget<M>::evaluate_region(Point& point, int shell, Order order) {
  if (bounds_.is_exact(shell)) {
    Vector* gradient = order == Order::kGradient ? &theta_gradient_ : nullptr;
    point.parts[kRegionPart] = exact_region(point, gradient);
    if (gradient != nullptr) {
      frame_.pull_back(theta_gradient_, delta_);
      point.forces.col(kRegionPart) = delta_;
    }
  } else if (setting_->baseline.has_region(shell)) {
    point.parts[kRegionPart] = setting_->baseline.region(shell, point.zeta, delta_);
    point.forces.col(kRegionPart) = delta_;
  } else {
    point.parts[kRegionPart] = 0.0;
    point.forces.col(kRegionPart).setZero();
  }
}

// sum over data of log L - slack (beacons: their parabola) less the collapsed parabola.
template <BoundedLikelihood M>
double JointTarget<M>::exact_region(const Point& point, Vector* gradient) {
  to_theta(point, theta_);
  double value = full_.evaluate(
      theta_, counter_,
      [&](std::size_t n, const double* eta, double* slopes) {
        const double weight = bounds_.is_beacon(n) ? 0.0 : setting_->data.weight(n);
        const double one =
            evaluate_likelihood(setting_->model, eta, setting_->data.response(n), slopes);
        for (std::size_t k = 0; slopes != nullptr && k < width(); ++k) {
          slopes[k] = weight == 0.0 ? 0.0 : slopes[k] * weight;
        }
        return (weight == 0.0 ? 0.0 : weight * one) - bounds_.slack(n);
      },
      gradient);
  frame_.to_delta(point.zeta, delta_);
  if (gradient != nullptr) {
    *gradient = -*gradient;  // so that the collapsed gradient is subtracted below
  }
  value -= bounds_.light.evaluate(delta_, theta_, gradient);
  if (gradient != nullptr) {
    *gradient = -*gradient;
  }
  return value;
}

template <BoundedLikelihood M>
void JointTarget<M>::evaluate_prior(Point& point, Order order) {
  frame_.to_delta(point.zeta, delta_);
  Vector* gradient = order == Order::kGradient ? &theta_gradient_ : nullptr;
  point.parts[kPriorPart] = setting_->baseline.remainder(delta_, theta_, gradient);
  if (gradient != nullptr) {
    frame_.pull_back(theta_gradient_, delta_);
    point.forces.col(kPriorPart) = delta_;
  }
}

// Beacons are exact factors. Those with a parabola in the Gaussian part have it taken off again:
// their log likelihood less its parabola is a gap whose curvature is the information.
template <BoundedLikelihood M>
void JointTarget<M>::evaluate_beacons(Point& point, Index part, std::size_t first, std::size_t last,
                                      Order order) {
  const BrightRows& beacons = setting_->beacons;
  predict(beacons, first, last, point);
  beacon_slopes_.resize(std::max(beacon_slopes_.size(), (last - first) * width()));
  double sum = 0.0;
  counter_.query(last - first, [&](std::size_t i) {
    const std::size_t slot = first + i;
    const Tangent tangent = beacons.tangent(slot);
    double* u = u_.data() + i * width();
    double* slopes = beacon_slopes_.data() + i * width();
    if (slot < bounds_.parabolic_beacons) {
      sum += beacons.weight(slot) *
             evaluate_gap(setting_->model, tangent, beacons.memo(slot), u, slopes);
    } else {
      for (std::size_t k = 0; k < width(); ++k) {
        u[k] += tangent.anchor[k];
      }
      sum +=
          beacons.weight(slot) * evaluate_likelihood(setting_->model, u, tangent.response, slopes);
    }
    for (std::size_t k = 0; k < width(); ++k) {
      slopes[k] *= beacons.weight(slot);
    }
  });
  point.parts[part] = sum;
  if (order == Order::kGradient) {
    set_force(beacons.rows(first, last), beacon_slopes_.data(), point, part);
  }
}

// Log density, and where asked the gradient, from the parts.
template <BoundedLikelihood M>
void JointTarget<M>::assemble(Point& point, Order order) noexcept {
  Vector* gradient = order == Order::kGradient ? &point.gradient : nullptr;
  const double sum = setting_->baseline.gaussian(point.zeta, theta_, gradient) + point.parts.sum();
  if (gradient != nullptr) {
    for (Index part = 0; part < point.forces.cols(); ++part) {
      *gradient += point.forces.col(part);
    }
  }
  point.log_density = std::isnan(sum) ? -std::numeric_limits<double>::infinity() : sum;
}

// log(L/B - 1) of one dark datum.
template <BoundedLikelihood M>
void JointTarget<M>::probe(std::size_t i, int shell) {
  const RemoteRow n = remote_rows_.at(probed_[i], raw_.data());
  double* slopes = probe_slopes_.data() + i * width();
  probe_rates_[i] = n.rate;
  if (bounds_.never_dark(n.rate) || bounds_.is_exact(shell)) {
    std::fill_n(slopes, width(), 0.0);
    probe_factors_[i] = bounds_.never_dark(n.rate) ? -std::numeric_limits<double>::infinity()
                                                   : log_expm1(bounds_.slack_of(n.rate)).value;
    return;
  }
  shell_curvature(setting_->model, bounds_, n.touch(), shell, curvature_.data() + bounds_.pairs,
                  curvature_.data());
  setting_->shift(n, u_.data());
  setting_->data.standardise(n.row.raw, row_.data());
  for (std::size_t k = 0; k < width(); ++k) {
    u_[k] += row_.dot(as_matrix(delta_).col(static_cast<Index>(k)));
  }
  probe_factors_[i] = bright_factor<Order::kGradient>({n.anchor, curvature_.data(), n.row.response},
                                                      setting_->facts(n), u_.data(), slopes);
}

}  // namespace flymc
