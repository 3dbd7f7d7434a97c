#include "groups/normal_target.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "flymc/detail/core/interruption.hpp"
#include "flymc/error.hpp"

namespace flymc {

NormalTarget::NormalTarget(NormalSetting setting)
    : setting_(setting), place_(setting.problem.shape()) {}

NormalPlace& NormalTarget::place(const Point& point) {
  if (!is_placed(point)) {
    if (!arrow().set_scales(point.zeta.tail(problem().scales.size()), place_)) {
      throw Error(ErrorKind::kInternal, "NormalTarget: scales without a frame.");
    }
    arrow().set_coefficients(point.zeta.head(coefficients()), place_);
    placed_ = point.zeta;
  }
  return place_;
}

// As a density of (beta, u, psi): without the frame's Jacobian.
void NormalTarget::keep(Point& point) {
  placed_ = point.zeta;
  const double density = place_.log_marginal - 0.5 * point.zeta.head(coefficients()).squaredNorm() -
                         arrow().log_jacobian(place_);
  point.log_density = std::isnan(density) ? -std::numeric_limits<double>::infinity() : density;
}

void NormalTarget::evaluate(Point& point, Order /*order*/) {
  ++evaluations_;
  point.gradient.setZero(dimension());
  std::ignore = place(point);
  keep(point);
}

void NormalTarget::to_theta(const Point& point, Vector& theta) const noexcept {
  NormalPlace other(problem().shape());
  const bool placed = is_placed(point);
  if (!placed) {
    std::ignore = arrow().set_scales(point.zeta.tail(problem().scales.size()), other);
    arrow().set_coefficients(point.zeta.head(coefficients()), other);
  }
  const NormalPlace& place = placed ? place_ : other;
  theta.resize(dimension());
  theta.head(place.dbeta.size()) = arrow().anchor.beta + place.dbeta;
  theta.segment(place.dbeta.size(), static_cast<Index>(place.u.size())) =
      ConstVectorView(place.u.data(), static_cast<Index>(place.u.size()));
  theta.tail(place.psi.size()) = place.psi;
}

void NormalTarget::from_theta(const Vector& theta, Point& point) const {
  NormalPlace place(problem().shape());
  if (!arrow().set_scales(theta.tail(problem().scales.size()), place)) {
    throw Error(ErrorKind::kInternal, "NormalTarget: scales without a frame.");
  }
  place.dbeta = theta.head(place.dbeta.size()) - arrow().anchor.beta;
  VectorView(place.u.data(), static_cast<Index>(place.u.size())) =
      theta.segment(place.dbeta.size(), static_cast<Index>(place.u.size()));
  point.zeta = theta;  // its last numbers are psi
  arrow().to_zeta(place, point.zeta.head(coefficients()));
}

// --- moves ---

NormalMoves::NormalMoves(NormalTarget& target, const GroupTuning& tuning, NormalMoveSet moves)
    : target_(target), tuning_(tuning), moves_(moves), other_(target.problem().shape()) {}

ThetaInfo NormalMoves::step(Density& /*density*/, Point& current, const Tuning& /*tuning*/,
                            Stream& stream) {
  accepted_ = {};
  if (current.zeta.size() != target_.dimension()) {
    throw Error(ErrorKind::kData, "the state of the chain is of another problem.");
  }
  poll_interruption();
  target_.count_evaluation();
  NormalPlace& here = target_.place(current);
  if (moves_.centred) {
    draw_scales_given_coefficients(here, stream);
  }
  if (moves_.collapsed) {
    move_scales(here, stream);
  }
  auto zeta = current.zeta.head(target_.coefficients());
  for (double& value : zeta) {
    value = stream.normal();
  }
  target_.arrow().set_coefficients(zeta, here);
  current.zeta.tail(here.psi.size()) = here.psi;
  target_.keep(current);
  return info();
}

// psi of the levels given u, and sigma given (beta, u), which meet nothing else of each other.
void NormalMoves::draw_scales_given_coefficients(NormalPlace& here, Stream& stream) {
  const GroupScales& scales = target_.problem().scales;
  const Index q = target_.problem().grouping.size();
  const std::size_t levels = target_.problem().grouping.levels();
  Matrix squares = Matrix::Zero(q, q);
  for (std::size_t level = 0; level < levels; ++level) {
    const ConstVectorView u(here.u.data() + static_cast<Index>(level) * q, q);
    squares.selfadjointView<Eigen::Lower>().rankUpdate(u);
  }
  squares.triangularView<Eigen::StrictlyUpper>() = squares.transpose();
  Vector psi = here.psi;
  Vector of_levels = psi.head(scales.of_levels());
  walk_scales(scales, squares, static_cast<double>(levels), of_levels, stream);
  psi.head(of_levels.size()) = of_levels;
  if (scales.infers_sigma()) {
    const double rows = target_.arrow().weight;
    const double residual = target_.arrow().squares(here);
    Vector log_sigma = psi.tail(1);
    walk(
        log_sigma, 2.4 / std::sqrt(2.0 * rows),
        [&](const Vector& at) {
          return -rows * at[0] - 0.5 * residual * std::exp(-2.0 * at[0]) +
                 scales.log_prior_of_shared(at);
        },
        stream);
    psi.tail(1) = log_sigma;
  }
  if (target_.arrow().set_scales(psi, other_)) {
    std::swap(here, other_);
  }
}

void NormalMoves::move_scales(NormalPlace& here, Stream& stream) {
  const ScaleProposal proposal(tuning_.psi_mean, tuning_.psi_factor);
  Vector moved;
  double ratio = proposal.draw(here.psi, stream, moved);
  const double coin = stream.uniform();
  accepted_.scales = 0.0;
  if (!target_.arrow().set_scales(moved, other_)) {
    return;
  }
  ratio += other_.log_marginal - here.log_marginal;
  accepted_.scales = accept_prob(ratio);
  if (coin < accepted_.scales) {
    std::swap(here, other_);
  }
}

}  // namespace flymc
