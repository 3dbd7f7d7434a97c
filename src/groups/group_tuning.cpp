#include "groups/group_tuning.hpp"

namespace flymc {
namespace {

constexpr double kDegrees = 5.0;
constexpr double kWider = 1.1;

}  // namespace

// Up to a constant.
double ScaleProposal::log_t(const Vector& psi) const {
  const Vector off = factor_.triangularView<Eigen::Lower>().solve(psi - mean_) / kWider;
  return -0.5 * (kDegrees + static_cast<double>(psi.size())) *
         std::log1p(off.squaredNorm() / kDegrees);
}

double ScaleProposal::draw(const Vector& psi, Stream& stream, Vector& moved) const {
  const Index size = mean_.size();
  Vector normals(size);
  if (stream.uniform() < share_of_t_) {
    const double spread = kWider * std::sqrt(0.5 * kDegrees / stream.gamma(0.5 * kDegrees));
    for (Index j = 0; j < size; ++j) {
      normals[j] = spread * stream.normal();
    }
    moved = mean_ + factor_.triangularView<Eigen::Lower>() * normals;
    return log_t(psi) - log_t(moved);
  }
  const double spread =
      2.4 / std::sqrt(static_cast<double>(size)) * std::exp(1.6 * (stream.uniform() - 0.6));
  for (Index j = 0; j < size; ++j) {
    normals[j] = spread * stream.normal();
  }
  moved = psi + factor_.triangularView<Eigen::Lower>() * normals;
  return 0.0;
}

double walk_scales(const GroupScales& scales, const Matrix& squares, double levels, Vector& psi,
                   Stream& stream) {
  GroupScales::Precision precision;
  const auto log_density = [&](const Vector& at) {
    scales.precision(at, precision);
    return 0.5 * levels * precision.log_det - 0.5 * precision.lambda.cwiseProduct(squares).sum() +
           scales.log_prior_of_levels(at);
  };
  return walk(psi, 2.4 / std::sqrt(2.0 * levels), log_density, stream);
}

}  // namespace flymc
